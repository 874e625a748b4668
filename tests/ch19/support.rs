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
            { "type": "thinking", "thinking": "theirs", "signature": "c2ln", "redacted": false },
            { "type": "thinking", "thinking": "", "encrypted_content": "DATA", "redacted": true },
            { "type": "thinking", "thinking": "mine", "encrypted_content": "ENC", "id": "rs_1", "redacted": false },
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

pub fn png() -> Value {
    json!({ "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo=" } })
}

pub fn tool_use(input: Value) -> Value {
    json!({ "type": "tool_use", "id": "call_1", "name": "bash", "input": input })
}

pub fn call(id: &str, arguments: &str) -> Value {
    json!({ "id": id, "type": "function", "function": { "name": "bash", "arguments": arguments } })
}

#[track_caller]
pub fn from_json<T: DeserializeOwned>(json: Value) -> T {
    serde_json::from_value(json.clone())
        .unwrap_or_else(|error| panic!("this should load: {json}\nbut: {error}"))
}
