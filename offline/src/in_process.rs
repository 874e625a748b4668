//! The model without HTTP.

use std::collections::VecDeque;
use std::error::Error;
use std::fmt;

use serde_json::Value;

use crate::model;
use crate::reply::Reply;
use crate::request_error::RequestError;
use crate::wire::{self, BODY_LIMIT, RequestBody, WireFormat};

/// The model in the caller's process. It answers what a server answers to
/// `POST /v1/chat/completions`, with the same checks, but never as a stream.
#[derive(Debug, Clone, Default)]
pub struct InProcess {
    replies: VecDeque<Reply>,
}

impl InProcess {
    /// The rule model.
    pub fn new() -> Self {
        Self::default()
    }

    /// A model that gives these replies to the first valid requests, in order. After the last
    /// reply, the rules answer.
    pub fn with(replies: impl IntoIterator<Item = Reply>) -> Self {
        Self {
            replies: replies.into_iter().collect(),
        }
    }

    /// Returns the body of the response to a request with this body.
    ///
    /// # Errors
    /// If the API refuses the request. The reply that is next stays next.
    pub fn chat_completion(&mut self, request: &Value) -> Result<Value, Refusal> {
        let format = WireFormat::ChatCompletions;
        let body = request.to_string();
        if body.len() > BODY_LIMIT {
            let error = RequestError::with_status(413, "the body is longer than 32 MiB");
            return Err(error.into());
        }
        let request = format.read_request(&RequestBody::parse(body.as_bytes())?)?;
        if request.is_stream {
            return Err(RequestError::new("stream: streams need the server").into());
        }
        let scripted = self.replies.pop_front();
        let reply = scripted.unwrap_or_else(|| model::reply(&request));
        Ok(format.body(&request, &reply))
    }
}

/// A refused request: what the server answers in place of a reply.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// The HTTP status, such as 400.
    pub status: u16,
    /// The error body, such as `{"error": {"message": "…", …}}`.
    pub body: Value,
}

impl From<RequestError> for Refusal {
    fn from(error: RequestError) -> Self {
        Self {
            status: error.status,
            body: wire::error_body(WireFormat::ChatCompletions, &error),
        }
    }
}

/// The status and the message, such as `400: messages: this field is required`.
impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = self.body["error"]["message"].as_str().unwrap_or_default();
        write!(f, "{}: {message}", self.status)
    }
}

impl Error for Refusal {}
