//! The three wire formats. Each has a folder, which reads a request and writes a reply as one
//! body or as the events of a stream. The other files hold what the formats share, and this
//! one picks the format.

mod chat_completions;
mod content;
mod error_body;
mod json_object;
mod messages;
mod model_list;
mod reply_settings;
mod request_body;
mod responses;
mod sse_event;
mod timestamp;
mod tool_definition;
mod tool_pairing;
mod tool_schema;
mod tool_status;
mod wire_format;

use serde_json::{Value, json};

use crate::model_request::ModelRequest;
use crate::reply::Reply;
use crate::request_error::RequestError;
use crate::thought::Thought;

pub(crate) use error_body::error_body;
#[cfg(feature = "server")]
pub(crate) use model_list::{model, model_list};
pub(crate) use request_body::RequestBody;
#[cfg(feature = "server")]
pub(crate) use responses::ResponseStore;
pub(crate) use sse_event::SseEvent;
pub(crate) use wire_format::WireFormat;

/// The longest body of a request: 32 MiB.
pub(crate) const BODY_LIMIT: usize = 32 << 20;

impl WireFormat {
    /// Reads and checks the body of a request.
    pub(crate) fn read_request(self, body: &RequestBody) -> Result<ModelRequest, RequestError> {
        checked(match self {
            Self::ChatCompletions => chat_completions::read_request(body)?,
            Self::Responses => responses::read_request(body)?,
            Self::Messages => messages::read_request(body)?,
        })
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

/// The input tokens of a Messages request, which needs no `max_tokens` for this.
pub(crate) fn count_tokens(body: &RequestBody) -> Result<Value, RequestError> {
    let request = checked(messages::read_uncounted_request(body)?)?;
    Ok(json!({ "input_tokens": request.input_tokens() }))
}

/// The request, if it keeps to the rules that all three formats share.
fn checked(request: ModelRequest) -> Result<ModelRequest, RequestError> {
    tool_pairing::check(&request.turns)?;
    tool_definition::check_unique_names(&request.tools)?;
    Ok(request)
}
