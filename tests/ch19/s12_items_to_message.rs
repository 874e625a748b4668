//! Section 19.12: From items to a message

use claw_code::chat::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch19_response_becomes_one_message() {
    let nothing = ChatMessage::from_output_items(&[]);
    assert!(nothing.is_empty(), "nothing is no message: {nothing:?}");
    let called: Vec<OutputItem> = from_json(json!([
        { "type": "function_call", "call_id": "call_1", "name": "bash", "arguments": "{\"b\": 1,  \"a\": 2}" },
    ]));
    let calls: Vec<_> = ChatMessage::from_output_items(&called)
        .into_iter()
        .map(|message| message.tool_calls)
        .collect();
    assert_json(
        "the arguments text stays in `tool_calls` as the model wrote it",
        &to_json(&calls),
        &json!([[call("call_1", "{\"b\": 1,  \"a\": 2}")]]),
    );
    assert_message(
        "thinking, text and calls of one response become one message",
        json!([
            { "type": "reasoning", "id": "rs_1", "encrypted_content": "ENC",
              "summary": [{ "type": "summary_text", "text": "one" }, { "type": "summary_text", "text": "two" }] },
            { "type": "message", "id": "msg_1", "role": "assistant", "status": "in_progress",
              "content": [{ "type": "output_text", "text": "Let me look." }] },
            { "type": "function_call", "call_id": "call_1", "name": "bash",
              "arguments": "{\"b\": 1,  \"a\": 2}", "status": "completed" },
        ]),
        json!([{
            "role": "assistant", "id": "msg_1", "status": "completed",
            "content": "Let me look.", "reasoning": "one\ntwo",
            "tool_calls": [call("call_1", "{\"b\": 1,  \"a\": 2}")],
            "raw_content_blocks": [
                { "type": "thinking", "thinking": "one", "id": "rs_1", "redacted": false },
                { "type": "thinking", "thinking": "two", "id": "rs_1", "encrypted_content": "ENC", "redacted": false },
                text("Let me look."),
                tool_use(json!({ "a": 2, "b": 1 })),
            ],
        }]),
    );
    assert_message(
        "visible reasoning follows its summary",
        json!([{ "type": "reasoning", "id": "rs_1", "encrypted_content": "ENC",
                 "summary": [{ "type": "summary_text", "text": "one" }],
                 "content": [{ "type": "reasoning_text", "text": "two" }] }]),
        json!([{
            "role": "assistant", "reasoning": "one\ntwo",
            "raw_content_blocks": [
                { "type": "thinking", "thinking": "one", "id": "rs_1", "redacted": false },
                { "type": "thinking", "thinking": "two", "id": "rs_1", "encrypted_content": "ENC", "redacted": false },
            ],
        }]),
    );
    let said = |status: Value| {
        json!({ "type": "message", "id": "msg_1", "role": "assistant", "status": status,
                "content": [{ "type": "output_text", "text": "a" }] })
    };
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
    let called = |id: &str, status: Value| json!({ "type": "function_call", "call_id": id, "name": "bash", "arguments": "{}", "status": status });
    assert_message(
        "the status of calls counts too",
        json!([
            said(json!("completed")),
            called("call_1", json!("incomplete")),
            called("call_2", Value::Null)
        ]),
        json!([{ "role": "assistant", "id": "msg_1", "status": "incomplete", "content": "a",
                 "tool_calls": [call("call_1", "{}"), call("call_2", "{}")] }]),
    );
    assert_message("nothing is no message", json!([]), json!([]));
    assert_message(
        "skipped items do not change the status",
        json!([{ "type": "web_search_call", "id": "ws_1" }]),
        json!([]),
    );
}

#[test]
fn test_ch19_texts_are_joined_and_refusals_marked() {
    let message = |id: &str, content: Value| json!({ "type": "message", "id": id, "role": "assistant", "content": content });
    assert_message(
        "texts are joined with a newline, and the first id counts",
        json!([
            message(
                "msg_1",
                json!([{ "type": "output_text", "text": "a" }, { "type": "output_text", "text": "b" }])
            ),
            message("msg_2", json!([{ "type": "output_text", "text": "c" }])),
        ]),
        json!([{ "role": "assistant", "id": "msg_1", "content": "a\nb\nc",
                 "raw_content_blocks": [text("a"), text("b"), text("c")] }]),
    );
    assert_message(
        "a refusal becomes a text with a mark",
        json!([message(
            "msg_1",
            json!([{ "type": "refusal", "refusal": "I can't." }])
        )]),
        json!([{ "role": "assistant", "id": "msg_1", "content": "[refusal] I can't." }]),
    );
}

#[test]
fn test_ch19_calls_without_text_become_one_message() {
    assert_message(
        "calls without text become one message; incomplete arguments stay unchanged",
        json!([
            { "type": "function_call", "call_id": "call_1", "name": "bash", "arguments": "{\"comm", "status": "incomplete" },
            { "type": "function_call", "call_id": "call_2", "name": "bash", "arguments": "" },
        ]),
        json!([{ "role": "assistant", "status": "incomplete",
                 "tool_calls": [call("call_1", "{\"comm"), call("call_2", "")] }]),
    );
}

#[test]
fn test_ch19_known_items_and_parts_are_read() {
    assert_message(
        "items of known types are read beside others",
        json!([
            { "type": "web_search_call", "id": "ws_1" },
            { "type": "message", "id": "msg_1", "role": "assistant", "content": [{ "type": "output_text", "text": "Hi." }] },
            { "type": "image_generation_call", "id": "ig_1" },
        ]),
        json!([{ "role": "assistant", "id": "msg_1", "content": "Hi." }]),
    );
    assert_message(
        "the known parts of an item are read",
        json!([
            { "type": "reasoning", "id": "rs_1", "encrypted_content": "ENC",
              "summary": [{ "type": "summary_text", "text": "one" }, { "type": "summary_audio", "data": "UklG" }],
              "content": [{ "type": "reasoning_video", "data": "AAAA" }] },
            { "type": "message", "id": "msg_1", "role": "assistant", "content": [
                { "type": "output_text", "text": "Hi." }, { "type": "output_audio", "data": "UklG" } ] },
        ]),
        json!([{
            "role": "assistant", "id": "msg_1", "content": "Hi.", "reasoning": "one",
            "raw_content_blocks": [
                { "type": "thinking", "thinking": "one", "id": "rs_1", "encrypted_content": "ENC", "redacted": false },
                text("Hi."),
            ],
        }]),
    );
    assert_message(
        "reasoning without known parts keeps its id and encrypted content",
        json!([{ "type": "reasoning", "id": "rs_1", "encrypted_content": "ENC",
                 "summary": [{ "type": "summary_audio", "data": "UklG" }] }]),
        json!([{ "role": "assistant", "raw_content_blocks": [
            { "type": "thinking", "thinking": "", "id": "rs_1", "encrypted_content": "ENC", "redacted": false } ] }]),
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
            { "type": "thinking", "thinking": "", "id": "rs_1", "encrypted_content": "ENC", "redacted": false },
            { "type": "thinking", "thinking": "t", "id": "rs_2", "redacted": false },
        ] }]),
    );
}

#[test]
fn test_ch19_signed_thinking_round_trips() {
    let nothing = ChatMessage::from_output_items(&[]);
    assert!(nothing.is_empty(), "nothing is no message: {nothing:?}");
    let items = json!([
        { "type": "reasoning", "id": "rs_1", "signature": "c2ln+/==", "summary": [
            { "type": "summary_text", "text": "one" }, { "type": "summary_text", "text": "two" } ] },
        { "type": "reasoning", "id": "rs_2", "signature": "c2ln", "encrypted_content": "ENC", "summary": [] },
    ]);
    let read: Vec<OutputItem> = from_json(items.clone());
    let messages = ChatMessage::from_output_items(&read);
    assert_json(
        "the last block of an item carries its signature",
        &to_json(&messages),
        &json!([{ "role": "assistant", "reasoning": "one\ntwo", "raw_content_blocks": [
            { "type": "thinking", "thinking": "one", "id": "rs_1", "redacted": false },
            { "type": "thinking", "thinking": "two", "id": "rs_1", "signature": "c2ln+/==", "redacted": false },
            { "type": "thinking", "thinking": "", "id": "rs_2", "signature": "c2ln", "encrypted_content": "ENC", "redacted": false },
        ] }]),
    );
    let again = messages[0].to_input_items().expect("a good message");
    assert_json(
        "the next request sends the same items",
        &to_json(&again),
        &items,
    );
}

#[track_caller]
fn assert_message(why: &str, items: Value, messages: Value) {
    let none = ChatMessage::from_output_items(&[]);
    assert!(none.is_empty(), "nothing is no message: {none:?}");
    let items: Vec<OutputItem> = from_json(items);
    let made = ChatMessage::from_output_items(&items);
    assert_json(why, &to_json(&made), &messages);
}
