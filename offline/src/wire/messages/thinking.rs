//! The rules of Messages for thinking blocks and for the `thinking` setting.

use crate::request_error::RequestError;
use crate::thought::{ReturnedThought, Thought};
use crate::wire::json_object::JsonObject;

/// The smallest thinking budget, in tokens.
const MIN_BUDGET: u64 = 1024;

/// Reads the thoughts in these messages.
pub(super) fn read_thoughts(messages: &[JsonObject]) -> Result<Vec<ReturnedThought>, RequestError> {
    let mut thoughts = Vec::new();
    for message in messages {
        if !message.require("content")?.is_array() {
            continue;
        }
        let blocks = message.objects("content")?;
        for block in &blocks {
            if is_thought(block)? {
                thoughts.push(read_thought(message, block)?);
            }
        }
        if let Some(last) = blocks.last()
            && is_thought(last)?
        {
            let problem = "the final block of an assistant message cannot be a thought";
            return Err(last.error("type", problem));
        }
    }
    Ok(thoughts)
}

fn read_thought(message: &JsonObject, block: &JsonObject) -> Result<ReturnedThought, RequestError> {
    if message.string("role")? != "assistant" {
        return Err(block.error("type", "only an assistant message can have thoughts"));
    }
    let thought = match block.string("type")? {
        "thinking" => Thought::Thinking {
            text: block.string("thinking")?.into(),
            signature: block.string("signature")?.into(),
        },
        _ => Thought::Redacted {
            data: block.string("data")?.into(),
        },
    };
    Ok(ReturnedThought {
        path: block.path("signature"),
        thought,
    })
}

fn is_thought(block: &JsonObject) -> Result<bool, RequestError> {
    let kind = block.string("type")?;
    Ok(matches!(kind, "thinking" | "redacted_thinking"))
}

/// Whether the request asks for thinking. The budget must leave room for an answer. A chain
/// of tool calls that started without thinking has to continue without it.
pub(super) fn wants_thinking(
    body: &JsonObject,
    messages: &[JsonObject],
    max_tokens: u64,
) -> Result<bool, RequestError> {
    if body.get("thinking").is_none() {
        return Ok(false);
    }
    let thinking = body.object("thinking")?;
    if thinking.string("type")? != "enabled" {
        return Ok(false);
    }
    let budget = thinking.require("budget_tokens")?.as_u64().unwrap_or(0);
    if !(MIN_BUDGET..max_tokens).contains(&budget) {
        let problem = format!("expected at least {MIN_BUDGET} and less than max_tokens");
        return Err(thinking.error("budget_tokens", problem));
    }
    let is_assistant = |it: &&JsonObject| it.string("role").ok() == Some("assistant");
    let Some(last) = messages.iter().rev().find(is_assistant) else {
        return Ok(true);
    };
    if !last.get("content").is_some_and(|it| it.is_array()) {
        return Ok(true);
    }
    let blocks = last.objects("content")?;
    let has_calls = blocks
        .iter()
        .any(|it| it.string("type").ok() == Some("tool_use"));
    match blocks.first() {
        Some(first) if has_calls && !is_thought(first)? => Err(first.error(
            "type",
            "when thinking is enabled, a final assistant message with tool calls must start with a thought",
        )),
        _ => Ok(true),
    }
}
