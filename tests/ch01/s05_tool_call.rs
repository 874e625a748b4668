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
    assert_eq!(
        result.tool_use_id, "call_1",
        "the result names the call it answers"
    );
    assert_eq!(result.content, "main.rs");
    assert_is_new_id(&result.id);
    assert_eq!(
        to_json(&message)["is_truncated"],
        json!(false),
        "a result made this way is whole"
    );
    assert!(!result.is_error, "a result made this way is a success");

    let owned = Message::tool_result(String::from("call_2"), String::from("  lib.rs\n"));
    assert_eq!(to_json(&owned)["tool_use_id"], "call_2");
    assert_eq!(
        to_json(&owned)["content"],
        "  lib.rs\n",
        "the content is kept to the letter, white space included"
    );
}

#[test]
fn test_ch1_assistant_with_tool_calls() {
    let calls = vec![
        tool_call("call_1", "read", json!({ "path": "src/lib.rs" })),
        tool_call("call_2", "bash", json!({ "command": "cargo test" })),
    ];
    let results: Vec<Message> = calls
        .iter()
        .map(|call| Message::tool_result(&call.id, format!("{} ran", call.name)))
        .collect();
    let message = Message::assistant(None, calls.clone(), StopReason::ToolUse, None);

    let Message::Assistant(reply) = &message else {
        panic!("Message::assistant should make a Message::Assistant");
    };
    assert_eq!(
        reply.tool_calls, calls,
        "the calls are kept as they were given, in their order"
    );
    assert_eq!(reply.stop_reason, StopReason::ToolUse);
    for (call, result) in reply.tool_calls.iter().zip(&results) {
        let Message::ToolResult(result) = result else {
            panic!("Message::tool_result should make a Message::ToolResult");
        };
        assert_eq!(
            result.tool_use_id, call.id,
            "result and call go together by the call's id"
        );
        assert_eq!(result.content, format!("{} ran", call.name));
    }
    assert_ne!(
        to_json(&results[0])["id"],
        to_json(&results[1])["id"],
        "every result has an id of its own"
    );
    assert_eq!(
        to_json(&message)["tool_calls"],
        json!([
            { "id": "call_1", "name": "read", "arguments": { "path": "src/lib.rs" } },
            { "id": "call_2", "name": "bash", "arguments": { "command": "cargo test" } }
        ])
    );
}

fn tool_call(id: &str, name: &str, arguments: Value) -> ToolCall {
    ToolCall {
        id: id.to_string(),
        name: name.to_string(),
        arguments,
    }
}
