//! Writes a reply as Chat Completions does.

use serde_json::{Value, json};

use crate::model_request::ModelRequest;
use crate::reply::{Ending, Reply, ToolCall, Usage, split_text};
use crate::wire::sse_event::SseEvent;
use crate::wire::timestamp::CREATED;

/// The reply as one body.
pub(crate) fn body(request: &ModelRequest, reply: &Reply) -> Value {
    let mut message = json!({ "role": "assistant", "content": reply.full_text(), "refusal": null });
    if !reply.calls.is_empty() {
        message["tool_calls"] = reply.calls.iter().map(call_json).collect();
    }
    let choice = |index| {
        json!({
            "index": index,
            "message": message,
            "logprobs": null,
            "finish_reason": finish_reason(reply),
        })
    };
    json!({
        "id": completion_id(request),
        "object": "chat.completion",
        "created": CREATED,
        "model": request.model,
        "choices": (0..request.choices).map(choice).collect::<Vec<_>>(),
        "usage": usage_json(request.usage(reply)),
    })
}

/// The reply as a stream: for each choice the role, the pieces of the text, the start of each
/// call and the pieces of its arguments, and the finish reason; the usage if the request asks
/// for it, and `[DONE]`.
pub(crate) fn events(request: &ModelRequest, reply: &Reply) -> Vec<SseEvent> {
    let choices = 0..request.choices;
    let mut events: Vec<SseEvent> = choices
        .flat_map(|choice| choice_events(request, reply, choice))
        .collect();
    if request.wants_usage {
        let usage = usage_json(request.usage(reply));
        events.push(chunk_event(request, json!([]), usage));
    }
    events.push(SseEvent::unnamed("[DONE]"));
    events
}

fn choice_events(request: &ModelRequest, reply: &Reply, choice: u64) -> Vec<SseEvent> {
    let delta_event = |delta, finish_reason| delta_event(request, choice, delta, finish_reason);
    let start = match reply.pieces {
        Some(_) => json!({ "role": "assistant", "content": "", "refusal": null }),
        None => json!({ "role": "assistant", "content": null, "refusal": null }),
    };
    let mut events = vec![delta_event(start, None)];
    for piece in reply.pieces.iter().flatten() {
        events.push(delta_event(json!({ "content": piece }), None));
    }
    for (index, call) in reply.calls.iter().enumerate() {
        let mut start = call_json(call);
        start["index"] = index.into();
        start["function"]["arguments"] = "".into();
        events.push(delta_event(json!({ "tool_calls": [start] }), None));
        for piece in split_text(&call.arguments) {
            let more = json!({ "index": index, "function": { "arguments": piece } });
            events.push(delta_event(json!({ "tool_calls": [more] }), None));
        }
    }
    events.push(delta_event(json!({}), Some(finish_reason(reply))));
    events
}

fn delta_event(
    request: &ModelRequest,
    choice: u64,
    delta: Value,
    finish_reason: Option<&str>,
) -> SseEvent {
    let choice = json!({
        "index": choice,
        "delta": delta,
        "logprobs": null,
        "finish_reason": finish_reason,
    });
    chunk_event(request, json!([choice]), Value::Null)
}

fn chunk_event(request: &ModelRequest, choices: Value, usage: Value) -> SseEvent {
    let mut chunk = json!({
        "id": completion_id(request),
        "object": "chat.completion.chunk",
        "created": CREATED,
        "model": request.model,
        "choices": choices,
    });
    // If the request asks for usage, every chunk has the field, null in all but the last.
    if request.wants_usage {
        chunk["usage"] = usage;
    }
    SseEvent::unnamed(chunk)
}

fn completion_id(request: &ModelRequest) -> String {
    format!("chatcmpl-{:016x}", request.digest)
}

fn call_json(call: &ToolCall) -> Value {
    json!({
        "id": call.id,
        "type": "function",
        "function": { "name": call.name, "arguments": call.arguments },
    })
}

fn finish_reason(reply: &Reply) -> &'static str {
    match reply.ending {
        Ending::TokenLimit => "length",
        Ending::StopSequence(_) => "stop",
        Ending::Complete if reply.calls.is_empty() => "stop",
        Ending::Complete => "tool_calls",
    }
}

fn usage_json(usage: Usage) -> Value {
    json!({
        "prompt_tokens": usage.input,
        "completion_tokens": usage.output,
        "total_tokens": usage.input + usage.output,
        "prompt_tokens_details": { "cached_tokens": usage.cached },
        "completion_tokens_details": { "reasoning_tokens": 0 },
    })
}
