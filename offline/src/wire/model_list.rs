//! The models: `GET /v1/models`, whose list has one entry, and `GET /v1/models/{id}`.

use serde_json::{Value, json};

use super::timestamp::{CREATED, CREATED_RFC3339};
use super::wire_format::WireFormat;

/// The name of the rule model. A request may name any other model and gets the same answer.
const MODEL: &str = "claw-offline";

/// The list in the shape that this API uses.
pub(crate) fn model_list(format: WireFormat) -> Value {
    match format {
        WireFormat::ChatCompletions | WireFormat::Responses => json!({
            "object": "list",
            "data": [model(format, MODEL)],
        }),
        WireFormat::Messages => json!({
            "data": [model(format, MODEL)],
            "has_more": false,
            "first_id": MODEL,
            "last_id": MODEL,
        }),
    }
}

/// The model under this name. Every name is the name of the rule model, as in requests.
pub(crate) fn model(format: WireFormat, id: &str) -> Value {
    match format {
        WireFormat::ChatCompletions | WireFormat::Responses => json!({
            "id": id,
            "object": "model",
            "created": CREATED,
            "owned_by": "claw-code",
        }),
        WireFormat::Messages => json!({
            "type": "model",
            "id": id,
            "display_name": "claw-offline: rules, not a neural network",
            "created_at": CREATED_RFC3339,
        }),
    }
}
