//! Messages: `POST /v1/messages`.

use serde_json::{Value, json};

mod thoughts;

use super::fields::Fields;
use super::{Api, Event, tools};
use crate::request::{BadRequest, Request, Sealed, Tool, Turn};
use crate::script::{Call, Reply, Usage, pieces};

/// Reads a request.
pub(crate) fn request(body: &Value) -> Result<Request, BadRequest> {
    let body = Fields::of(body, "")?;
    let model = body.text("model")?.into();
    if body.need("max_tokens")?.as_u64().is_none_or(|max| max == 0) {
        return Err(body.wrong("max_tokens", "expected a number of 1 or more"));
    }
    let messages = body.objects("messages")?;
    if messages.is_empty() {
        return Err(body.wrong("messages", "expected at least one message"));
    }
    let mut turns = Vec::new();
    if body.get("system").is_some() {
        turns.push(Turn::System(body.content("system")?));
    }
    let thoughts = thoughts::thoughts(&messages)?;
    let wants_thoughts = thoughts::are_wanted(&body, &messages)?;
    for message in messages {
        match message.text("role")? {
            "user" => add_user(&mut turns, &message)?,
            "assistant" => turns.push(assistant(&message)?),
            other => {
                return Err(message.wrong("role", format!("{other:?} is none of user, assistant")));
            }
        }
    }
    Ok(Request {
        model,
        turns,
        tools: offered(&body)?,
        is_stream: body.switch("stream")?,
        wants_usage: true,
        wants_thoughts,
        thoughts,
        digest: 0,
    })
}

/// A user's message holds the results of tools too, each a turn of its own here.
fn add_user(turns: &mut Vec<Turn>, message: &Fields) -> Result<(), BadRequest> {
    if !message.need("content")?.is_array() {
        turns.push(Turn::User(message.content("content")?));
        return Ok(());
    }
    let mut texts = Vec::new();
    for block in message.objects("content")? {
        if block.text("type")? != "tool_result" {
            thoughts::check_text(&block)?;
            texts.push(block.part()?);
            continue;
        }
        if !texts.is_empty() {
            return Err(block.wrong("type", "the results of tools come before any other content"));
        }
        let mut text = block.content("content")?;
        // What other APIs can only say in the text is a field here.
        if block.switch("is_error")? && !text.starts_with("error: ") {
            text.insert_str(0, "error: ");
        }
        let id = block.text("tool_use_id")?.into();
        turns.push(Turn::ToolResult { id, text });
    }
    if !texts.is_empty() {
        turns.push(Turn::User(texts.join("\n")));
    }
    Ok(())
}

fn assistant(message: &Fields) -> Result<Turn, BadRequest> {
    let mut calls = Vec::new();
    let mut texts = Vec::new();
    if !message.need("content")?.is_array() {
        texts.push(message.content("content")?);
    } else {
        for block in message.objects("content")? {
            match block.text("type")? {
                // `thoughts` has read them.
                "thinking" | "redacted_thinking" => {}
                "tool_use" => calls.push(Call {
                    id: block.text("id")?.into(),
                    name: block.text("name")?.into(),
                    arguments: block.need("input")?.to_string(),
                }),
                _ => {
                    thoughts::check_text(&block)?;
                    texts.push(block.part()?);
                }
            }
        }
    }
    let text = texts.join("\n");
    Ok(Turn::Assistant { text, calls })
}

fn offered(body: &Fields) -> Result<Vec<Tool>, BadRequest> {
    let mut offered = Vec::new();
    for tool in body.objects_or_none("tools")? {
        let kind = match tool.get("type") {
            None => "custom",
            Some(_) => tool.text("type")?,
        };
        // The rules know what to do with tools of the caller's own alone.
        if kind == "custom" {
            tool.need("input_schema")?;
            offered.push(tools::tool(Api::Messages, &tool, "input_schema")?);
        }
    }
    Ok(offered)
}

/// The thoughts in a reply, as they have to come back.
pub(crate) fn sealed(reply: &Reply) -> Vec<Sealed> {
    let thinking = reply.thinking.iter().map(|thinking| Sealed::Thinking {
        text: thinking.text.clone(),
        signature: thinking.signature.clone(),
    });
    let withheld = reply.withheld.iter().cloned().map(Sealed::Redacted);
    thinking.chain(withheld).collect()
}

/// A reply as one body.
pub(crate) fn body(request: &Request, reply: &Reply) -> Value {
    let content = blocks(reply).iter().map(Block::whole).collect();
    let usage = usage(request.usage(reply));
    message(request, content, Some(stop_reason(reply)), usage)
}

/// A reply as a stream: the message begun, each block from its start over its pieces to
/// its end, a ping among them, and the message's end.
pub(crate) fn events(request: &Request, reply: &Reply) -> Vec<Event> {
    let used = request.usage(reply);
    let begun = usage(Usage { output: 1, ..used });
    let begun = message(request, json!([]), None, begun);
    let mut events = vec![Event::named("message_start", json!({ "message": begun }))];
    for (index, block) in blocks(reply).iter().enumerate() {
        events.push(Event::named(
            "content_block_start",
            json!({ "index": index, "content_block": block.begun() }),
        ));
        if index == 0 {
            events.push(Event::named("ping", json!({})));
        }
        for delta in block.deltas() {
            events.push(Event::named(
                "content_block_delta",
                json!({ "index": index, "delta": delta }),
            ));
        }
        events.push(Event::named(
            "content_block_stop",
            json!({ "index": index }),
        ));
    }
    events.push(Event::named(
        "message_delta",
        json!({
            "delta": { "stop_reason": stop_reason(reply), "stop_sequence": null },
            "usage": { "output_tokens": used.output },
        }),
    ));
    events.push(Event::named("message_stop", json!({})));
    events
}

/// One block of a message's content.
enum Block<'a> {
    Thinking { text: &'a str, signature: &'a str },
    Redacted(&'a str),
    Text(&'a [String]),
    ToolUse(&'a Call),
}

fn blocks(reply: &Reply) -> Vec<Block<'_>> {
    let thinking = reply.thinking.iter().map(|thinking| Block::Thinking {
        text: &thinking.text,
        signature: &thinking.signature,
    });
    let withheld = reply.withheld.iter().map(|data| Block::Redacted(data));
    let text = reply.pieces.iter().map(|pieces| Block::Text(pieces));
    let calls = reply.calls.iter().map(Block::ToolUse);
    thinking.chain(withheld).chain(text).chain(calls).collect()
}

impl Block<'_> {
    /// The block before its first piece.
    fn begun(&self) -> Value {
        match self {
            Self::Thinking { .. } => thinking("", ""),
            Self::Redacted(data) => redacted(data),
            Self::Text(_) => json!({ "type": "text", "text": "" }),
            Self::ToolUse(call) => tool_use(call, json!({})),
        }
    }

    /// The block after its last piece.
    fn whole(&self) -> Value {
        match self {
            Self::Thinking { text, signature } => thinking(text, signature),
            Self::Redacted(data) => redacted(data),
            Self::Text(pieces) => json!({ "type": "text", "text": pieces.concat() }),
            Self::ToolUse(call) => {
                let input = serde_json::from_str(&call.arguments);
                // A body has JSON here or nothing: a script's other text is quoted.
                let input = input.unwrap_or_else(|_| call.arguments.as_str().into());
                tool_use(call, input)
            }
        }
    }

    fn deltas(&self) -> Vec<Value> {
        match self {
            Self::Thinking { text, signature } => {
                let text = pieces(text).into_iter();
                let text = text.map(|it| json!({ "type": "thinking_delta", "thinking": it }));
                let end = json!({ "type": "signature_delta", "signature": signature });
                text.chain([end]).collect()
            }
            // It is there from the start.
            Self::Redacted(_) => Vec::new(),
            Self::Text(pieces) => {
                let text = pieces.iter();
                text.map(|it| json!({ "type": "text_delta", "text": it }))
                    .collect()
            }
            // The first piece is empty, as it is in the real thing.
            Self::ToolUse(call) => {
                let json = [""].into_iter().chain(pieces(&call.arguments));
                json.map(|it| json!({ "type": "input_json_delta", "partial_json": it }))
                    .collect()
            }
        }
    }
}

fn thinking(text: &str, signature: &str) -> Value {
    json!({ "type": "thinking", "thinking": text, "signature": signature })
}

fn redacted(data: &str) -> Value {
    json!({ "type": "redacted_thinking", "data": data })
}

fn tool_use(call: &Call, input: Value) -> Value {
    json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": input })
}

fn message(request: &Request, content: Value, stop_reason: Option<&str>, usage: Value) -> Value {
    json!({
        "id": format!("msg_{:016x}", request.digest),
        "type": "message",
        "role": "assistant",
        "model": request.model,
        "content": content,
        "stop_reason": stop_reason,
        "stop_sequence": null,
        "usage": usage,
    })
}

fn stop_reason(reply: &Reply) -> &'static str {
    match reply {
        Reply {
            is_cut_short: true, ..
        } => "max_tokens",
        Reply { calls, .. } if calls.is_empty() => "end_turn",
        _ => "tool_use",
    }
}

/// Tokens from the cache are not among the `input_tokens` here.
fn usage(usage: Usage) -> Value {
    json!({
        "input_tokens": usage.input.saturating_sub(usage.cached),
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": usage.cached,
        "output_tokens": usage.output,
    })
}
