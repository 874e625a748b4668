//! What Messages asks of the blocks that hold thoughts, and of a request for new ones.

use crate::request::{BadRequest, Sealed, Thought};
use crate::wire::fields::Fields;

/// The fewest tokens that a model can be asked to think.
const LEAST_BUDGET: u64 = 1024;

/// The thoughts that these messages give back.
pub(super) fn thoughts(messages: &[Fields]) -> Result<Vec<Thought>, BadRequest> {
    let mut thoughts = Vec::new();
    for message in messages {
        if !message.need("content")?.is_array() {
            continue;
        }
        let blocks = message.objects("content")?;
        for block in &blocks {
            thoughts.extend(thought(message, block)?);
        }
        if let Some(last) = blocks.last()
            && is_thought(last)?
        {
            let what = "the final block of an assistant message cannot be a thought";
            return Err(last.wrong("type", what));
        }
    }
    Ok(thoughts)
}

fn thought(message: &Fields, block: &Fields) -> Result<Option<Thought>, BadRequest> {
    if !is_thought(block)? {
        return Ok(None);
    }
    if message.text("role")? != "assistant" {
        return Err(block.wrong("type", "only the assistant has thoughts"));
    }
    let sealed = match block.text("type")? {
        "thinking" => Sealed::Thinking {
            text: block.text("thinking")?.into(),
            signature: block.text("signature")?.into(),
        },
        _ => Sealed::Redacted(block.text("data")?.into()),
    };
    let place = block.place("signature");
    Ok(Some(Thought { place, sealed }))
}

fn is_thought(block: &Fields) -> Result<bool, BadRequest> {
    let kind = block.text("type")?;
    Ok(matches!(kind, "thinking" | "redacted_thinking"))
}

/// A text block says something.
pub(super) fn check_text(block: &Fields) -> Result<(), BadRequest> {
    let is_empty = block.text("type")? == "text" && block.text("text")?.trim().is_empty();
    match is_empty {
        true => Err(block.wrong(
            "text",
            "text content blocks must contain non-whitespace text",
        )),
        false => Ok(()),
    }
}

/// Whether thoughts are asked for. A request for them leaves room for them and for an
/// answer, and a chain of calls that began without thoughts goes on without.
pub(super) fn are_wanted(body: &Fields, messages: &[Fields]) -> Result<bool, BadRequest> {
    if body.get("thinking").is_none() {
        return Ok(false);
    }
    let thinking = body.object("thinking")?;
    if thinking.text("type")? != "enabled" {
        return Ok(false);
    }
    let budget = thinking.need("budget_tokens")?.as_u64().unwrap_or(0);
    let most = body.need("max_tokens")?.as_u64().unwrap_or(0);
    if budget < LEAST_BUDGET || budget >= most {
        let what = format!("expected at least {LEAST_BUDGET}, and less than max_tokens");
        return Err(thinking.wrong("budget_tokens", what));
    }
    let last = messages
        .iter()
        .rev()
        .find(|it| it.text("role").ok() == Some("assistant"));
    let Some(last) = last.filter(|it| it.get("content").is_some_and(|it| it.is_array())) else {
        return Ok(true);
    };
    let blocks = last.objects("content")?;
    let has_calls = blocks
        .iter()
        .any(|it| it.text("type").ok() == Some("tool_use"));
    match blocks.first() {
        Some(first) if has_calls && !is_thought(first)? => Err(first.wrong(
            "type",
            "when thinking is enabled, a final assistant message with calls must start with a thought",
        )),
        _ => Ok(true),
    }
}
