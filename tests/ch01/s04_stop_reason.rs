//! Section 1.4: StopReason

use claw_code::types::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch1_create_assistant_message() {
    let usage: TokenUsage = from_json(json!({
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
        "the reply has tool calls, and was given none"
    );
    assert_eq!(
        reply.usage,
        Some(usage),
        "the usage is kept as it was given"
    );
    assert_is_new_id(&reply.id);

    let silent = Message::assistant(None, Vec::new(), StopReason::Stop, None);
    let Message::Assistant(silent) = silent else {
        panic!("Message::assistant should make a Message::Assistant");
    };
    assert_eq!(
        silent.text, None,
        "no text stays None: it is not an empty string"
    );
    assert_eq!(silent.usage, None, "unknown usage stays None");
    assert_ne!(silent.id, reply.id, "every reply has an id of its own");
}

#[test]
fn test_ch1_stop_reason_equality() {
    for (given, other, word) in [
        (StopReason::Stop, StopReason::ToolUse, "Stop"),
        (StopReason::ToolUse, StopReason::Stop, "ToolUse"),
    ] {
        let message = Message::assistant(None, Vec::new(), given.clone(), None);
        let Message::Assistant(reply) = &message else {
            panic!("Message::assistant should make a Message::Assistant");
        };
        assert_eq!(
            reply.stop_reason, given,
            "the reply keeps the stop reason it was given"
        );
        assert_ne!(reply.stop_reason, other);
        assert_eq!(to_json(&message)["stop_reason"], word);
    }
}
