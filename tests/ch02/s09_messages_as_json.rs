//! Section 2.9: Messages as JSON

use claw_code::provider::*;
use claw_code::types::*;
use serde_json::{Value, json};

use super::support::*;
use crate::support::assert_json;

#[test]
fn test_ch2_request_sends_every_kind_of_message() {
    let mut calling = reply("Let me look.");
    calling.tool_calls = vec![
        tool_call("call_1", "read", json!({ "path": "a \"b\"" })),
        tool_call("call_2", "pwd", json!({})),
    ];
    let system = json!({
        "type": "System", "id": "m0", "content": "Be brief.", "tag": "compact_boundary"
    });
    let truncated = json!({
        "type": "ToolResult", "id": "m3", "tool_use_id": "call_2", "content": "/work", "is_truncated": true
    });
    for (message, expected) in [
        (
            from_json(&system),
            json!({ "role": "system", "content": "Be brief." }),
        ),
        (
            user("What is in src?"),
            json!({ "role": "user", "content": "What is in src?" }),
        ),
        (user(""), json!({ "role": "user", "content": "" })),
        (
            Message::Assistant(calling),
            json!({
                "role": "assistant",
                "content": "Let me look.",
                "tool_calls": [
                    { "id": "call_1", "type": "function",
                      "function": { "name": "read", "arguments": "{\"path\":\"a \\\"b\\\"\"}" } },
                    { "id": "call_2", "type": "function",
                      "function": { "name": "pwd", "arguments": "{}" } },
                ],
            }),
        ),
        (
            tool_result("call_1", "error: no such file"),
            json!({ "role": "tool", "tool_call_id": "call_1", "content": "error: no such file" }),
        ),
        (
            from_json(&truncated),
            json!({ "role": "tool", "tool_call_id": "call_2", "content": "/work" }),
        ),
        (
            Message::Assistant(reply("There.")),
            json!({ "role": "assistant", "content": "There." }),
        ),
    ] {
        assert_message("the message in the API's JSON", message, &expected);
    }
}

#[test]
fn test_ch2_request_sends_assistant_without_text() {
    let mut message = reply("");
    message.text = None;
    assert_message(
        "without text and without calls, the content is an empty string",
        Message::Assistant(message.clone()),
        &json!({ "role": "assistant", "content": "" }),
    );
    message.tool_calls = vec![tool_call("call_1", "pwd", json!({}))];
    assert_message(
        "without text and with calls, the content is null",
        Message::Assistant(message),
        &json!({
            "role": "assistant",
            "content": null,
            "tool_calls": [{ "id": "call_1", "type": "function",
                "function": { "name": "pwd", "arguments": "{}" } }],
        }),
    );
}

#[test]
fn test_ch2_request_arguments_are_always_json() {
    for arguments in [
        json!({}),
        json!("{\"command\": \"ls"),
        json!([1]),
        Value::Null,
        json!("{\"path\": \"a\"}"),
    ] {
        let mut calling = reply("");
        calling.tool_calls = vec![tool_call("call_1", "bash", arguments.clone())];
        let message = wire_message(&Message::Assistant(calling)).expect("a reply is sent");
        let sent = &message["tool_calls"][0]["function"]["arguments"];
        let sent = sent.as_str().unwrap_or_else(|| {
            panic!("the arguments should be a string that contains JSON: {sent}")
        });
        let parsed: Value = serde_json::from_str(sent).unwrap_or_else(|error| {
            panic!("a server that parses the arguments would refuse `{sent}`: {error}")
        });
        assert_eq!(
            parsed, arguments,
            "the string contains the call's arguments"
        );
    }
}

#[test]
fn test_ch2_attachment_names_its_path() {
    let attachment = json!({
        "type": "Attachment", "id": "m1", "path": "docs/CLAUDE.md",
        "content": "Run cargo fmt.\n", "content_type": "instructions"
    });
    assert_message(
        "an attachment becomes a user message that names its path",
        from_json(&attachment),
        &json!({ "role": "user", "content": "Attached: docs/CLAUDE.md\n\nRun cargo fmt.\n" }),
    );
}

#[test]
fn test_ch2_failed_result_is_sent_unchanged() {
    let result = json!({
        "type": "ToolResult", "id": "m3", "tool_use_id": "call_1",
        "content": "error: no such file", "is_error": true
    });
    assert_message(
        "the content of a failed call begins with `error: ` already, and goes out as it is",
        from_json(&result),
        &json!({ "role": "tool", "tool_call_id": "call_1", "content": "error: no such file" }),
    );
}

#[test]
fn test_ch2_progress_is_not_sent() {
    let progress = json!({ "type": "Progress", "tool_use_id": "call_1", "data": "50 %" });
    assert_eq!(
        wire_message(&from_json(&progress)),
        None,
        "progress is for the screen, not for the model"
    );
}

/// Checks the API's JSON of a message.
#[track_caller]
fn assert_message(rule: &str, message: Message, expected: &Value) {
    let sent = wire_message(&message);
    assert_json(rule, &sent.expect("this message is sent"), expected);
}
