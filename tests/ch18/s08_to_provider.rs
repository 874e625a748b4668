//! Section 18.8: To a provider

use claw_code::chat::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch18_a_tool_message_is_one_result() {
    assert_nothing_gives_nothing();
    let metadata = |success| json!({ "success": success, "duration_ms": 1.5, "tool_name": "bash", "arguments": "{}" });
    assert_blocks(
        "the content becomes the result's, and nobody said how the run went",
        json!({ "role": "tool", "tool_call_id": "call_1", "content": "ok", "name": "bash" }),
        json!([result("call_1", json!("ok"))]),
    );
    assert_blocks(
        "a tool that said nothing has answered all the same",
        json!({ "role": "tool", "tool_call_id": "call_1" }),
        json!([result("call_1", json!(""))]),
    );
    assert_blocks(
        "a run that failed is marked as an error",
        json!({ "role": "tool", "tool_call_id": "call_1", "content": "no", "tool_metadata": metadata(false) }),
        json!([{ "type": "tool_result", "tool_use_id": "call_1", "content": "no", "is_error": true }]),
    );
    assert_blocks(
        "a run that succeeded needs no mark",
        json!({ "role": "tool", "tool_call_id": "call_1", "content": "ok", "tool_metadata": metadata(true) }),
        json!([result("call_1", json!("ok"))]),
    );
    assert_blocks(
        "raw blocks that are the result's content go inside it",
        json!({ "role": "tool", "tool_call_id": "call_1", "content": "A picture", "raw_content_blocks": [text("A picture"), image()] }),
        json!([result("call_1", json!([text("A picture"), image()]))]),
    );
}

#[test]
fn test_ch18_results_in_a_row_share_a_message() {
    assert_unified(
        "the results of one reply go back together, in their order, as one message of the user's",
        json!([
            { "role": "assistant", "tool_calls": [bash_call(), call("call_2", "bash", "{}")] },
            { "role": "tool", "tool_call_id": "call_1", "content": "one" },
            { "role": "tool", "tool_call_id": "call_2", "content": "two" },
            { "role": "user", "content": "Go on." },
            { "role": "tool", "tool_call_id": "call_3", "content": "three" }
        ]),
        json!([
            { "role": "assistant", "content": [tool_use("call_1", json!({ "command": "ls" })), tool_use("call_2", json!({}))] },
            { "role": "user", "content": [result("call_1", json!("one")), result("call_2", json!("two"))] },
            { "role": "user", "content": [text("Go on.")] },
            { "role": "user", "content": [result("call_3", json!("three"))] }
        ]),
    );
}

#[test]
fn test_ch18_other_messages_stay_apart() {
    assert_unified(
        "of the five roles three are left; only results are put together",
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
fn test_ch18_a_result_without_its_call_is_refused() {
    assert_nothing_gives_nothing();
    for id in [json!(null), json!("")] {
        let messages = json!([
            { "role": "user", "content": "a" },
            { "role": "tool", "tool_call_id": "call_1", "content": "b" },
            { "role": "tool", "tool_call_id": id, "content": "c" }
        ]);
        let Err(error) = to_unified(&from_json::<Vec<ChatMessage>>(messages)) else {
            panic!("a result whose `tool_call_id` is {id} answers no call, but was accepted");
        };
        for words in ["message 2", "tool_call_id"] {
            assert!(
                error.to_string().contains(words),
                "the error should name the field and the message, counted from 0; `{words}` is missing in: {error}"
            );
        }
    }
}

#[track_caller]
fn assert_unified(why: &str, chat: Value, unified: Value) {
    assert_nothing_gives_nothing();
    match to_unified(&from_json::<Vec<ChatMessage>>(chat)) {
        Ok(made) => assert_json(why, &to_json(&made), &unified),
        Err(error) => panic!("{why}\nto_unified() gave an error: {error}"),
    }
}

#[track_caller]
fn assert_nothing_gives_nothing() {
    assert!(
        to_unified(&[]).is_ok_and(|unified| unified.is_empty()),
        "to_unified() of no messages is no messages"
    );
}
