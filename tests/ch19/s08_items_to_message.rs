//! Section 19.8: From items to a message

use claw_code::chat::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch19_arguments_text_stays_as_written() {
    let messages = messages(json!([call_item("call_1", "{\"b\": 1,  \"a\": 2}")]));
    let calls = messages.iter().map(|message| &message.tool_calls);
    assert_json(
        "the arguments text stays in `tool_calls` as the model wrote it",
        &to_json(&calls.collect::<Vec<_>>()),
        &json!([[call("call_1", "{\"b\": 1,  \"a\": 2}")]]),
    );
}

#[test]
fn test_ch19_response_becomes_one_message() {
    let arguments = "{\"b\": 1,  \"a\": 2}";
    assert_message(
        "thinking, text and calls of one response become one message",
        json!([
            { "type": "reasoning", "id": "rs_1", "encrypted_content": "ENC",
              "summary": [summary("one"), summary("two")] },
            { "type": "message", "id": "msg_1", "role": "assistant", "status": "in_progress",
              "content": [output_text("Let me look.")] },
            { "type": "function_call", "call_id": "call_1", "name": "bash",
              "arguments": arguments, "status": "completed" },
        ]),
        json!([{
            "role": "assistant", "id": "msg_1", "status": "completed",
            "content": "Let me look.", "reasoning": "one\ntwo",
            "tool_calls": [call("call_1", arguments)],
            "raw_content_blocks": [
                thought("one", json!({ "id": "rs_1" })),
                thought("two", json!({ "id": "rs_1", "encrypted_content": "ENC" })),
                text("Let me look."),
                tool_use(json!({ "a": 2, "b": 1 })),
            ],
        }]),
    );
}

#[test]
fn test_ch19_message_keeps_the_order_of_its_items() {
    let reasoning = json!({ "type": "reasoning", "id": "rs_1", "encrypted_content": "ENC", "summary": [summary("t")] });
    assert_message(
        "text, a call, thinking and more text stay in this order",
        json!([
            message_item("msg_1", json!([output_text("a")])),
            call_item("call_1", "{}"),
            reasoning,
            message_item("msg_2", json!([output_text("b")])),
        ]),
        json!([{
            "role": "assistant", "id": "msg_1", "content": "a\nb", "reasoning": "t",
            "tool_calls": [call("call_1", "{}")],
            "raw_content_blocks": [
                text("a"), tool_use(json!({})),
                thought("t", json!({ "id": "rs_1", "encrypted_content": "ENC" })), text("b") ],
        }]),
    );
}

#[test]
fn test_ch19_visible_reasoning_follows_its_summary() {
    assert_message(
        "visible reasoning follows its summary",
        json!([{ "type": "reasoning", "id": "rs_1", "encrypted_content": "ENC",
                 "summary": [summary("one")],
                 "content": [{ "type": "reasoning_text", "text": "two" }] }]),
        json!([{
            "role": "assistant", "reasoning": "one\ntwo",
            "raw_content_blocks": [
                thought("one", json!({ "id": "rs_1" })),
                thought("two", json!({ "id": "rs_1", "encrypted_content": "ENC" })),
            ],
        }]),
    );
}

#[test]
fn test_ch19_last_status_counts() {
    for (first, last) in [
        (json!("completed"), json!("incomplete")),
        (json!("incomplete"), Value::Null),
    ] {
        assert_message(
            "the last status counts, and an item without one keeps it",
            json!([said(first), said(last)]),
            json!([{ "role": "assistant", "id": "msg_1", "status": "incomplete", "content": "a\na",
                     "raw_content_blocks": [text("a"), text("a")] }]),
        );
    }
}

#[test]
fn test_ch19_status_of_calls_counts() {
    let called = |id: &str, status: Value| {
        let mut item = call_item(id, "{}");
        item["status"] = status;
        item
    };
    let incomplete = called("call_1", json!("incomplete"));
    assert_message(
        "the status of calls counts too",
        json!([
            said(json!("completed")),
            incomplete,
            called("call_2", Value::Null)
        ]),
        json!([{ "role": "assistant", "id": "msg_1", "status": "incomplete", "content": "a",
                 "tool_calls": [call("call_1", "{}"), call("call_2", "{}")] }]),
    );
    assert_message(
        "the last status counts, also that of a message after a call",
        json!([
            called("call_1", json!("completed")),
            said(json!("incomplete"))
        ]),
        json!([{ "role": "assistant", "id": "msg_1", "status": "incomplete", "content": "a",
                 "tool_calls": [call("call_1", "{}")],
                 "raw_content_blocks": [tool_use(json!({})), text("a")] }]),
    );
}

#[test]
fn test_ch19_skipped_items_are_no_message() {
    assert_message("no items give no message", json!([]), json!([]));
    assert_message(
        "a skipped item gives no message",
        json!([{ "type": "web_search_call", "id": "ws_1" }]),
        json!([]),
    );
    assert_message(
        "but a message item without content gives a message with its id",
        json!([message_item("msg_1", json!([]))]),
        json!([{ "role": "assistant", "id": "msg_1" }]),
    );
}

#[test]
fn test_ch19_texts_are_joined_with_a_newline() {
    assert_message(
        "texts are joined with a newline, and the first id counts",
        json!([
            message_item("msg_1", json!([output_text("a"), output_text("b")])),
            message_item("msg_2", json!([output_text("c")])),
        ]),
        json!([{ "role": "assistant", "id": "msg_1", "content": "a\nb\nc",
                 "raw_content_blocks": [text("a"), text("b"), text("c")] }]),
    );
}

#[test]
fn test_ch19_refusal_becomes_a_marked_text() {
    let refusal = json!([{ "type": "refusal", "refusal": "I can't." }]);
    assert_message(
        "a refusal becomes a text with a mark",
        json!([message_item("msg_1", refusal)]),
        json!([{ "role": "assistant", "id": "msg_1", "content": "[refusal] I can't." }]),
    );
}

#[test]
fn test_ch19_calls_without_text_become_one_message() {
    assert_message(
        "calls without text become one message; incomplete arguments stay unchanged",
        json!([
            { "type": "function_call", "call_id": "call_1", "name": "bash", "arguments": "{\"comm", "status": "incomplete" },
            call_item("call_2", ""),
        ]),
        json!([{ "role": "assistant", "status": "incomplete",
                 "tool_calls": [call("call_1", "{\"comm"), call("call_2", "")] }]),
    );
}

#[test]
fn test_ch19_known_items_are_read() {
    assert_message(
        "items of known types are read, and the others are skipped",
        json!([
            { "type": "web_search_call", "id": "ws_1" },
            message_item("msg_1", json!([output_text("Hi.")])),
            { "type": "image_generation_call", "id": "ig_1" },
        ]),
        json!([{ "role": "assistant", "id": "msg_1", "content": "Hi." }]),
    );
}

#[test]
fn test_ch19_known_parts_of_an_item_are_read() {
    let audio = json!({ "type": "output_audio", "data": "UklG" });
    assert_message(
        "the known parts of an item are read",
        json!([
            { "type": "reasoning", "id": "rs_1", "encrypted_content": "ENC",
              "summary": [summary("one"), { "type": "summary_audio", "data": "UklG" }],
              "content": [{ "type": "reasoning_video", "data": "AAAA" }] },
            message_item("msg_1", json!([output_text("Hi."), audio])),
        ]),
        json!([{
            "role": "assistant", "id": "msg_1", "content": "Hi.", "reasoning": "one",
            "raw_content_blocks": [
                thought("one", json!({ "id": "rs_1", "encrypted_content": "ENC" })), text("Hi.") ],
        }]),
    );
}

#[test]
fn test_ch19_reasoning_without_known_parts_keeps_its_data() {
    let hidden = thought("", json!({ "id": "rs_1", "encrypted_content": "ENC" }));
    assert_message(
        "reasoning without known parts keeps its id and encrypted content",
        json!([{ "type": "reasoning", "id": "rs_1", "encrypted_content": "ENC",
                 "summary": [{ "type": "summary_audio", "data": "UklG" }] }]),
        json!([{ "role": "assistant", "raw_content_blocks": [hidden] }]),
    );
}

#[test]
fn test_ch19_reasoning_without_summary_loads() {
    assert_message(
        "a reasoning item may lack `summary`",
        json!([
            { "type": "reasoning", "id": "rs_1", "encrypted_content": "ENC" },
            { "type": "reasoning", "id": "rs_2", "content": [{ "type": "reasoning_text", "text": "t" }] },
        ]),
        json!([{ "role": "assistant", "reasoning": "t", "raw_content_blocks": [
            thought("", json!({ "id": "rs_1", "encrypted_content": "ENC" })),
            thought("t", json!({ "id": "rs_2" })),
        ] }]),
    );
}

#[test]
fn test_ch19_last_block_of_an_item_has_its_signature() {
    assert_message(
        "the last block of an item carries its signature",
        signed_items(),
        json!([{ "role": "assistant", "reasoning": "one\ntwo", "raw_content_blocks": [
            thought("one", json!({ "id": "rs_1" })),
            thought("two", json!({ "id": "rs_1", "signature": "c2ln+/==" })),
            thought("", json!({ "id": "rs_2", "signature": "c2ln", "encrypted_content": "ENC" })),
        ] }]),
    );
}

#[test]
fn test_ch19_signed_thinking_round_trips() {
    let again = messages(signed_items())[0]
        .to_input_items()
        .expect("a good message");
    assert_json(
        "the next request sends the same items",
        &to_json(&again),
        &signed_items(),
    );
}

fn signed_items() -> Value {
    json!([
        { "type": "reasoning", "id": "rs_1", "signature": "c2ln+/==",
          "summary": [summary("one"), summary("two")] },
        { "type": "reasoning", "id": "rs_2", "signature": "c2ln", "encrypted_content": "ENC",
          "summary": [] },
    ])
}

fn message_item(id: &str, content: Value) -> Value {
    json!({ "type": "message", "id": id, "role": "assistant", "content": content })
}

/// A message item with the text `a` and this status.
fn said(status: Value) -> Value {
    let mut item = message_item("msg_1", json!([output_text("a")]));
    item["status"] = status;
    item
}

/// The messages of these items, after a check that no items give no message.
#[track_caller]
fn messages(items: Value) -> Vec<ChatMessage> {
    let none = ChatMessage::from_output_items(&[]);
    assert!(none.is_empty(), "no items give no message: {none:?}");
    ChatMessage::from_output_items(&from_json::<Vec<OutputItem>>(items))
}

#[track_caller]
fn assert_message(why: &str, items: Value, expected: Value) {
    assert_json(why, &to_json(&messages(items)), &expected);
}
