//! Section 19.2: Turns for the Messages API

use claw_code::chat::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch19_instructions_move_to_the_front() {
    assert_messages(
        "instructions move to the front, and everything else keeps its position",
        json!([
            { "role": "system", "content": "Be brief." },
            { "role": "user", "content": "Hi." },
            { "role": "assistant", "content": "Hello." },
            { "role": "developer", "raw_content_blocks": [text("Be kind."), text("Be fast.")] },
            { "role": "user", "content": "So?" },
        ]),
        json!({
            "system": [text("Be brief."), text("Be kind."), text("Be fast.")],
            "messages": [
                { "role": "user", "content": [text("Hi.")] },
                { "role": "assistant", "content": [text("Hello.")] },
                { "role": "user", "content": [text("So?")] },
            ],
        }),
    );
}

#[test]
fn test_ch19_results_of_one_reply_form_one_turn() {
    assert_messages(
        "the results of one reply form one turn, before the text that follows them",
        json!([
            { "role": "assistant", "tool_calls": [call("call_1", "{}"), call("call_2", "{\"a\":1}")] },
            { "role": "tool", "tool_call_id": "call_1", "content": "x" },
            { "role": "tool", "tool_call_id": "call_2", "content": "" },
            { "role": "developer", "content": "Be kind." },
            { "role": "user", "content": "So?" },
        ]),
        json!({ "system": [text("Be kind.")], "messages": [
            { "role": "assistant", "content": [
                { "type": "tool_use", "id": "call_1", "name": "bash", "input": {} },
                { "type": "tool_use", "id": "call_2", "name": "bash", "input": { "a": 1 } } ] },
            { "role": "user", "content": [
                { "type": "tool_result", "tool_use_id": "call_1", "content": "x" },
                { "type": "tool_result", "tool_use_id": "call_2", "content": "" } ] },
            { "role": "user", "content": [text("So?")] },
        ] }),
    );
}

#[test]
fn test_ch19_empty_message_is_no_turn() {
    assert_messages(
        "a message without content is left out, and its neighbors stay two turns",
        json!([
            { "role": "user", "content": "Hi." },
            { "role": "assistant", "content": "" },
            { "role": "user", "content": "So?" },
        ]),
        json!({ "messages": [
            { "role": "user", "content": [text("Hi.")] },
            { "role": "user", "content": [text("So?")] },
        ] }),
    );
}

#[test]
fn test_ch19_results_come_first_in_a_turn() {
    let [x, y] = ["x", "y"].map(|text| tool_result(json!(text)));
    assert_messages(
        "all results come first in a turn, and the other blocks keep their order",
        json!([{ "role": "user", "raw_content_blocks": [text("b"), x, text("c"), y] }]),
        json!({ "messages": [{ "role": "user", "content": [x, y, text("b"), text("c")] }] }),
    );
    assert_messages(
        "only in a user's turn: the blocks of the model's turn keep their order",
        json!([{ "role": "assistant", "raw_content_blocks": [text("b"), x] }]),
        json!({ "messages": [{ "role": "assistant", "content": [text("b"), x] }] }),
    );
}

#[test]
fn test_ch19_message_that_cannot_be_converted_is_an_error() {
    let lost: Vec<ChatMessage> = from_json(json!([{ "role": "tool", "content": "x" }]));
    let error = to_messages(&lost);
    let error = error.expect_err("a result without the id of its call has no place in a turn");
    assert!(
        error.to_string().contains("tool_call_id"),
        "the error is that of `to_unified`: {error}"
    );
    let original = to_unified(&lost).expect_err("the same result");
    assert_eq!(
        error.to_string(),
        original.to_string(),
        "an error of `to_unified` is returned unchanged"
    );
}

#[test]
fn test_ch19_other_blocks_of_a_long_turn_keep_their_order() {
    let result = tool_result(json!("x"));
    let texts: Vec<Value> = (0..40).map(|number| text(&number.to_string())).collect();
    let mixed = texts.iter().flat_map(|text| [text.clone(), result.clone()]);
    let chat = json!([{ "role": "user", "raw_content_blocks": mixed.collect::<Vec<_>>() }]);
    let input = to_messages(&from_json::<Vec<ChatMessage>>(chat)).expect("a good message");
    let turn = to_json(&input.messages[0]);
    let sent = turn["content"].as_array().expect("a list of blocks");
    let sent_texts = sent.iter().filter_map(|block| block["text"].as_str());
    assert_eq!(
        sent_texts.collect::<Vec<_>>().join(" "),
        (0..40)
            .map(|it| it.to_string())
            .collect::<Vec<_>>()
            .join(" "),
        "in a turn of 40 texts and 40 results, the texts keep their order; a sort that is not \
         stable swaps equal elements of a long list"
    );
}

#[test]
fn test_ch19_no_turn_ends_with_thinking() {
    let own = signed("t", "s");
    let wire = json!({ "type": "thinking", "thinking": "t", "signature": "s" });
    assert_messages(
        "no turn ends with thinking, and a turn of thinking alone is left out, since the API rejects both",
        json!([
            { "role": "assistant", "raw_content_blocks": [own, text("a"), own, redacted("DATA"), own] },
            { "role": "user", "content": "b" },
            { "role": "assistant", "raw_content_blocks": [own, own] },
        ]),
        json!({ "messages": [
            { "role": "assistant", "content": [wire, text("a")] },
            { "role": "user", "content": [text("b")] },
        ] }),
    );
}

#[test]
fn test_ch19_messages_lose_what_the_table_lists() {
    let input = to_messages(&full_history()).expect("a good history");
    assert_json(
        "every field of the history survives or is lost as the table says",
        &to_json(&input),
        &json!({
            "system": [text("Be brief."), text("Be kind.")],
            "messages": [
                { "role": "user", "content": [text("Look:"), png()] },
                { "role": "assistant", "content": [
                    { "type": "thinking", "thinking": "theirs", "signature": "c2ln" },
                    { "type": "redacted_thinking", "data": "DATA" },
                    text("Let me look."),
                    tool_use(json!({ "a": 1 })) ] },
                { "role": "user", "content": [
                    { "type": "tool_result", "tool_use_id": "call_1", "content": "no", "is_error": true } ] },
            ],
        }),
    );
}

#[track_caller]
fn assert_messages(why: &str, chat: Value, input: Value) {
    match to_messages(&from_json::<Vec<ChatMessage>>(chat)) {
        Ok(made) => assert_json(why, &to_json(&made), &input),
        Err(error) => panic!("{why}\nto_messages() gave an error: {error}"),
    }
}
