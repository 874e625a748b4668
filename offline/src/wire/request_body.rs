//! The body of a request as JSON.

use serde_json::Value;

use crate::digest::digest;
use crate::request_error::RequestError;

/// A body, before its format reads it.
pub(crate) struct RequestBody {
    pub(crate) json: Value,
    /// The items of stored responses that come before `input`, from the oldest response to
    /// the newest. Only a Responses request with `previous_response_id` has them.
    pub(crate) history: Vec<Value>,
    /// The hash of the body as it was sent.
    pub(crate) digest: u64,
}

impl RequestBody {
    /// Parses a body.
    pub(crate) fn parse(body: &[u8]) -> Result<Self, RequestError> {
        match serde_json::from_slice(body) {
            Ok(json) => Ok(Self {
                json,
                history: Vec::new(),
                digest: digest(body),
            }),
            Err(error) => {
                let message = format!("the body is not JSON: {error}");
                Err(RequestError::new(message))
            }
        }
    }
}
