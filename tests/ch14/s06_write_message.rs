//! Section 14.6: Writing a message

use claw_code::agent::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch14_user_message_as_json() {
    assert_json(
        "the JSON of a user message",
        &to_json(&a_user()),
        &user_json(),
    );
}

#[test]
fn test_ch14_assistant_message_as_json() {
    assert_json(
        "the JSON of a reply, without fields that are None",
        &to_json(&an_assistant()),
        &assistant_json(),
    );
    for said in ["", "overloaded"] {
        assert_json(
            "empty values are written, and `error_message` is the one field in snake case",
            &to_json(&failed(StopReason::Error, Some(said))),
            &failed_json(said),
        );
    }
    let mut aborted = failed_json("canceled");
    aborted["stopReason"] = json!("aborted");
    assert_json(
        "`error_message` is written whatever the stop reason is",
        &to_json(&failed(StopReason::Aborted, Some("canceled"))),
        &aborted,
    );
}

#[test]
fn test_ch14_tool_result_as_json() {
    let mut written = tool_result_json();
    assert_json(
        "the JSON of a tool result, without fields that are None",
        &to_json(&a_tool_result()),
        &written,
    );
    written["isError"] = json!(true);
    written["childLoopId"] = json!("s.sub.1");
    assert_json(
        "`childLoopId` is written if there is one",
        &to_json(&a_child_result()),
        &written,
    );
}

#[test]
fn test_ch14_empty_fields_of_a_tool_result_are_written() {
    let result = Message::ToolResult {
        tool_call_id: String::new(),
        tool_name: String::new(),
        content: Vec::new(),
        is_error: false,
        timestamp: 0,
        child_loop_id: Some(String::new()),
    };
    assert_json(
        "only a None is left out",
        &to_json(&result),
        &json!({
            "role": "toolResult", "toolCallId": "", "toolName": "", "content": [],
            "isError": false, "timestamp": 0, "childLoopId": ""
        }),
    );
}

#[test]
fn test_ch14_unknown_blocks_and_fields_are_written() {
    assert_json(
        "known blocks are written",
        &to_json(&a_user())["content"],
        &user_json()["content"],
    );
    let blocks = json!([
        { "type": "video", "url": "v" },
        { "type": "text", "text": "hi", "language": "en" }
    ]);
    for mut message in [a_user(), an_assistant(), a_tool_result()] {
        let (Message::User { content, .. }
        | Message::Assistant { content, .. }
        | Message::ToolResult { content, .. }) = &mut message;
        *content = read(&blocks.to_string());
        assert_json(
            "what a newer program wrote stays in the history, so all of it is written",
            &to_json(&message)["content"],
            &blocks,
        );
    }
}

#[test]
fn test_ch14_role_is_the_first_field() {
    for message in [a_user(), an_assistant(), a_tool_result()] {
        let text = serde_json::to_string(&message).expect("a message can be written");
        let start = format!(r#"{{"role":"{}","#, message.role());
        assert!(
            text.starts_with(&start),
            "the role should be the first field, so that readers know which fields follow: {text}"
        );
        assert_eq!(
            text.matches(r#""role":"#).count(),
            1,
            "`write` writes the role and `serialize` writes no field itself: a second role is a duplicate field: {text}"
        );
    }
}

#[test]
fn test_ch14_fields_are_written_in_the_order_of_the_struct() {
    for (message, order) in [
        (a_user(), "content timestamp"),
        (
            failed(StopReason::Error, Some("overloaded")),
            "content stopReason model provider usage timestamp error_message",
        ),
        (
            a_child_result(),
            "toolCallId toolName content isError timestamp childLoopId",
        ),
    ] {
        let text = serde_json::to_string(&message).expect("a message can be written");
        let why = format!("after the role, the fields should be in the order {order}");
        let order: Vec<&str> = order.split(' ').collect();
        assert_field_order(&why, &text, &order);
    }
}
