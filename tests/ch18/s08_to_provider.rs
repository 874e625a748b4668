//! Section 18.8: From chat to unified messages

use claw_code::chat::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch18_tool_message_becomes_one_result() {
    assert_result(
        "without metadata, a result has no error flag, whatever its content and status",
        json!({ "role": "tool", "tool_call_id": "call_1", "content": "error: none", "status": "failed" }),
        result("call_1", json!("error: none")),
    );
    assert_result(
        "a tool message without content is a result too",
        json!({ "role": "tool", "tool_call_id": "call_1" }),
        result("call_1", json!("")),
    );
    assert_result(
        "only an empty id is no id",
        json!({ "role": "tool", "tool_call_id": " ", "content": "ok" }),
        result(" ", json!("ok")),
    );
    assert_result(
        "if the list of raw blocks is empty, the message's text is the result's content",
        json!({ "role": "tool", "tool_call_id": "call_1", "content": "main.rs", "raw_content_blocks": [] }),
        result("call_1", json!("main.rs")),
    );
}

#[test]
fn test_ch18_failed_run_sets_is_error() {
    let metadata = |success| json!({ "success": success, "duration_ms": 1.5, "tool_name": "bash", "arguments": "{}" });
    assert_result(
        "a failed run sets `is_error`",
        json!({ "role": "tool", "tool_call_id": "call_1", "content": "no", "tool_metadata": metadata(false) }),
        json!({ "type": "tool_result", "tool_use_id": "call_1", "content": "no", "is_error": true }),
    );
    assert_result(
        "a failed run sets `is_error`, also if its content is raw blocks",
        json!({ "role": "tool", "tool_call_id": "call_1", "raw_content_blocks": [image()], "tool_metadata": metadata(false) }),
        json!({ "type": "tool_result", "tool_use_id": "call_1", "content": [image()], "is_error": true }),
    );
    assert_result(
        "a successful run needs no flag",
        json!({ "role": "tool", "tool_call_id": "call_1", "content": "ok", "tool_metadata": metadata(true) }),
        result("call_1", json!("ok")),
    );
}

#[test]
fn test_ch18_raw_blocks_go_inside_the_result() {
    for blocks in [json!([text("A picture"), image()]), json!([text("A file")])] {
        assert_result(
            "raw blocks of the result's content go inside the result",
            json!({ "role": "tool", "tool_call_id": "call_1", "content": "A picture", "raw_content_blocks": blocks }),
            result("call_1", blocks),
        );
    }
}

#[test]
fn test_ch18_adjacent_results_share_a_message() {
    assert_unified(
        "the results of one reply form one user message, in order",
        json!([
            { "role": "assistant", "tool_calls": [bash_call(), call("call_2", "bash", "{}")] },
            { "role": "tool", "tool_call_id": "call_1", "content": "one" },
            { "role": "tool", "tool_call_id": "call_2", "content": "two" },
            { "role": "user", "content": "Go on." },
            { "role": "tool", "tool_call_id": "call_3", "content": "three" },
            { "role": "user", "raw_content_blocks": [result("call_4", json!("four"))] },
            { "role": "tool", "tool_call_id": "call_5", "content": "five" }
        ]),
        json!([
            { "role": "assistant", "content": [tool_use("call_1", json!({ "command": "ls" })), tool_use("call_2", json!({}))] },
            { "role": "user", "content": [result("call_1", json!("one")), result("call_2", json!("two"))] },
            { "role": "user", "content": [text("Go on.")] },
            { "role": "user", "content": [result("call_3", json!("three"))] },
            { "role": "user", "content": [result("call_4", json!("four"))] },
            { "role": "user", "content": [result("call_5", json!("five"))] }
        ]),
    );
}

#[test]
fn test_ch18_any_number_of_results_share_a_message() {
    let picture =
        json!({ "role": "tool", "tool_call_id": "call_2", "raw_content_blocks": [image()] });
    let whole = json!({ "role": "tool", "raw_content_blocks": [result("call_3", json!("three"))] });
    assert_unified(
        "the results of one reply form one message, whatever form they have",
        json!([
            { "role": "tool", "tool_call_id": "call_1", "content": "one" },
            picture,
            whole,
            { "role": "tool", "tool_call_id": "call_4", "content": "four" }
        ]),
        json!([{ "role": "user", "content": [
            result("call_1", json!("one")),
            result("call_2", json!([image()])),
            result("call_3", json!("three")),
            result("call_4", json!("four"))
        ] }]),
    );
}

#[test]
fn test_ch18_message_between_two_results_separates_them() {
    for role in ["system", "developer", "user", "assistant"] {
        let made = unified(json!([
            { "role": "tool", "tool_call_id": "call_1", "content": "one" },
            { "role": role, "content": "a" },
            { "role": "tool", "tool_call_id": "call_2", "content": "two" }
        ]));
        assert_eq!(
            made.map(|made| made.len()).ok(),
            Some(3),
            "a {role} message between two results separates them"
        );
    }
}

#[test]
fn test_ch18_other_messages_stay_separate() {
    assert_unified(
        "five roles become three, and only results are combined",
        json!([
            { "role": "system", "content": "a" },
            { "role": "developer", "content": "b" },
            { "role": "user", "content": "c" },
            { "role": "user", "content": "d" },
            { "role": "assistant", "content": "e" },
            { "role": "assistant" }
        ]),
        json!([
            { "role": "system", "content": [text("a")] },
            { "role": "system", "content": [text("b")] },
            { "role": "user", "content": [text("c")] },
            { "role": "user", "content": [text("d")] },
            { "role": "assistant", "content": [text("e")] },
            { "role": "assistant", "content": [] }
        ]),
    );
}

#[test]
fn test_ch18_result_without_call_id_is_rejected() {
    for (id, raw) in [
        (json!(null), json!(null)),
        (json!(""), json!(null)),
        (json!(null), json!([image()])),
    ] {
        let error = unified(json!([
            { "role": "user", "content": "a" },
            { "role": "tool", "tool_call_id": "call_1", "content": "b" },
            { "role": "tool", "tool_call_id": "call_2", "content": "b" },
            { "role": "tool", "tool_call_id": id, "content": "c", "name": "bash", "raw_content_blocks": raw }
        ]));
        let Err(error) = error else {
            panic!(
                "a result whose `tool_call_id` is {id} answers no call, but was accepted; its raw blocks: {raw}"
            );
        };
        for part in ["message 3", "tool_call_id"] {
            assert!(
                error.to_string().contains(part),
                "the error should name the field and the message's index, from 0; `{part}` is missing in: {error}"
            );
        }
    }
}

/// Asserts that a tool message becomes this one result.
#[track_caller]
fn assert_result(why: &str, message: Value, result: Value) {
    unified(json!([])).expect("no messages");
    assert_blocks(why, message, json!([result]));
}

#[track_caller]
fn assert_unified(why: &str, chat: Value, expected: Value) {
    match unified(chat) {
        Ok(made) => assert_json(why, &to_json(&made), &expected),
        Err(error) => panic!("{why}\nto_unified() gave an error: {error}"),
    }
}

/// The result of to_unified(), after a check that no messages give no messages.
#[track_caller]
fn unified(chat: Value) -> anyhow::Result<Vec<UnifiedMessage>> {
    assert!(
        to_unified(&[]).is_ok_and(|unified| unified.is_empty()),
        "to_unified() of no messages gives no messages"
    );
    to_unified(&from_json::<Vec<ChatMessage>>(chat))
}
