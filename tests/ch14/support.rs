//! Helpers for the tests of chapter 14, Content Blocks.
//!
//! Tests use the public types and their JSON. They read objects from text, because text has
//! an order of fields and may contain a field twice.

pub use crate::support::*;
use claw_code::agent::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

pub fn text(text: &str) -> Content {
    Content::Text {
        text: text.to_string(),
    }
}

pub fn a_user() -> Message {
    Message::User {
        content: vec![text("What is in src?")],
        timestamp: 1767225600123,
    }
}

pub fn an_assistant() -> Message {
    Message::Assistant {
        content: vec![text("Let me look.")],
        stop_reason: StopReason::ToolUse,
        model: "small-model".to_string(),
        provider: "offline".to_string(),
        usage: Usage {
            total_tokens: 3,
            ..counts(1, 2, 0, 0)
        },
        timestamp: 1767225600456,
        error_message: None,
    }
}

pub fn a_tool_result() -> Message {
    Message::ToolResult {
        tool_call_id: "t1".to_string(),
        tool_name: "bash".to_string(),
        content: vec![text("main.rs")],
        is_error: false,
        timestamp: 1767225600789,
        child_loop_id: None,
    }
}

/// The same result as a failure of a tool that runs an agent.
pub fn a_child_result() -> Message {
    Message::ToolResult {
        tool_call_id: "t1".to_string(),
        tool_name: "bash".to_string(),
        content: vec![text("main.rs")],
        is_error: true,
        timestamp: 1767225600789,
        child_loop_id: Some("s.sub.1".to_string()),
    }
}

pub fn user_json() -> Value {
    json!({
        "role": "user",
        "content": [{ "type": "text", "text": "What is in src?" }],
        "timestamp": 1767225600123u64
    })
}

pub fn assistant_json() -> Value {
    json!({
        "role": "assistant",
        "content": [{ "type": "text", "text": "Let me look." }],
        "stopReason": "toolUse",
        "model": "small-model",
        "provider": "offline",
        "usage": {
            "input": 1, "output": 2, "reasoning": 0,
            "cache_read": 0, "cache_write": 0, "total_tokens": 3
        },
        "timestamp": 1767225600456u64
    })
}

pub fn tool_result_json() -> Value {
    json!({
        "role": "toolResult",
        "toolCallId": "t1",
        "toolName": "bash",
        "content": [{ "type": "text", "text": "main.rs" }],
        "isError": false,
        "timestamp": 1767225600789u64
    })
}

pub fn failed(stop_reason: StopReason, said: Option<&str>) -> Message {
    Message::Assistant {
        content: Vec::new(),
        stop_reason,
        model: "small-model".to_string(),
        provider: "offline".to_string(),
        usage: Usage::default(),
        timestamp: 1767225600456,
        error_message: said.map(str::to_string),
    }
}

/// The JSON of a reply that failed with this error message.
pub fn failed_json(said: &str) -> Value {
    let mut json = assistant_json();
    json["content"] = json!([]);
    json["stopReason"] = json!("error");
    json["usage"] = to_json(&Usage::default());
    json["error_message"] = json!(said);
    json
}

#[track_caller]
pub fn read<T: DeserializeOwned>(text: &str) -> T {
    match serde_json::from_str(text) {
        Ok(value) => value,
        Err(error) => panic!("this JSON should load: {text}\nserde says: {error}"),
    }
}

#[track_caller]
pub fn assert_loads_as<T: DeserializeOwned + Serialize>(json: Value, written: Value) {
    let loaded: T = read(&json.to_string());
    assert_json(
        "the JSON loaded, but is not written back as expected",
        &to_json(&loaded),
        &written,
    );
}

#[track_caller]
pub fn assert_round_trip<T: DeserializeOwned + Serialize>(json: Value) {
    assert_loads_as::<T>(json.clone(), json);
}

pub fn counts(input: u64, output: u64, cache_read: u64, cache_write: u64) -> Usage {
    Usage {
        input,
        output,
        cache_read,
        cache_write,
        ..Usage::default()
    }
}
