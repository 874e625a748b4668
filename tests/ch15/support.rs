//! Helpers for the tests of chapter 15, Two Lanes.
//!
//! Tests read objects from text, because text has an order of fields and may contain a field
//! twice. What must not compile is tested by asking the compiler which conversions exist.

pub use crate::support::*;
use claw_code::agent::*;
use serde::de::DeserializeOwned;
use serde_json::{Map, json};

/// JSON that is not a turn id, and a part of the expected error.
pub const BROKEN_TURNS: [(&str, &str); 11] = [
    (r#"{"loopId":"s.c.1"}"#, "missing field `turnIndex`"),
    (r#"{"turnIndex":0}"#, "missing field `loopId`"),
    (
        r#"{"loopId":"s.c.1","turnIndex":null}"#,
        "`turnIndex`: invalid type: null",
    ),
    (
        r#"{"loopId":"s.c.1","turnIndex":-1}"#,
        "`turnIndex`: invalid value",
    ),
    (r#"{"loopId":7,"turnIndex":0}"#, "`loopId`: invalid type"),
    (
        r#"{"loop_id":"s.c.1","turn_index":0}"#,
        "missing field `loopId`",
    ),
    (
        r#"{"loopId":"a","loopId":"b","turnIndex":0}"#,
        "duplicate field `loopId`",
    ),
    (
        r#"{"loopId":"a","turnIndex":0,"turnIndex":0}"#,
        "duplicate field `turnIndex`",
    ),
    (r#"["s.c.1",0]"#, "expected a turn"),
    (r#""s.c.1""#, "expected a turn"),
    ("null", "expected a turn"),
];

pub fn a_turn() -> TurnId {
    TurnId {
        loop_id: "s.c.1".to_string(),
        turn_index: 0,
    }
}

pub fn a_user() -> Message {
    Message::User {
        content: Vec::new(),
        timestamp: 1,
    }
}

pub fn a_reply() -> Message {
    Message::Assistant {
        content: vec![
            Content::Thinking {
                thinking: "plan".to_string(),
                signature: Some("EqQB".to_string()),
            },
            Content::ToolCall {
                id: "t1".to_string(),
                name: "bash".to_string(),
                arguments: json!({ "command": "ls" }),
            },
        ],
        stop_reason: StopReason::ToolUse,
        model: "small-model".to_string(),
        provider: "offline".to_string(),
        usage: Usage {
            input: 1,
            output: 2,
            total_tokens: 3,
            ..Usage::default()
        },
        timestamp: 1767225600456,
        error_message: Some("half of it is missing".to_string()),
    }
}

pub fn a_result() -> Message {
    Message::ToolResult {
        tool_call_id: "t1".to_string(),
        tool_name: "bash".to_string(),
        content: vec![Content::Text {
            text: "main.rs".to_string(),
        }],
        is_error: false,
        timestamp: 1767225600789,
        child_loop_id: Some("s.sub.1".to_string()),
    }
}

/// A user's message with a block of a type, and a field of a block, that this program does not know.
pub fn a_newer_user() -> Message {
    let blocks = r#"[{"type":"audio"},{"type":"text","text":"Hi.","citations":[1]}]"#;
    Message::User {
        content: read(blocks),
        timestamp: 1,
    }
}

/// A message of a turn, or of none, without the constructors of section 15.1.
pub fn llm(message: Message, turn_id: Option<TurnId>) -> LlmMessage {
    LlmMessage {
        message,
        turn_id,
        other: Map::new(),
    }
}

pub fn an_extension() -> ExtensionMessage {
    ExtensionMessage {
        role: "extension".to_string(),
        kind: "notification".to_string(),
        data: json!({ "text": "Saved." }),
        other: Map::new(),
    }
}

/// An extension with a field of a newer program.
pub fn a_newer_extension() -> ExtensionMessage {
    let mut note = an_extension();
    note.other.insert("cost".to_string(), json!(3));
    note
}

#[track_caller]
pub fn read<T: DeserializeOwned>(text: &str) -> T {
    match serde_json::from_str(text) {
        Ok(value) => value,
        Err(error) => panic!("this JSON should load: {text}\nserde says: {error}"),
    }
}
