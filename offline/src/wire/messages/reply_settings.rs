//! The settings of Messages for the form of the reply.

use crate::model_request::ToolDefinition;
use crate::reply_settings::{JsonFormat, ReplySettings, ToolChoice};
use crate::request_error::RequestError;
use crate::wire::json_object::JsonObject;
use crate::wire::reply_settings::{check_tool_choice, read_json_schema, read_stop_sequences};
use crate::wire::wire_format::WireFormat;

/// Reads the settings of a request.
pub(super) fn read_settings(
    body: &JsonObject,
    tools: &[ToolDefinition],
    max_tokens: Option<u64>,
    wants_thinking: bool,
) -> Result<ReplySettings, RequestError> {
    Ok(ReplySettings {
        max_tokens,
        stop_sequences: read_stop_sequences(body, "stop_sequences")?,
        tool_choice: read_tool_choice(body, tools, wants_thinking)?,
        json_format: read_json_format(body)?,
    })
}

fn read_tool_choice(
    body: &JsonObject,
    tools: &[ToolDefinition],
    wants_thinking: bool,
) -> Result<ToolChoice, RequestError> {
    if body.get("tool_choice").is_none() {
        return Ok(ToolChoice::Auto);
    }
    let object = body.object("tool_choice")?;
    let choice = match object.string("type")? {
        "auto" => ToolChoice::Auto,
        "none" => ToolChoice::None,
        "any" => ToolChoice::Required,
        "tool" => ToolChoice::Tool(object.string("name")?.into()),
        other => {
            let problem = format!("expected auto, none, any or tool, not {other:?}");
            return Err(object.error("type", problem));
        }
    };
    if wants_thinking && matches!(choice, ToolChoice::Required | ToolChoice::Tool(_)) {
        let problem = "a choice that forces a call is not allowed with thinking";
        return Err(object.error("type", problem));
    }
    check_tool_choice(body, choice, tools)
}

fn read_json_format(body: &JsonObject) -> Result<Option<JsonFormat>, RequestError> {
    if body.get("output_config").is_none() {
        return Ok(None);
    }
    let config = body.object("output_config")?;
    if config.get("format").is_none() {
        return Ok(None);
    }
    let format = config.object("format")?;
    match format.string("type")? {
        "json_schema" => read_json_schema(WireFormat::Messages, &format).map(Some),
        other => Err(format.error("type", format!("expected json_schema, not {other:?}"))),
    }
}
