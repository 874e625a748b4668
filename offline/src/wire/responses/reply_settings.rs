//! The settings of Responses for the form of the reply. It has no stop sequences.

use serde_json::{Map, Value, json};

use crate::conversation::Turn;
use crate::model_request::ToolDefinition;
use crate::reply_settings::{JsonFormat, ReplySettings};
use crate::request_error::RequestError;
use crate::wire::json_object::JsonObject;
use crate::wire::reply_settings::{check_mentions_json, read_json_schema, read_tool_choice};
use crate::wire::wire_format::WireFormat;

/// The smallest token limit.
const MIN_OUTPUT_TOKENS: u64 = 16;

/// Reads the settings of a request.
pub(super) fn read_settings(
    body: &JsonObject,
    turns: &[Turn],
    tools: &[ToolDefinition],
) -> Result<ReplySettings, RequestError> {
    let name_in = |choice: &JsonObject| Ok(choice.string("name")?.into());
    Ok(ReplySettings {
        max_tokens: body.number("max_output_tokens", MIN_OUTPUT_TOKENS)?,
        stop_sequences: Vec::new(),
        tool_choice: read_tool_choice(body, tools, name_in)?,
        json_format: read_json_format(body, turns)?,
    })
}

fn read_json_format(body: &JsonObject, turns: &[Turn]) -> Result<Option<JsonFormat>, RequestError> {
    if body.get("text").is_none() {
        return Ok(None);
    }
    let text = body.object("text")?;
    if text.get("format").is_none() {
        return Ok(None);
    }
    let format = text.object("format")?;
    match format.string("type")? {
        "text" => Ok(None),
        "json_object" => check_mentions_json(&format, turns).map(Some),
        "json_schema" => read_json_schema(WireFormat::Responses, &format).map(Some),
        other => {
            let problem = format!("expected text, json_object or json_schema, not {other:?}");
            Err(format.error("type", problem))
        }
    }
}

/// The fields that a response repeats from its request. Some have a default, which appears
/// where the request lacks the field.
pub(super) fn echoed_fields(body: &JsonObject) -> Map<String, Value> {
    let fields = [
        ("max_output_tokens", None),
        ("metadata", Some(json!({}))),
        ("parallel_tool_calls", Some(json!(true))),
        ("previous_response_id", Some(Value::Null)),
        ("store", Some(json!(true))),
        ("text", None),
        ("tool_choice", Some(json!("auto"))),
    ];
    let fields = fields.into_iter();
    fields
        .filter_map(|(name, default)| {
            let value = body.get(name).cloned().or(default)?;
            Some((name.to_string(), value))
        })
        .collect()
}
