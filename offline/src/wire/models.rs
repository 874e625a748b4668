//! The list of models: `GET /v1/models`. There is one.

use serde_json::{Value, json};

use super::{Api, CREATED};

/// The name of the rule model. A request may name any other and is answered alike.
const MODEL: &str = "claw-offline";

/// The list, in the shape of the API that asks.
pub(crate) fn models(api: Api) -> Value {
    match api {
        Api::ChatCompletions | Api::Responses => json!({
            "object": "list",
            "data": [{
                "id": MODEL,
                "object": "model",
                "created": CREATED,
                "owned_by": "claw-code",
            }],
        }),
        Api::Messages => json!({
            "data": [{
                "type": "model",
                "id": MODEL,
                "display_name": "claw-offline: rules, not a neural network",
                // The same moment as `CREATED`.
                "created_at": "2026-01-01T00:00:00Z",
            }],
            "has_more": false,
            "first_id": MODEL,
            "last_id": MODEL,
        }),
    }
}
