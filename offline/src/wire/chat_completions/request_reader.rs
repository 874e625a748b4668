//! Reads a Chat Completions request.

use serde_json::Map;

use super::reply_settings::read_settings;
use crate::conversation::Turn;
use crate::model_request::{ModelRequest, ToolDefinition};
use crate::reply::ToolCall;
use crate::request_error::RequestError;
use crate::wire::content::read_content;
use crate::wire::json_object::JsonObject;
use crate::wire::request_body::RequestBody;
use crate::wire::tool_definition::read_tool;
use crate::wire::tool_status::read_tool_result;
use crate::wire::wire_format::WireFormat;

/// The most choices.
const MAX_CHOICES: u64 = 128;

/// Reads the body of a request.
pub(crate) fn read_request(body: &RequestBody) -> Result<ModelRequest, RequestError> {
    let digest = body.digest;
    let body = JsonObject::body(&body.json)?;
    let messages = body.objects("messages")?;
    if messages.is_empty() {
        return Err(body.error("messages", "expected at least one message"));
    }
    let wants_usage = match body.get("stream_options") {
        Some(_) => body.object("stream_options")?.flag("include_usage")?,
        None => false,
    };
    let mut turns = Vec::new();
    for message in &messages {
        let turn = read_message(message, &turns)?;
        turns.push(turn);
    }
    let choices = body.number("n", 1)?.unwrap_or(1);
    if choices > MAX_CHOICES {
        return Err(body.error("n", format!("expected a number from 1 to {MAX_CHOICES}")));
    }
    let tools = read_tools(&body)?;
    Ok(ModelRequest {
        model: body.string("model")?.into(),
        settings: read_settings(&body, &turns, &tools)?,
        turns,
        tools,
        is_stream: body.flag("stream")?,
        wants_usage,
        wants_thinking: false,
        thoughts: Vec::new(),
        choices,
        is_stored: false,
        echo: Map::new(),
        digest,
    })
}

/// Reads the message that follows these turns.
fn read_message(message: &JsonObject, turns: &[Turn]) -> Result<Turn, RequestError> {
    let content = read_content(message, "content")?;
    Ok(match message.string("role")? {
        "system" | "developer" => Turn::System(content.text),
        "user" => Turn::User(content),
        "assistant" => Turn::Assistant {
            text: content.text,
            calls: (message.objects_or_empty("tool_calls")?.iter())
                .map(read_call)
                .collect::<Result<_, _>>()?,
        },
        "tool" => {
            let id = message.string("tool_call_id")?;
            Turn::ToolResult(read_tool_result(turns, id, content))
        }
        other => {
            let problem =
                format!("expected system, developer, user, assistant or tool, not {other:?}");
            return Err(message.error("role", problem));
        }
    })
}

fn read_call(call: &JsonObject) -> Result<ToolCall, RequestError> {
    let function = call.object("function")?;
    Ok(ToolCall {
        id: call.string("id")?.into(),
        name: function.string("name")?.into(),
        arguments: function.string("arguments")?.into(),
        is_freeform: false,
    })
}

/// Reads the tool definitions. The rules can only call functions, so it skips all others.
fn read_tools(body: &JsonObject) -> Result<Vec<ToolDefinition>, RequestError> {
    let mut tools = Vec::new();
    for tool in body.objects_or_empty("tools")? {
        if tool.string("type")? == "function" {
            let function = tool.object("function")?;
            let tool = read_tool(WireFormat::ChatCompletions, &function, "parameters")?;
            tools.push(tool);
        }
    }
    Ok(tools)
}
