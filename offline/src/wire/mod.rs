//! The three formats. Each reads a request, and writes a reply as one body or as the
//! events of a stream; this module says which is which and holds what they share.

mod chat;
mod error;
mod fields;
mod messages;
mod models;
mod responses;
mod tools;

use serde_json::Value;

use crate::request::{BadRequest, Request, Sealed};
use crate::script::Reply;

pub(crate) use error::error;
pub(crate) use models::models;

/// Whose words are spoken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Api {
    ChatCompletions,
    Responses,
    Messages,
}

/// One event of a stream.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Event {
    /// Absent in Chat Completions, whose events have data alone.
    pub(crate) name: Option<String>,
    pub(crate) data: String,
}

/// When every reply was made: 1 January 2026. The same request has the same answer.
pub(crate) const CREATED: u64 = 1_767_225_600;

impl Api {
    /// Reads a request's body.
    pub(crate) fn request(self, body: &[u8]) -> Result<Request, BadRequest> {
        let value: Value = serde_json::from_slice(body)
            .map_err(|error| BadRequest(format!("the body is not JSON: {error}")))?;
        let mut request = match self {
            Self::ChatCompletions => chat::request(&value)?,
            Self::Responses => responses::request(&value)?,
            Self::Messages => messages::request(&value)?,
        };
        request.digest = crate::request::digest(body);
        request.check_pairs()?;
        tools::check_names(&request.tools)?;
        Ok(request)
    }

    /// The thoughts in a reply, as they have to come back.
    pub(crate) fn thoughts(self, request: &Request, reply: &Reply) -> Vec<Sealed> {
        match self {
            Self::ChatCompletions => Vec::new(),
            Self::Responses => responses::thoughts(request, reply),
            Self::Messages => messages::sealed(reply),
        }
    }

    /// A reply as one JSON body.
    pub(crate) fn body(self, request: &Request, reply: &Reply) -> Value {
        match self {
            Self::ChatCompletions => chat::body(request, reply),
            Self::Responses => responses::body(request, reply),
            Self::Messages => messages::body(request, reply),
        }
    }

    /// A reply as the events of a stream.
    pub(crate) fn events(self, request: &Request, reply: &Reply) -> Vec<Event> {
        match self {
            Self::ChatCompletions => chat::events(request, reply),
            Self::Responses => responses::events(request, reply),
            Self::Messages => messages::events(request, reply),
        }
    }
}

impl Event {
    /// An event of data alone.
    pub(crate) fn unnamed(data: impl ToString) -> Self {
        Self {
            name: None,
            data: data.to_string(),
        }
    }

    /// An event whose name is said twice: in its `event` line, and in the `type` of its
    /// data, which is an object.
    pub(crate) fn named(name: &str, mut data: Value) -> Self {
        data["type"] = name.into();
        Self {
            name: Some(name.into()),
            data: data.to_string(),
        }
    }

    /// The event as bytes of a stream. Its data is one line: JSON has no line ends.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        match &self.name {
            Some(name) => format!("event: {name}\ndata: {}\n\n", self.data),
            None => format!("data: {}\n\n", self.data),
        }
        .into_bytes()
    }
}
