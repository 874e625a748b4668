//! Error bodies, in the shape that each API uses.

use serde_json::{Value, json};

use super::wire_format::WireFormat;

/// The body of an error response.
pub(crate) fn error_body(format: WireFormat, status: u16, message: &str) -> Value {
    match format {
        WireFormat::ChatCompletions | WireFormat::Responses => {
            let code = (status == 404).then_some("unknown_url");
            json!({ "error": {
                "message": message,
                "type": "invalid_request_error",
                "param": null,
                "code": code,
            } })
        }
        WireFormat::Messages => {
            let kind = match status {
                404 => "not_found_error",
                413 => "request_too_large",
                _ => "invalid_request_error",
            };
            json!({
                "type": "error",
                "error": { "type": kind, "message": message },
                "request_id": "req_offline",
            })
        }
    }
}
