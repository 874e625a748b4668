//! Chapter 1's messages through the hub

use claw_code::session::convert::{HubMessage, from_types};
use serde_json::{Value, json};

use super::hub_messages::*;
use super::support::*;
use crate::support::from_json;

#[test]
fn system_message_becomes_instructions() {
    let message = json!({ "type": "System", "id": "m1", "content": "Be brief.", "tag": "t" });
    assert_eq!(
        hub_message(&message),
        Some(instructions("Be brief.", 0)),
        "an agent's history has no system messages, so this one becomes instructions"
    );
}

#[test]
fn prompt_becomes_one_text() {
    let message = json!({ "type": "User", "id": "m1", "content": "Hi." });
    assert_eq!(
        hub_message(&message),
        Some(user_message("Hi.", 0)),
        "a prompt becomes one text block; its time is unknown, which is 0"
    );
}

#[test]
fn attachment_becomes_the_text_that_is_sent() {
    let message = json!({ "type": "Attachment", "id": "m1", "path": "CLAUDE.md",
        "content": "Use tabs.", "content_type": "instructions" });
    assert_eq!(
        hub_message(&message),
        Some(user_message("Attached: CLAUDE.md\n\nUse tabs.", 0)),
        "an attachment becomes the text that chapter 2's `wire_message` sends"
    );
}

#[test]
fn progress_has_no_hub_message() {
    let message = json!({ "type": "Progress", "tool_use_id": "t1", "data": "half" });
    assert_eq!(
        hub_message(&message),
        None,
        "progress is not part of a history"
    );
}

#[test]
fn chapter_1_reply_enters_the_hub() {
    let reply = json!({ "type": "Assistant", "id": "m1", "text": "Let me look.",
        "tool_calls": [{ "id": "t1", "name": "bash", "arguments": { "command": "ls" } }],
        "stop_reason": "ToolUse", "usage": { "input_tokens": 3, "output_tokens": 2 } });
    let expected = json!({ "role": "assistant",
        "content": [text_block("Let me look."),
            { "type": "toolCall", "id": "t1", "name": "bash", "arguments": { "command": "ls" } }],
        "stopReason": "toolUse", "model": "", "provider": "", "timestamp": 0,
        "usage": { "input": 3, "output": 2, "total_tokens": 5 } });
    assert_eq!(
        hub_message(&reply),
        Some(agent_message(expected)),
        "a reply becomes what chapter 16's `reply_message` makes of it, with the time 0"
    );
}

#[test]
fn chapter_1_result_enters_the_hub() {
    for (rule, content, is_error, text) in [
        ("a result has no tool's name", "src", false, "src"),
        ("a failure has the bare text", "error: no", true, "no"),
        ("only the flag decides", "error: no", false, "error: no"),
        (
            "one prefix is removed",
            "error: error: no",
            true,
            "error: no",
        ),
        (
            "a failure without the prefix is unchanged",
            "no",
            true,
            "no",
        ),
        ("an empty result has one text block, too", "", false, ""),
    ] {
        let message = json!({ "type": "ToolResult", "id": "m1", "tool_use_id": "t1",
            "content": content, "is_error": is_error });
        let expected = tool_result("t1", "", text, is_error);
        assert_eq!(hub_message(&message), Some(expected), "{rule}: {message}");
    }
}

#[test]
fn instructions_become_system_message() {
    let expected = json!({ "type": "System", "content": "Be brief.", "tag": null });
    assert_eq!(
        as_types(&instructions("Be brief.", 5)),
        Some(expected),
        "instructions become a system message without a tag"
    );
}

#[test]
fn failed_result_becomes_prefix_and_flag() {
    let expected = json!({ "type": "ToolResult", "tool_use_id": "t1",
        "content": "error: no such file", "is_truncated": false, "is_error": true });
    assert_eq!(
        as_types(&tool_result("t1", "bash", "no such file", true)),
        Some(expected),
        "a failed result has the prefix of chapter 1 and the flag"
    );
}

#[test]
fn prompt_without_text_is_kept() {
    for content in [json!([]), json!([text_block("")])] {
        let prompt = agent_message(json!({ "role": "user", "content": content, "timestamp": 5 }));
        assert_eq!(
            as_types(&prompt),
            Some(json!({ "type": "User", "content": "" })),
            "`to_plain` leaves out a prompt without text, but a file should keep it: {content}"
        );
    }
}

#[test]
fn reply_without_text_is_kept() {
    let expected = json!({ "type": "Assistant", "text": null, "tool_calls": [],
        "stop_reason": "Stop", "usage": null });
    let thought = json!({ "type": "thinking", "thinking": "Hm.", "signature": "seal" });
    for content in [json!([]), json!([thought])] {
        assert_eq!(
            as_types(&reply(content.clone(), no_usage())),
            Some(expected.clone()),
            "`to_plain` leaves out a reply without text, but a file should keep it: {content}"
        );
    }
}

#[test]
fn hub_reply_becomes_chapter_1_reply_with_its_usage() {
    let usage = json!({ "input": 3, "output": 2, "reasoning": 1, "cache_read": 7,
        "cache_write": 8, "total_tokens": 20 });
    let expected = json!({ "input_tokens": 3, "output_tokens": 2, "cache_read_tokens": 7,
        "cache_creation_tokens": 8 });
    for (rule, usage, expected) in [
        ("the counts are kept", usage, expected),
        ("no usage if all are 0", no_usage(), Value::Null),
    ] {
        let message = reply(json!([text_block("Hi.")]), usage);
        let converted = as_types(&message).unwrap_or_default();
        assert_eq!(converted["usage"], expected, "{rule}: {message:?}");
        assert_eq!(converted["text"], "Hi.");
    }
    let mut one_count = no_usage();
    one_count["cache_read"] = json!(7);
    let converted = as_types(&reply(json!([]), one_count)).unwrap_or_default();
    assert_eq!(
        converted["usage"]["cache_read_tokens"], 7,
        "one count that is not 0 is a usage: {converted}"
    );
}

#[test]
fn extension_has_no_chapter_1_message() {
    let extension = json!({ "role": "extension", "kind": "note", "data": 1 });
    assert_eq!(
        as_types(&agent_message(extension)),
        None,
        "chapter 1 has no counterpart of an extension"
    );
}

fn hub_message(message: &Value) -> Option<HubMessage> {
    from_types::to_hub(&from_json(message))
}

/// A reply that stopped, at time 5.
fn reply(content: Value, usage: Value) -> HubMessage {
    agent_message(
        json!({ "role": "assistant", "content": content, "stopReason": "stop",
        "model": "m", "provider": "p", "usage": usage, "timestamp": 5 }),
    )
}

fn no_usage() -> Value {
    json!({ "input": 0, "output": 0 })
}

/// The message of chapter 1, without its id, which is new each time.
fn as_types(message: &HubMessage) -> Option<Value> {
    let mut json = to_json(&from_types::from_hub(message)?);
    let id = json.as_object_mut().and_then(|fields| fields.remove("id"));
    assert!(id.is_some(), "each message of chapter 1 should have an id");
    Some(json)
}
