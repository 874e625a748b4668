//! Chat Completions: `POST /v1/chat/completions`.

use serde_json::{Value, json};

use super::fields::Fields;
use super::{Api, CREATED, Event, tools};
use crate::request::{BadRequest, Request, Tool, Turn};
use crate::script::{Call, Reply, Usage, pieces};

/// Reads a request.
pub(crate) fn request(body: &Value) -> Result<Request, BadRequest> {
    let body = Fields::of(body, "")?;
    let messages = body.objects("messages")?;
    if messages.is_empty() {
        return Err(body.wrong("messages", "expected at least one message"));
    }
    let wants_usage = match body.get("stream_options") {
        Some(_) => body.object("stream_options")?.switch("include_usage")?,
        None => false,
    };
    Ok(Request {
        model: body.text("model")?.into(),
        turns: messages.iter().map(turn).collect::<Result<_, _>>()?,
        tools: offered(&body)?,
        is_stream: body.switch("stream")?,
        wants_usage,
        wants_thoughts: false,
        thoughts: Vec::new(),
        digest: 0,
    })
}

fn turn(message: &Fields) -> Result<Turn, BadRequest> {
    let text = message.content("content")?;
    Ok(match message.text("role")? {
        "system" | "developer" => Turn::System(text),
        "user" => Turn::User(text),
        "assistant" => Turn::Assistant {
            text,
            calls: (message.objects_or_none("tool_calls")?.iter())
                .map(call)
                .collect::<Result<_, _>>()?,
        },
        "tool" => Turn::ToolResult {
            id: message.text("tool_call_id")?.into(),
            text,
        },
        other => {
            return Err(message.wrong(
                "role",
                format!("{other:?} is none of system, developer, user, assistant, tool"),
            ));
        }
    })
}

fn call(call: &Fields) -> Result<Call, BadRequest> {
    let function = call.object("function")?;
    Ok(Call {
        id: call.text("id")?.into(),
        name: function.text("name")?.into(),
        arguments: function.text("arguments")?.into(),
    })
}

fn offered(body: &Fields) -> Result<Vec<Tool>, BadRequest> {
    let mut offered = Vec::new();
    for tool in body.objects_or_none("tools")? {
        // The rules know what to do with functions alone.
        if tool.text("type")? != "function" {
            continue;
        }
        let function = tool.object("function")?;
        offered.push(tools::tool(Api::ChatCompletions, &function, "parameters")?);
    }
    Ok(offered)
}

/// A reply as one body.
pub(crate) fn body(request: &Request, reply: &Reply) -> Value {
    let mut message =
        json!({ "role": "assistant", "content": reply.whole_text(), "refusal": null });
    if !reply.calls.is_empty() {
        message["tool_calls"] = reply.calls.iter().map(call_json).collect();
    }
    json!({
        "id": id(request),
        "object": "chat.completion",
        "created": CREATED,
        "model": request.model,
        "choices": [{
            "index": 0,
            "message": message,
            "logprobs": null,
            "finish_reason": finish_reason(reply),
        }],
        "usage": usage(request.usage(reply)),
    })
}

fn call_json(call: &Call) -> Value {
    json!({
        "id": call.id,
        "type": "function",
        "function": { "name": call.name, "arguments": call.arguments },
    })
}

/// A reply as a stream: the role, pieces of the text, each call's start and the pieces of
/// its arguments, the finish reason, the usage if it was asked for, and `[DONE]`.
pub(crate) fn events(request: &Request, reply: &Reply) -> Vec<Event> {
    let start = match reply.pieces {
        Some(_) => json!({ "role": "assistant", "content": "", "refusal": null }),
        None => json!({ "role": "assistant", "content": null, "refusal": null }),
    };
    let mut events = vec![delta(request, start, None)];
    for piece in reply.pieces.iter().flatten() {
        events.push(delta(request, json!({ "content": piece }), None));
    }
    for (index, call) in reply.calls.iter().enumerate() {
        let mut start = call_json(call);
        start["index"] = index.into();
        start["function"]["arguments"] = "".into();
        events.push(delta(request, json!({ "tool_calls": [start] }), None));
        for piece in pieces(&call.arguments) {
            let more = json!({ "index": index, "function": { "arguments": piece } });
            events.push(delta(request, json!({ "tool_calls": [more] }), None));
        }
    }
    events.push(delta(request, json!({}), Some(finish_reason(reply))));
    if request.wants_usage {
        events.push(chunk(request, json!([]), usage(request.usage(reply))));
    }
    events.push(Event::unnamed("[DONE]"));
    events
}

fn delta(request: &Request, delta: Value, finish_reason: Option<&str>) -> Event {
    let choice = json!({
        "index": 0,
        "delta": delta,
        "logprobs": null,
        "finish_reason": finish_reason,
    });
    chunk(request, json!([choice]), Value::Null)
}

fn chunk(request: &Request, choices: Value, usage: Value) -> Event {
    let mut chunk = json!({
        "id": id(request),
        "object": "chat.completion.chunk",
        "created": CREATED,
        "model": request.model,
        "choices": choices,
    });
    // Every chunk has the field once the usage is asked for, null until the last.
    if request.wants_usage {
        chunk["usage"] = usage;
    }
    Event::unnamed(chunk)
}

fn id(request: &Request) -> String {
    format!("chatcmpl-{:016x}", request.digest)
}

fn finish_reason(reply: &Reply) -> &'static str {
    match reply {
        Reply {
            is_cut_short: true, ..
        } => "length",
        Reply { calls, .. } if calls.is_empty() => "stop",
        _ => "tool_calls",
    }
}

fn usage(usage: Usage) -> Value {
    json!({
        "prompt_tokens": usage.input,
        "completion_tokens": usage.output,
        "total_tokens": usage.input + usage.output,
        "prompt_tokens_details": { "cached_tokens": usage.cached },
        "completion_tokens_details": { "reasoning_tokens": 0 },
    })
}
