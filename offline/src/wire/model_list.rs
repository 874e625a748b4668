//! The list of models: `GET /v1/models`. It has one entry.

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
            "data": [{
                "id": MODEL,
                "object": "model",
                "created": CREATED,
                "owned_by": "claw-code",
            }],
        }),
        WireFormat::Messages => json!({
            "data": [{
                "type": "model",
                "id": MODEL,
                "display_name": "claw-offline: rules, not a neural network",
                "created_at": CREATED_RFC3339,
            }],
            "has_more": false,
            "first_id": MODEL,
            "last_id": MODEL,
        }),
    }
}
