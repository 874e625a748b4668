//! Chapter 19, Speaking Three APIs.
//!
//! Requests and replies are compared as JSON. `bodies.rs` builds requests, `readers.rs` makes
//! streams without a server, and `wire.rs` talks to claw-offline over TCP.

pub use crate::support::*;
use claw_code::agent::*;
use claw_code::chat::*;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// A history in which every field of a chat message has a value somewhere.
pub fn full_history() -> Vec<ChatMessage> {
    let time = "2026-01-02T03:04:05Z";
    from_json(json!([
        { "role": "system", "content": "Be brief." },
        { "role": "developer", "content": "Be kind." },
        { "role": "user", "name": "ada", "timestamp": time, "id": "msg_0", "status": "completed",
          "content": "Look:", "raw_content_blocks": [
            text("Look:"),
            { "type": "image", "source": png()["source"], "detail": "low" } ] },
        { "role": "assistant", "id": "msg_1", "status": "incomplete", "timestamp": time,
          "content": "Let me look.", "reasoning": "theirs\nmine",
          "tool_calls": [call("call_1", "{\"a\": 1}")],
          "raw_content_blocks": [
            signed("theirs", "c2ln"),
            redacted("DATA"),
            thought("mine", json!({ "encrypted_content": "ENC", "id": "rs_1" })),
            text("Let me look."),
            tool_use(json!({ "a": 1 })) ] },
        { "role": "tool", "name": "bash", "tool_call_id": "call_1", "content": "no", "timestamp": time,
          "tool_metadata": { "success": false, "duration_ms": 1.5, "tool_name": "bash", "arguments": "{}" } },
    ]))
}

/// A reply with thinking, text and a call.
pub fn reply(provider: &str, stop_reason: StopReason) -> Message {
    Message::Assistant {
        content: vec![
            Content::Thinking {
                thinking: "t".into(),
                signature: Some("c2ln".into()),
            },
            Content::Text {
                text: "Let me look.".into(),
            },
            Content::ToolCall {
                id: "call_1".into(),
                name: "bash".into(),
                arguments: json!({ "a": 1 }),
            },
        ],
        stop_reason,
        model: "m".into(),
        provider: provider.into(),
        usage: Usage::default(),
        timestamp: 0,
        error_message: None,
    }
}

pub fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

/// A thinking block with this text and these other fields.
pub fn thought(thinking: &str, fields: Value) -> Value {
    let mut block = json!({ "type": "thinking", "thinking": thinking, "redacted": false });
    for (name, value) in fields.as_object().expect("an object with fields") {
        block[name] = value.clone();
    }
    block
}

pub fn signed(thinking: &str, signature: &str) -> Value {
    thought(thinking, json!({ "signature": signature }))
}

/// Thinking that the provider withholds.
pub fn redacted(data: &str) -> Value {
    json!({ "type": "thinking", "thinking": "", "encrypted_content": data, "redacted": true })
}

/// The result of the call `call_1`.
pub fn tool_result(content: Value) -> Value {
    json!({ "type": "tool_result", "tool_use_id": "call_1", "content": content })
}

pub fn png() -> Value {
    json!({ "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo=" } })
}

pub fn tool_use(input: Value) -> Value {
    json!({ "type": "tool_use", "id": "call_1", "name": "bash", "input": input })
}

pub fn call(id: &str, arguments: &str) -> Value {
    json!({ "id": id, "type": "function", "function": { "name": "bash", "arguments": arguments } })
}

/// A call as an item of the Responses API.
pub fn call_item(id: &str, arguments: &str) -> Value {
    json!({ "type": "function_call", "call_id": id, "name": "bash", "arguments": arguments })
}

/// The output of the call `call_1` as an item of the Responses API.
pub fn output(output: Value) -> Value {
    json!({ "type": "function_call_output", "call_id": "call_1", "output": output })
}

pub fn input_text(text: &str) -> Value {
    json!({ "type": "input_text", "text": text })
}

pub fn input_png() -> Value {
    json!({ "type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo=", "detail": "auto" })
}

pub fn output_text(text: &str) -> Value {
    json!({ "type": "output_text", "text": text })
}

pub fn summary(text: &str) -> Value {
    json!({ "type": "summary_text", "text": text })
}

#[track_caller]
pub fn from_json<T: DeserializeOwned>(json: Value) -> T {
    serde_json::from_value(json.clone())
        .unwrap_or_else(|error| panic!("this should load: {json}\nbut: {error}"))
}
