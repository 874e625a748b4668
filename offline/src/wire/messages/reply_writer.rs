//! Writes a reply as Messages does.

use serde_json::{Value, json};

use crate::model_request::ModelRequest;
use crate::reply::{Ending, Reply, ToolCall, Usage, split_text};
use crate::thought::Thought;
use crate::wire::sse_event::SseEvent;

/// The thoughts in a reply, as a client has to return them.
pub(crate) fn thoughts(reply: &Reply) -> Vec<Thought> {
    let thinking = reply.thinking.iter().map(|thinking| Thought::Thinking {
        text: thinking.text.clone(),
        signature: thinking.signature.clone(),
    });
    let redacted = reply.redacted_thinking.iter().cloned();
    let redacted = redacted.map(|data| Thought::Redacted { data });
    thinking.chain(redacted).collect()
}

/// The reply as one body.
pub(crate) fn body(request: &ModelRequest, reply: &Reply) -> Value {
    let content = blocks(reply).iter().map(Block::full_json).collect();
    let usage = usage_json(request.usage(reply));
    let mut message = message_json(request, content, usage);
    message["stop_reason"] = stop_reason(reply).into();
    message["stop_sequence"] = stop_sequence(reply);
    message
}

/// The reply as a stream: the start of the message; for each block its start, its pieces
/// and its end; one ping; and the end of the message.
pub(crate) fn events(request: &ModelRequest, reply: &Reply) -> Vec<SseEvent> {
    let usage = request.usage(reply);
    let start_usage = usage_json(Usage { output: 1, ..usage });
    let start = message_json(request, json!([]), start_usage);
    let mut events = vec![SseEvent::named(
        "message_start",
        json!({ "message": start }),
    )];
    for (index, block) in blocks(reply).iter().enumerate() {
        events.push(SseEvent::named(
            "content_block_start",
            json!({ "index": index, "content_block": block.start_json() }),
        ));
        if index == 0 {
            events.push(SseEvent::named("ping", json!({})));
        }
        for delta in block.deltas() {
            events.push(SseEvent::named(
                "content_block_delta",
                json!({ "index": index, "delta": delta }),
            ));
        }
        events.push(SseEvent::named(
            "content_block_stop",
            json!({ "index": index }),
        ));
    }
    events.push(SseEvent::named(
        "message_delta",
        json!({
            "delta": { "stop_reason": stop_reason(reply), "stop_sequence": stop_sequence(reply) },
            "usage": { "output_tokens": usage.output },
        }),
    ));
    events.push(SseEvent::named("message_stop", json!({})));
    events
}

/// One block of a message's content.
enum Block<'a> {
    Thinking {
        text: &'a str,
        signature: &'a str,
    },
    RedactedThinking {
        data: &'a str,
    },
    Text {
        pieces: &'a [String],
    },
    ToolUse {
        call: &'a ToolCall,
        ending: &'a Ending,
    },
}

fn blocks(reply: &Reply) -> Vec<Block<'_>> {
    let thinking = reply.thinking.iter().map(|thinking| Block::Thinking {
        text: &thinking.text,
        signature: &thinking.signature,
    });
    let redacted = reply.redacted_thinking.iter();
    let redacted = redacted.map(|data| Block::RedactedThinking { data });
    let text = reply.pieces.iter().map(|pieces| Block::Text { pieces });
    let ending = &reply.ending;
    let calls = (reply.calls.iter()).map(|call| Block::ToolUse { call, ending });
    thinking.chain(redacted).chain(text).chain(calls).collect()
}

impl Block<'_> {
    /// The block before its first delta.
    fn start_json(&self) -> Value {
        match self {
            Self::Thinking { .. } => thinking_json("", ""),
            Self::RedactedThinking { data } => redacted_json(data),
            Self::Text { .. } => json!({ "type": "text", "text": "" }),
            Self::ToolUse { call, .. } => tool_use_json(call, json!({})),
        }
    }

    /// The block after its last delta.
    fn full_json(&self) -> Value {
        match self {
            Self::Thinking { text, signature } => thinking_json(text, signature),
            Self::RedactedThinking { data } => redacted_json(data),
            Self::Text { pieces } => json!({ "type": "text", "text": pieces.concat() }),
            Self::ToolUse { call, ending } => {
                let input = serde_json::from_str(&call.arguments);
                // The input must be JSON. Arguments that the token limit cut are lost, and a
                // script's arguments that are not JSON become a string.
                let input = input.unwrap_or_else(|_| match ending {
                    Ending::TokenLimit => json!({}),
                    _ => call.arguments.as_str().into(),
                });
                tool_use_json(call, input)
            }
        }
    }

    fn deltas(&self) -> Vec<Value> {
        match self {
            Self::Thinking { text, signature } => {
                let text = split_text(text).into_iter();
                let text = text.map(|it| json!({ "type": "thinking_delta", "thinking": it }));
                let end = json!({ "type": "signature_delta", "signature": signature });
                text.chain([end]).collect()
            }
            // The start event carries all of it.
            Self::RedactedThinking { .. } => Vec::new(),
            Self::Text { pieces } => {
                let pieces = pieces.iter();
                pieces
                    .map(|it| json!({ "type": "text_delta", "text": it }))
                    .collect()
            }
            // The first delta is empty, as it is from the real server.
            Self::ToolUse { call, .. } => {
                let json = [""].into_iter().chain(split_text(&call.arguments));
                json.map(|it| json!({ "type": "input_json_delta", "partial_json": it }))
                    .collect()
            }
        }
    }
}

fn thinking_json(text: &str, signature: &str) -> Value {
    json!({ "type": "thinking", "thinking": text, "signature": signature })
}

fn redacted_json(data: &str) -> Value {
    json!({ "type": "redacted_thinking", "data": data })
}

fn tool_use_json(call: &ToolCall, input: Value) -> Value {
    json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": input })
}

/// A message that has not ended.
fn message_json(request: &ModelRequest, content: Value, usage: Value) -> Value {
    json!({
        "id": format!("msg_{:016x}", request.digest),
        "type": "message",
        "role": "assistant",
        "model": request.model,
        "content": content,
        "stop_reason": null,
        "stop_sequence": null,
        "usage": usage,
    })
}

fn stop_reason(reply: &Reply) -> &'static str {
    match reply.ending {
        Ending::TokenLimit => "max_tokens",
        Ending::StopSequence(_) => "stop_sequence",
        Ending::Complete if reply.calls.is_empty() => "end_turn",
        Ending::Complete => "tool_use",
    }
}

/// The stop sequence that ended the reply, or null.
fn stop_sequence(reply: &Reply) -> Value {
    match &reply.ending {
        Ending::StopSequence(sequence) => sequence.as_str().into(),
        _ => Value::Null,
    }
}

/// The usage as JSON. In Messages, `input_tokens` doesn't include tokens from the cache.
fn usage_json(usage: Usage) -> Value {
    json!({
        "input_tokens": usage.input.saturating_sub(usage.cached),
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": usage.cached,
        "output_tokens": usage.output,
    })
}
