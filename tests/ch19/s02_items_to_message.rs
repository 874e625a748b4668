//! Section 19.2: Items as a message

use claw_code::chat::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch19_output_items_are_read() {
    let items = json!([
        { "type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
          "content": [{ "type": "output_text", "text": "Hi.", "annotations": [], "logprobs": [] }] },
        { "type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": null },
        { "type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "bash", "arguments": "{}" },
        { "type": "web_search_call", "id": "ws_1", "status": "completed", "action": { "type": "search" } },
    ]);
    let read: Vec<OutputItem> = from_json(items.clone());
    assert!(
        matches!(
            read.as_slice(),
            [
                OutputItem::Message(_),
                OutputItem::Reasoning(_),
                OutputItem::FunctionCall(_),
                OutputItem::Other(_)
            ]
        ),
        "each type is read as its variant, and one that is not known as `Other`: {read:?}"
    );
    assert_json(
        "an item of another type is kept whole",
        &to_json(&read[3]),
        &items[3],
    );
}

#[test]
fn test_ch19_broken_output_items_are_refused() {
    for (item, field) in [
        (
            json!({ "type": "message", "id": "msg_1", "role": "assistant" }),
            "content",
        ),
        (
            json!({ "type": "function_call", "name": "bash", "arguments": "{}" }),
            "call_id",
        ),
        (
            json!({ "type": "message", "id": "msg_1", "role": "assistant", "content": [{ "type": "output_text" }] }),
            "text",
        ),
        (
            json!({ "type": "message", "id": "msg_1", "role": "assistant", "content": [{ "text": "Hi." }] }),
            "type",
        ),
        (
            json!({ "type": "reasoning", "id": "rs_1", "summary": [{ "type": "summary_text" }] }),
            "text",
        ),
        (
            json!({ "type": "reasoning", "id": "rs_1", "summary": [{ "text": "t" }] }),
            "type",
        ),
        (json!({ "id": "x" }), "type"),
    ] {
        let Err(error) = serde_json::from_value::<OutputItem>(item.clone()) else {
            panic!("{item} was read: an item of a known type that lacks a field is no `Other`");
        };
        assert!(
            error.to_string().contains(field),
            "the error should name the field that is missing, `{field}`; it says: {error}"
        );
    }
    let output = json!({ "call_id": "call_1", "output": 5 });
    let error = serde_json::from_value::<FunctionCallOutput>(output).expect_err("a number");
    assert!(
        error.to_string().contains("a string or a list"),
        "an answer is the one or the other, and the error says so: {error}"
    );
    let read = serde_json::from_value::<OutputItem>(json!("message"));
    assert!(read.is_err(), "a string is no item: {read:?}");
}

#[test]
fn test_ch19_a_response_is_one_message() {
    let called: Vec<OutputItem> = from_json(json!([
        { "type": "function_call", "call_id": "call_1", "name": "bash", "arguments": "{\"b\": 1,  \"a\": 2}" },
    ]));
    let calls: Vec<_> = ChatMessage::from_output_items(&called)
        .into_iter()
        .map(|message| message.tool_calls)
        .collect();
    assert_json(
        "a call's arguments stay in `tool_calls` as the model wrote them",
        &to_json(&calls),
        &json!([[call("call_1", "{\"b\": 1,  \"a\": 2}")]]),
    );
    assert_message(
        "thoughts, words and calls of one response are one message",
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
        "thoughts that are not hidden are behind their summary",
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
            "the last status that an item has counts, and an item without one takes none away",
            json!([said(first), said(last)]),
            json!([{ "role": "assistant", "id": "msg_1", "status": "incomplete", "content": "a\na",
                     "raw_content_blocks": [text("a"), text("a")] }]),
        );
    }
    let called = |id: &str, status: Value| json!({ "type": "function_call", "call_id": id, "name": "bash", "arguments": "{}", "status": status });
    assert_message(
        "so it does where calls have it",
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
        "nor are items of which nothing is read",
        json!([{ "type": "web_search_call", "id": "ws_1" }]),
        json!([]),
    );
}

#[test]
fn test_ch19_texts_are_joined_and_refusals_marked() {
    let message = |id: &str, content: Value| json!({ "type": "message", "id": id, "role": "assistant", "content": content });
    assert_message(
        "several texts are joined with a newline, and the first id counts",
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
        "a refusal is a text that says what it is",
        json!([message(
            "msg_1",
            json!([{ "type": "refusal", "refusal": "I can't." }])
        )]),
        json!([{ "role": "assistant", "id": "msg_1", "content": "[refusal] I can't." }]),
    );
}

#[test]
fn test_ch19_calls_alone_are_a_message() {
    assert_message(
        "calls without words belong to one message; torn arguments stay to the letter",
        json!([
            { "type": "function_call", "call_id": "call_1", "name": "bash", "arguments": "{\"comm", "status": "incomplete" },
            { "type": "function_call", "call_id": "call_2", "name": "bash", "arguments": "" },
        ]),
        json!([{ "role": "assistant", "status": "incomplete",
                 "tool_calls": [call("call_1", "{\"comm"), call("call_2", "")] }]),
    );
}

#[test]
fn test_ch19_other_items_are_counted() {
    let items: Vec<OutputItem> = from_json(json!([
        { "type": "web_search_call", "id": "ws_1" },
        { "type": "message", "id": "msg_1", "role": "assistant", "content": [{ "type": "output_text", "text": "Hi." }] },
        { "type": "image_generation_call", "id": "ig_1" },
        { "type": "web_search_call", "id": "ws_2" },
    ]));
    assert_eq!(
        skipped_items(&items),
        [
            "web_search_call",
            "image_generation_call",
            "web_search_call"
        ],
        "whoever wants to know what was skipped is told each item's type"
    );
    assert_json(
        "and the rest is read",
        &to_json(&ChatMessage::from_output_items(&items)),
        &json!([{ "role": "assistant", "id": "msg_1", "content": "Hi." }]),
    );
}

#[test]
fn test_ch19_other_parts_are_counted() {
    let items = json!([
        { "type": "reasoning", "id": "rs_1", "encrypted_content": "ENC",
          "summary": [{ "type": "summary_text", "text": "one" }, { "type": "summary_audio", "data": "UklG" }],
          "content": [{ "type": "reasoning_video", "data": "AAAA" }] },
        { "type": "message", "id": "msg_1", "role": "assistant", "content": [
            { "type": "output_text", "text": "Hi." }, { "type": "output_audio", "data": "UklG" } ] },
        { "type": "web_search_call", "id": "ws_1" },
    ]);
    let read: Vec<OutputItem> = from_json(items.clone());
    assert_json(
        "a part of another type is kept whole, where it stood",
        &to_json(&read),
        &items,
    );
    assert_json(
        "what is known of such an item is read",
        &to_json(&ChatMessage::from_output_items(&read)),
        &json!([{
            "role": "assistant", "id": "msg_1", "content": "Hi.", "reasoning": "one",
            "raw_content_blocks": [
                { "type": "thinking", "thinking": "one", "id": "rs_1", "encrypted_content": "ENC", "redacted": false },
                text("Hi."),
            ],
        }]),
    );
    assert_eq!(
        skipped_items(&read),
        [
            "summary_audio",
            "reasoning_video",
            "output_audio",
            "web_search_call"
        ],
        "and of what was skipped inside an item, each part's type is told, too, in its place"
    );
    assert_message(
        "thoughts of which no part is known keep their id and what is encrypted",
        json!([{ "type": "reasoning", "id": "rs_1", "encrypted_content": "ENC",
                 "summary": [{ "type": "summary_audio", "data": "UklG" }] }]),
        json!([{ "role": "assistant", "raw_content_blocks": [
            { "type": "thinking", "thinking": "", "id": "rs_1", "encrypted_content": "ENC", "redacted": false } ] }]),
    );
}

#[test]
fn test_ch19_thoughts_without_a_summary_are_read() {
    assert_message(
        "a reasoning item may leave its `summary` out",
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
fn test_ch19_signed_thoughts_come_back_as_they_were() {
    let items = json!([
        { "type": "reasoning", "id": "rs_1", "signature": "c2ln+/==", "summary": [
            { "type": "summary_text", "text": "one" }, { "type": "summary_text", "text": "two" } ] },
        { "type": "reasoning", "id": "rs_2", "signature": "c2ln", "encrypted_content": "ENC", "summary": [] },
    ]);
    let read: Vec<OutputItem> = from_json(items.clone());
    let messages = ChatMessage::from_output_items(&read);
    assert_json(
        "the last paragraph of an item has its signature",
        &to_json(&messages),
        &json!([{ "role": "assistant", "reasoning": "one\ntwo", "raw_content_blocks": [
            { "type": "thinking", "thinking": "one", "id": "rs_1", "redacted": false },
            { "type": "thinking", "thinking": "two", "id": "rs_1", "signature": "c2ln+/==", "redacted": false },
            { "type": "thinking", "thinking": "", "id": "rs_2", "signature": "c2ln", "encrypted_content": "ENC", "redacted": false },
        ] }]),
    );
    let again = messages[0].to_input_items().expect("a good message");
    assert_json(
        "and as items of the next request they are what they were",
        &to_json(&again),
        &items,
    );
}

#[track_caller]
fn assert_message(why: &str, items: Value, messages: Value) {
    let items: Vec<OutputItem> = from_json(items);
    let made = ChatMessage::from_output_items(&items);
    assert_json(why, &to_json(&made), &messages);
}
