//! Section 1.5: ToolCall

use claw_code::types::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch1_create_tool_result() {
    let message = Message::tool_result("call_1", "main.rs");
    let Message::ToolResult(result) = &message else {
        panic!("Message::tool_result should make a Message::ToolResult");
    };
    assert_eq!(result.tool_use_id, "call_1", "the result names its call");
    assert_eq!(result.content, "main.rs");
    assert_is_new_id(&result.id);
    assert_eq!(
        to_json(&message)["is_truncated"],
        json!(false),
        "the result is complete"
    );
    assert!(!result.is_error, "the result is a success");
    let warnings = to_json(&Message::tool_result("call_2", "error: 3 warnings"));
    assert_eq!(
        warnings.get("is_error"),
        None,
        "the result is a success even if its text begins with `error: `, so its JSON has no `is_error`"
    );
    assert_eq!(
        warnings["content"], "error: 3 warnings",
        "the content is kept unchanged"
    );
}

#[test]
fn test_ch1_tool_result_message_keeps_its_content() {
    for content in [long_text(), String::new()] {
        let message = Message::tool_result(String::from(" call 2 "), content.clone());
        let message = to_json(&message);
        assert_eq!(
            message["tool_use_id"], " call 2 ",
            "the id is kept unchanged, since it must equal that of the call"
        );
        assert_eq!(
            message["content"], content,
            "the content is kept unchanged, including white space, even if it is empty"
        );
        assert_eq!(
            message["is_truncated"], false,
            "the result is complete, however long it is"
        );
    }
}

#[test]
fn test_ch1_assistant_with_tool_calls() {
    let results = two_calls().iter().map(result_of).collect::<Vec<_>>();
    let message = Message::assistant(None, two_calls(), StopReason::ToolUse, None);
    let Message::Assistant(reply) = &message else {
        panic!("Message::assistant should make a Message::Assistant");
    };
    assert_eq!(
        reply.tool_calls,
        two_calls(),
        "the calls are kept unchanged and in order"
    );
    assert_eq!(reply.stop_reason, StopReason::ToolUse);
    for (call, result) in reply.tool_calls.iter().zip(&results) {
        assert_eq!(result.tool_use_id, call.id, "the result names its call");
    }
    assert_eq!(
        to_json(&message)["tool_calls"],
        json!([
            { "id": "call_1", "name": "read", "arguments": { "path": "src/lib.rs" } },
            { "id": "call_2", "name": "bash", "arguments": { "command": "cargo test" } }
        ])
    );
}

#[test]
fn test_ch1_each_tool_result_has_its_own_id() {
    let results = two_calls().iter().map(result_of).collect::<Vec<_>>();
    assert_eq!(results[0].content, "read ran");
    assert_eq!(results[1].content, "bash ran");
    assert_ne!(results[0].id, results[1].id, "each result has its own id");
}

fn result_of(call: &ToolCall) -> ToolResultMessage {
    match Message::tool_result(&call.id, format!("{} ran", call.name)) {
        Message::ToolResult(result) => result,
        _ => panic!("Message::tool_result should make a Message::ToolResult"),
    }
}

fn two_calls() -> Vec<ToolCall> {
    let call = |id: &str, name: &str, arguments: Value| ToolCall {
        id: id.to_string(),
        name: name.to_string(),
        arguments,
    };
    vec![
        call("call_1", "read", json!({ "path": "src/lib.rs" })),
        call("call_2", "bash", json!({ "command": "cargo test" })),
    ]
}
