//! Errors, in the shape of the API that was spoken to.

use serde_json::{Value, json};

use super::Api;

/// An error's body.
pub(crate) fn error(api: Api, status: u16, message: &str) -> Value {
    match api {
        Api::ChatCompletions | Api::Responses => {
            let code = (status == 404).then_some("unknown_url");
            json!({ "error": {
                "message": message,
                "type": "invalid_request_error",
                "param": null,
                "code": code,
            } })
        }
        Api::Messages => {
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
