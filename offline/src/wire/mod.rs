//! The three wire formats. Each has a folder, which reads a request and writes a reply as one
//! body or as the events of a stream. The other files hold what the formats share, and this
//! one picks the format.

mod chat_completions;
mod content;
mod error_body;
mod json_object;
mod messages;
mod model_list;
mod responses;
mod sse_event;
mod timestamp;
mod tool_definition;
mod tool_pairing;
mod tool_schema;
mod tool_status;
mod wire_format;

use serde_json::Value;

use crate::digest::digest;
use crate::model_request::{BadRequest, ModelRequest};
use crate::reply::Reply;
use crate::thought::Thought;

pub(crate) use error_body::error_body;
#[cfg(feature = "server")]
pub(crate) use model_list::model_list;
pub(crate) use sse_event::SseEvent;
pub(crate) use wire_format::WireFormat;

/// The longest body of a request: 32 MiB.
pub(crate) const BODY_LIMIT: usize = 32 << 20;

impl WireFormat {
    /// Parses and checks the body of a request.
    pub(crate) fn read_request(self, body: &[u8]) -> Result<ModelRequest, BadRequest> {
        let digest = digest(body);
        let body: Value = serde_json::from_slice(body)
            .map_err(|error| BadRequest(format!("the body is not JSON: {error}")))?;
        let request = match self {
            Self::ChatCompletions => chat_completions::read_request(&body, digest)?,
            Self::Responses => responses::read_request(&body, digest)?,
            Self::Messages => messages::read_request(&body, digest)?,
        };
        tool_pairing::check(&request.turns)?;
        tool_definition::check_unique_names(&request.tools)?;
        Ok(request)
    }

    /// The thoughts in a reply, as a client has to return them.
    pub(crate) fn thoughts(self, request: &ModelRequest, reply: &Reply) -> Vec<Thought> {
        match self {
            Self::ChatCompletions => Vec::new(),
            Self::Responses => responses::thoughts(request, reply),
            Self::Messages => messages::thoughts(reply),
        }
    }

    /// A reply as one JSON body.
    pub(crate) fn body(self, request: &ModelRequest, reply: &Reply) -> Value {
        match self {
            Self::ChatCompletions => chat_completions::body(request, reply),
            Self::Responses => responses::body(request, reply),
            Self::Messages => messages::body(request, reply),
        }
    }

    /// A reply as the events of a stream.
    pub(crate) fn events(self, request: &ModelRequest, reply: &Reply) -> Vec<SseEvent> {
        match self {
            Self::ChatCompletions => chat_completions::events(request, reply),
            Self::Responses => responses::events(request, reply),
            Self::Messages => messages::events(request, reply),
        }
    }
}
