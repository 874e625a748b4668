//! Reads the settings that the formats share: stop sequences, the choice of a tool, and JSON
//! Schemas for the reply.

use serde_json::Value;

use super::json_object::JsonObject;
use super::tool_schema::check_schema;
use super::wire_format::WireFormat;
use crate::conversation::Turn;
use crate::model_request::ToolDefinition;
use crate::reply_settings::{JsonFormat, ToolChoice};
use crate::request_error::RequestError;

/// Reads an optional array of stop sequences, or a single one as a string.
pub(super) fn read_stop_sequences(
    body: &JsonObject,
    name: &str,
) -> Result<Vec<String>, RequestError> {
    let sequences: Option<Vec<String>> = match body.get(name) {
        None => return Ok(Vec::new()),
        Some(Value::String(text)) => Some(vec![text.clone()]),
        Some(Value::Array(values)) => {
            let texts = values.iter().map(|it| it.as_str().map(String::from));
            texts.collect()
        }
        Some(_) => None,
    };
    match sequences {
        Some(sequences) if sequences.iter().all(|it| !it.is_empty()) => Ok(sequences),
        _ => Err(body.error(name, "expected texts that are not empty")),
    }
}

/// Reads a `tool_choice` of OpenAI: a mode, or an object that names a tool. `name_in` returns
/// the name in the object.
pub(super) fn read_tool_choice(
    body: &JsonObject,
    tools: &[ToolDefinition],
    name_in: impl Fn(&JsonObject) -> Result<String, RequestError>,
) -> Result<ToolChoice, RequestError> {
    let choice = match body.get("tool_choice") {
        None => return Ok(ToolChoice::Auto),
        Some(Value::String(mode)) => match mode.as_str() {
            "auto" => ToolChoice::Auto,
            "none" => ToolChoice::None,
            "required" => ToolChoice::Required,
            other => {
                let problem = format!("expected auto, none, required or a tool, not {other:?}");
                return Err(body.error("tool_choice", problem));
            }
        },
        Some(_) => {
            let object = body.object("tool_choice")?;
            match object.string("type")? {
                "function" | "custom" => ToolChoice::Tool(name_in(&object)?),
                other => {
                    let problem = format!("expected function or custom, not {other:?}");
                    return Err(object.error("type", problem));
                }
            }
        }
    };
    check_tool_choice(body, choice, tools)
}

/// Checks that the request offers the tools that the choice needs.
pub(super) fn check_tool_choice(
    body: &JsonObject,
    choice: ToolChoice,
    tools: &[ToolDefinition],
) -> Result<ToolChoice, RequestError> {
    match &choice {
        ToolChoice::Required | ToolChoice::Tool(_) if tools.is_empty() => {
            Err(body.error("tool_choice", "this choice is only allowed with tools"))
        }
        ToolChoice::Tool(name) if !tools.iter().any(|it| it.name == *name) => {
            Err(body.error("tool_choice", format!("{name:?} is not in `tools`")))
        }
        _ => Ok(choice),
    }
}

/// Reads a JSON Schema for the reply from the field `schema`. In the two APIs of OpenAI, the
/// schema also has a name, and may be strict.
pub(super) fn read_json_schema(
    format: WireFormat,
    object: &JsonObject,
) -> Result<JsonFormat, RequestError> {
    let is_strict = match format {
        WireFormat::Messages => false,
        WireFormat::ChatCompletions | WireFormat::Responses => {
            object.string("name")?;
            object.flag("strict")?
        }
    };
    let schema = object.require("schema")?;
    check_schema(format, schema, is_strict).map_err(|problem| object.error("schema", problem))?;
    Ok(JsonFormat::Schema(schema.clone()))
}

/// Checks that the conversation contains the word JSON, in upper or lower case. OpenAI
/// requires this of a request for any JSON object.
pub(super) fn check_mentions_json(
    object: &JsonObject,
    turns: &[Turn],
) -> Result<JsonFormat, RequestError> {
    let has_word = |text: &str| text.to_lowercase().contains("json");
    let mut turns = turns.iter();
    match turns.any(|turn| turn.text().is_some_and(has_word)) {
        true => Ok(JsonFormat::Object),
        false => Err(object.error(
            "type",
            "the messages must contain the word \"json\" for the format json_object",
        )),
    }
}
