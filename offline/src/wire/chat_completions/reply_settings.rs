//! The settings of Chat Completions for the form of the reply.

use crate::conversation::Turn;
use crate::model_request::ToolDefinition;
use crate::reply_settings::{JsonFormat, ReplySettings};
use crate::request_error::RequestError;
use crate::wire::json_object::JsonObject;
use crate::wire::reply_settings::{
    check_mentions_json, read_json_schema, read_stop_sequences, read_tool_choice,
};
use crate::wire::wire_format::WireFormat;

/// The most stop sequences.
const MAX_STOP_SEQUENCES: usize = 4;

/// Reads the settings of a request.
pub(super) fn read_settings(
    body: &JsonObject,
    turns: &[Turn],
    tools: &[ToolDefinition],
) -> Result<ReplySettings, RequestError> {
    // `max_tokens` is the older name of `max_completion_tokens`.
    let max_tokens = body.number("max_tokens", 1)?;
    let max_tokens = body.number("max_completion_tokens", 1)?.or(max_tokens);
    let stop_sequences = read_stop_sequences(body, "stop")?;
    if stop_sequences.len() > MAX_STOP_SEQUENCES {
        let problem = format!("expected at most {MAX_STOP_SEQUENCES} stop sequences");
        return Err(body.error("stop", problem));
    }
    let name_in = |choice: &JsonObject| {
        let kind = choice.string("type")?;
        Ok(choice.object(kind)?.string("name")?.into())
    };
    Ok(ReplySettings {
        max_tokens,
        stop_sequences,
        tool_choice: read_tool_choice(body, tools, name_in)?,
        json_format: read_json_format(body, turns)?,
    })
}

fn read_json_format(body: &JsonObject, turns: &[Turn]) -> Result<Option<JsonFormat>, RequestError> {
    if body.get("response_format").is_none() {
        return Ok(None);
    }
    let format = body.object("response_format")?;
    match format.string("type")? {
        "text" => Ok(None),
        "json_object" => check_mentions_json(&format, turns).map(Some),
        "json_schema" => {
            let schema = format.object("json_schema")?;
            read_json_schema(WireFormat::ChatCompletions, &schema).map(Some)
        }
        other => {
            let problem = format!("expected text, json_object or json_schema, not {other:?}");
            Err(format.error("type", problem))
        }
    }
}
