//! Section 1.4: StopReason

use claw_code::types::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch1_create_assistant_message() {
    let usage: TokenUsage = from_json(&json!({
        "input_tokens": 12, "output_tokens": 34,
        "cache_read_tokens": 0, "cache_creation_tokens": 0
    }));
    let message = Message::assistant(
        Some("Done.".to_string()),
        Vec::new(),
        StopReason::Stop,
        Some(usage.clone()),
    );
    let Message::Assistant(reply) = message else {
        panic!("Message::assistant should make a Message::Assistant");
    };
    assert_eq!(reply.text.as_deref(), Some("Done."));
    assert!(
        reply.tool_calls.is_empty(),
        "the reply should have no tool calls"
    );
    assert_eq!(reply.usage, Some(usage), "the usage is kept unchanged");
    assert_is_new_id(&reply.id);
}

#[test]
fn test_ch1_assistant_message_keeps_all_parts_together() {
    let call = |id: &str| ToolCall {
        id: id.to_string(),
        name: "read".to_string(),
        arguments: json!({ "path": "src/lib.rs" }),
    };
    let mut calls = vec![call("call_3"), call("call_1"), call("call_1")];
    calls[2].arguments = json!("not an object");
    let counted = TokenUsage {
        output_tokens: 34,
        ..TokenUsage::default()
    };
    for (text, calls, stop_reason, usage) in [
        (long_text(), calls.clone(), StopReason::ToolUse, counted),
        (
            String::new(),
            calls,
            StopReason::Stop,
            TokenUsage::default(),
        ),
        (
            String::new(),
            Vec::new(),
            StopReason::Stop,
            TokenUsage::default(),
        ),
    ] {
        let message = Message::assistant(
            Some(text.clone()),
            calls.clone(),
            stop_reason.clone(),
            Some(usage.clone()),
        );
        let Message::Assistant(reply) = message else {
            panic!("Message::assistant should make a Message::Assistant");
        };
        assert_eq!(
            reply.text,
            Some(text),
            "the text is kept unchanged, even if it is empty"
        );
        assert_eq!(
            reply.tool_calls, calls,
            "all calls are kept, in order, whatever the stop reason"
        );
        assert_eq!(
            reply.usage.as_ref(),
            Some(&usage),
            "the usage is kept, even if it counts nothing"
        );
        assert_eq!(
            reply.stop_reason, stop_reason,
            "the stop reason is kept unchanged"
        );
    }
}

#[test]
fn test_ch1_assistant_message_keeps_none() {
    let make = |calls| match Message::assistant(None, calls, StopReason::Stop, None) {
        Message::Assistant(reply) => reply,
        _ => panic!("Message::assistant should make a Message::Assistant"),
    };
    let call = ToolCall {
        id: "call_1".to_string(),
        name: "read".to_string(),
        arguments: json!({ "path": "src/lib.rs" }),
    };
    let (first, second) = (make(Vec::new()), make(vec![call]));
    for reply in [&first, &second] {
        assert_eq!(reply.text, None, "no text is None, not an empty string");
        assert_eq!(reply.usage, None, "unknown usage is None");
    }
    assert_ne!(first.id, second.id, "each reply has its own id");
    assert_ne!(second.id, "call_1", "a reply's id is not that of a call");
}

#[test]
fn test_ch1_stop_reason_equality() {
    for (given, other, name) in [
        (StopReason::Stop, StopReason::ToolUse, "Stop"),
        (StopReason::ToolUse, StopReason::Stop, "ToolUse"),
    ] {
        let message = Message::assistant(None, Vec::new(), given.clone(), None);
        let Message::Assistant(reply) = &message else {
            panic!("Message::assistant should make a Message::Assistant");
        };
        assert_eq!(
            reply.stop_reason, given,
            "the stop reason is kept unchanged"
        );
        assert_ne!(reply.stop_reason, other);
        assert_eq!(to_json(&message)["stop_reason"], name);
    }
}
