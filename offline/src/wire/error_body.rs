//! Error bodies, in the shape that each API uses.

use serde_json::{Value, json};

use super::wire_format::WireFormat;
use crate::request_error::RequestError;

/// The body of an error response.
pub(crate) fn error_body(format: WireFormat, error: &RequestError) -> Value {
    match format {
        WireFormat::ChatCompletions | WireFormat::Responses => {
            json!({ "error": {
                "message": error.message,
                "type": "invalid_request_error",
                "param": error.param,
                "code": error.code,
            } })
        }
        WireFormat::Messages => {
            let kind = match error.status {
                404 => "not_found_error",
                413 => "request_too_large",
                _ => "invalid_request_error",
            };
            json!({
                "type": "error",
                "error": { "type": kind, "message": error.message },
                "request_id": "req_offline",
            })
        }
    }
}
