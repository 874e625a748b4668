//! Reads a Messages request.

use serde_json::Value;

use super::thinking::{read_thoughts, wants_thinking};
use crate::conversation::{ToolResult, ToolStatus, Turn};
use crate::model_request::{BadRequest, ModelRequest, ToolDefinition};
use crate::reply::ToolCall;
use crate::wire::content::{read_content, read_parts};
use crate::wire::json_object::JsonObject;
use crate::wire::tool_definition::read_tool;
use crate::wire::wire_format::WireFormat;

/// Reads the body of a request.
pub(crate) fn read_request(body: &Value, digest: u64) -> Result<ModelRequest, BadRequest> {
    let body = JsonObject::body(body)?;
    let model = body.string("model")?.into();
    let max_tokens = body.require("max_tokens")?.as_u64();
    if max_tokens.is_none_or(|max| max == 0) {
        return Err(body.error("max_tokens", "expected a number of 1 or more"));
    }
    let messages = body.objects("messages")?;
    if messages.is_empty() {
        return Err(body.error("messages", "expected at least one message"));
    }
    let mut turns = Vec::new();
    if body.get("system").is_some() {
        turns.push(Turn::System(read_content(&body, "system")?.text));
    }
    let thoughts = read_thoughts(&messages)?;
    let wants_thinking = wants_thinking(&body, &messages)?;
    for message in &messages {
        match message.string("role")? {
            "user" => turns.extend(read_user(message)?),
            "assistant" => turns.push(read_assistant(message)?),
            other => {
                let problem = format!("expected user or assistant, not {other:?}");
                return Err(message.error("role", problem));
            }
        }
    }
    Ok(ModelRequest {
        model,
        turns,
        tools: read_tools(&body)?,
        is_stream: body.flag("stream")?,
        wants_usage: true,
        wants_thinking,
        thoughts,
        digest,
    })
}

/// Reads a user message. Its tool results come first, and each becomes a turn of its own.
fn read_user(message: &JsonObject) -> Result<Vec<Turn>, BadRequest> {
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
fn read_tool_result(block: &JsonObject) -> Result<ToolResult, BadRequest> {
    Ok(ToolResult {
        id: block.string("tool_use_id")?.into(),
        content: read_content(block, "content")?,
        status: match block.flag("is_error")? {
            true => ToolStatus::Failed,
            false => ToolStatus::Succeeded,
        },
    })
}

fn read_assistant(message: &JsonObject) -> Result<Turn, BadRequest> {
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
fn check_text(block: &JsonObject) -> Result<(), BadRequest> {
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
fn read_tools(body: &JsonObject) -> Result<Vec<ToolDefinition>, BadRequest> {
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
