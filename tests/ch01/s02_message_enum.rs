//! Section 1.2: The Message enum

use claw_code::types::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch1_system_message_json() {
    let _ = |it: SystemMessage| SystemMessage { ..it }; // each field has to be `pub`
    assert_round_trip(json!({
        "type": "System", "id": "m1", "content": "Be brief.", "tag": "compact_boundary"
    }));
    assert_round_trip(json!({
        "type": "System", "id": "m1", "content": "Be brief.", "tag": null
    }));
    let tagged = json!({ "type": "System", "id": "m1", "content": "c", "tag": "t" });
    assert_debug(&tagged, &["System(SystemMessage {", r#"tag: Some("t")"#]);
}

#[test]
fn test_ch1_user_message_json() {
    assert_round_trip(json!({ "type": "User", "id": "m2", "content": "What is in src?" }));
}

#[test]
fn test_ch1_assistant_message_json() {
    assert_round_trip(json!({
        "type": "Assistant", "id": "m3", "text": "Let me look.",
        "tool_calls": [{ "id": "call_1", "name": "bash", "arguments": { "command": "ls src" } }],
        "stop_reason": "ToolUse", "usage": null
    }));
    assert_round_trip(json!({
        "type": "Assistant", "id": "m3", "text": null,
        "tool_calls": [], "stop_reason": "Stop", "usage": null
    }));
}

#[test]
fn test_ch1_tool_result_message_json() {
    let _ = |it: ToolResultMessage| ToolResultMessage { ..it }; // each field has to be `pub`
    for is_truncated in [true, false] {
        assert_round_trip(json!({
            "type": "ToolResult", "id": "m4", "tool_use_id": "call_1",
            "content": "main.rs", "is_truncated": is_truncated
        }));
    }
    assert_round_trip(json!({
        "type": "ToolResult", "id": "m4", "tool_use_id": "call_1",
        "content": "error: no such file", "is_truncated": false, "is_error": true
    }));
}

#[test]
fn test_ch1_attachment_message_json() {
    let attachment = json!({
        "type": "Attachment", "id": "m5", "path": "CLAUDE.md",
        "content": "Run cargo fmt.", "content_type": "instructions"
    });
    assert_round_trip(attachment.clone());
    assert_debug(
        &attachment,
        &[
            "Attachment(AttachmentMessage {",
            r#"id: "m5""#,
            r#"path: "CLAUDE.md""#,
            r#"content: "Run cargo fmt.""#,
            r#"content_type: "instructions""#,
        ],
    );
}

#[test]
fn test_ch1_progress_message_json() {
    for data in [
        json!({ "line": "ok", "n": 3 }),
        json!("halfway"),
        json!(0.5),
    ] {
        assert_round_trip(json!({ "type": "Progress", "tool_use_id": "call_1", "data": data }));
    }
    assert_debug(
        &json!({ "type": "Progress", "tool_use_id": "call_1", "data": {} }),
        &["Progress(ProgressMessage {", r#"tool_use_id: "call_1""#],
    );
}

/// Checks the names and types that JSON does not show, by the derived `Debug` of a message.
#[track_caller]
fn assert_debug(json: &Value, parts: &[&str]) {
    let text = format!("{:?}", from_json::<Message>(json));
    for part in parts {
        assert!(
            text.contains(part),
            "the struct and its fields have the names and types of the page, so the message's `Debug` contains {part}\n      got: {text}"
        );
    }
}

#[test]
fn test_ch1_old_messages_still_load() {
    assert_loads_as(
        json!({ "type": "System", "id": "m1", "content": "Be brief." }),
        json!({ "type": "System", "id": "m1", "content": "Be brief.", "tag": null }),
    );
    assert_loads_as(
        json!({ "type": "ToolResult", "id": "m4", "tool_use_id": "call_1", "content": "main.rs" }),
        json!({
            "type": "ToolResult", "id": "m4", "tool_use_id": "call_1",
            "content": "main.rs", "is_truncated": false
        }),
    );
    let old = from_json::<Message>(&json!({
        "type": "ToolResult", "id": "m4", "tool_use_id": "call_1", "content": "error: 3 warnings"
    }));
    assert!(
        matches!(old, Message::ToolResult(result) if !result.is_error),
        "an old result without `is_error` loads as a success, even if its content begins with the prefix"
    );
    let null = json!({
        "type": "ToolResult", "id": "m4", "tool_use_id": "t", "content": "c", "is_truncated": null
    });
    assert!(
        serde_json::from_value::<Message>(null).is_err(),
        "`null` is not a bool: an `is_truncated` that is null is an error, and only an absent one is false"
    );
    assert_loads_as(
        json!({ "type": "Assistant", "id": "m3", "tool_calls": [], "stop_reason": "Stop" }),
        json!({
            "type": "Assistant", "id": "m3", "text": null,
            "tool_calls": [], "stop_reason": "Stop", "usage": null
        }),
    );
}

#[test]
fn test_ch1_unknown_fields_are_ignored() {
    for known in [
        json!({ "type": "System", "id": "m1", "content": "c", "tag": null }),
        json!({ "type": "User", "id": "m2", "content": "c" }),
        json!({
            "type": "Assistant", "id": "m3", "text": null,
            "tool_calls": [], "stop_reason": "Stop", "usage": null
        }),
        json!({
            "type": "ToolResult", "id": "m4", "tool_use_id": "t",
            "content": "c", "is_truncated": false
        }),
        json!({
            "type": "Attachment", "id": "m5", "path": "p",
            "content": "c", "content_type": "file"
        }),
        json!({ "type": "Progress", "tool_use_id": "t", "data": {} }),
    ] {
        let mut newer = known.clone();
        newer["added_next_year"] = json!(true);
        assert_loads_as(newer, known);
    }
}

#[test]
fn test_ch1_missing_field_is_an_error() {
    for complete in [
        json!({ "type": "System", "id": "m1", "content": "c" }),
        json!({ "type": "User", "id": "m2", "content": "c" }),
        json!({ "type": "Assistant", "id": "m3", "tool_calls": [], "stop_reason": "Stop" }),
        json!({ "type": "ToolResult", "id": "m4", "tool_use_id": "t", "content": "c" }),
        json!({ "type": "Attachment", "id": "m5", "path": "p", "content": "c", "content_type": "file" }),
        json!({ "type": "Progress", "tool_use_id": "t", "data": {} }),
    ] {
        from_json::<Message>(&complete);
        for field in complete.as_object().expect("an object").keys() {
            let mut incomplete = complete.clone();
            incomplete.as_object_mut().expect("an object").remove(field);
            match serde_json::from_value::<Message>(incomplete.clone()) {
                Ok(_) => panic!(
                    "`{field}` is required, but this message without it was accepted: {incomplete}"
                ),
                Err(error) => assert!(
                    error.to_string().contains(field),
                    "the error for a message without `{field}` should name the field; it reads: {error}"
                ),
            }
        }
    }
}

#[test]
fn test_ch1_unknown_message_type_is_an_error() {
    let mut message = json!({ "type": "User", "id": "m1", "content": "c" });
    from_json::<Message>(&message);
    message["type"] = json!("Shout");
    assert!(
        serde_json::from_value::<Message>(message).is_err(),
        "a message of the unknown type \"Shout\" was accepted"
    );
}
