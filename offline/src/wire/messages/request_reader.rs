//! Reads a Messages request.

use serde_json::Map;

use super::reply_settings::read_settings;
use super::thinking::{read_thoughts, wants_thinking};
use crate::conversation::{ToolResult, ToolStatus, Turn};
use crate::model_request::{ModelRequest, ToolDefinition};
use crate::reply::ToolCall;
use crate::request_error::RequestError;
use crate::wire::content::{read_content, read_parts};
use crate::wire::json_object::JsonObject;
use crate::wire::request_body::RequestBody;
use crate::wire::tool_definition::read_tool;
use crate::wire::wire_format::WireFormat;

/// Reads the body of a request.
pub(crate) fn read_request(body: &RequestBody) -> Result<ModelRequest, RequestError> {
    let object = JsonObject::body(&body.json)?;
    object.string("model")?;
    object.require("max_tokens")?;
    read_uncounted_request(body)
}

/// Reads the body of a request that may lack `max_tokens`.
pub(crate) fn read_uncounted_request(body: &RequestBody) -> Result<ModelRequest, RequestError> {
    let digest = body.digest;
    let body = JsonObject::body(&body.json)?;
    let model = body.string("model")?.into();
    let max_tokens = body.number("max_tokens", 1)?;
    let messages = body.objects("messages")?;
    if messages.is_empty() {
        return Err(body.error("messages", "expected at least one message"));
    }
    let mut turns = Vec::new();
    if body.get("system").is_some() {
        turns.push(Turn::System(read_content(&body, "system")?.text));
    }
    let thoughts = read_thoughts(&messages)?;
    let wants_thinking = wants_thinking(&body, &messages, max_tokens.unwrap_or(u64::MAX))?;
    for (index, message) in messages.iter().enumerate() {
        match message.string("role")? {
            "user" => turns.extend(read_user(message)?),
            "assistant" => turns.push(read_assistant(message)?),
            "system" => {
                check_system_message(&messages, index)?;
                turns.push(Turn::System(read_content(message, "content")?.text));
            }
            other => {
                let problem = format!("expected user, assistant or system, not {other:?}");
                return Err(message.error("role", problem));
            }
        }
    }
    let tools = read_tools(&body)?;
    Ok(ModelRequest {
        model,
        turns,
        settings: read_settings(&body, &tools, max_tokens, wants_thinking)?,
        tools,
        is_stream: body.flag("stream")?,
        wants_usage: true,
        wants_thinking,
        thoughts,
        choices: 1,
        is_stored: false,
        echo: Map::new(),
        digest,
    })
}

/// Checks the place of a system message: after a user message, and at the end or before an
/// assistant message. The first instructions belong to the field `system`.
fn check_system_message(messages: &[JsonObject], index: usize) -> Result<(), RequestError> {
    let role = |index: usize| messages.get(index).map(|it| it.string("role")).transpose();
    let message = &messages[index];
    if index == 0 {
        let problem = "use the top-level `system` field for the first instructions";
        return Err(message.error("role", problem));
    }
    match (role(index - 1)?, role(index + 1)?) {
        (Some("user"), None | Some("assistant")) => Ok(()),
        _ => Err(message.error(
            "role",
            "a system message must follow a user message, and end the messages or come before an assistant message",
        )),
    }
}

/// Reads a user message. Its tool results come first, and each becomes a turn of its own.
fn read_user(message: &JsonObject) -> Result<Vec<Turn>, RequestError> {
    if !message.require("content")?.is_array() {
        return Ok(vec![Turn::User(read_content(message, "content")?)]);
    }
    let mut turns = Vec::new();
    let mut parts = Vec::new();
    for block in message.objects("content")? {
        if block.string("type")? != "tool_result" {
            check_text(&block)?;
            parts.push(block);
        } else if parts.is_empty() {
            turns.push(Turn::ToolResult(read_tool_result(&block)?));
        } else {
            return Err(block.error("type", "tool results must come before any other content"));
        }
    }
    if !parts.is_empty() {
        turns.push(Turn::User(read_parts(&parts)?));
    }
    Ok(turns)
}

/// Reads a tool result. Messages has a field for a failure, so the text says nothing about
/// it.
fn read_tool_result(block: &JsonObject) -> Result<ToolResult, RequestError> {
    Ok(ToolResult {
        id: block.string("tool_use_id")?.into(),
        content: read_content(block, "content")?,
        status: match block.flag("is_error")? {
            true => ToolStatus::Failed,
            false => ToolStatus::Succeeded,
        },
    })
}

fn read_assistant(message: &JsonObject) -> Result<Turn, RequestError> {
    let mut calls = Vec::new();
    if !message.require("content")?.is_array() {
        let text = read_content(message, "content")?.text;
        return Ok(Turn::Assistant { text, calls });
    }
    let mut parts = Vec::new();
    for block in message.objects("content")? {
        match block.string("type")? {
            // `read_thoughts` reads these.
            "thinking" | "redacted_thinking" => {}
            "tool_use" => calls.push(ToolCall {
                id: block.string("id")?.into(),
                name: block.string("name")?.into(),
                arguments: block.require("input")?.to_string(),
                is_freeform: false,
            }),
            _ => {
                check_text(&block)?;
                parts.push(block);
            }
        }
    }
    let text = read_parts(&parts)?.text;
    Ok(Turn::Assistant { text, calls })
}

/// Checks that a text block is not blank.
fn check_text(block: &JsonObject) -> Result<(), RequestError> {
    let is_blank = block.string("type")? == "text" && block.string("text")?.trim().is_empty();
    match is_blank {
        true => Err(block.error(
            "text",
            "text content blocks must contain non-whitespace text",
        )),
        false => Ok(()),
    }
}

/// Reads the tool definitions. The rules can only call the client's own tools, so it skips
/// all others.
fn read_tools(body: &JsonObject) -> Result<Vec<ToolDefinition>, RequestError> {
    let mut tools = Vec::new();
    for tool in body.objects_or_empty("tools")? {
        let kind = match tool.get("type") {
            None => "custom",
            Some(_) => tool.string("type")?,
        };
        if kind == "custom" {
            tool.require("input_schema")?;
            tools.push(read_tool(WireFormat::Messages, &tool, "input_schema")?);
        }
    }
    Ok(tools)
}
