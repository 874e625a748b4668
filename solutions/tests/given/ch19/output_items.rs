//! Items of unknown types

use claw_code::chat::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn output_items_load_by_type() {
    let read: Vec<OutputItem> = from_json(json!([
        { "type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
          "content": [{ "type": "output_text", "text": "Hi.", "annotations": [], "logprobs": [] }] },
        { "type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": null },
        { "type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "bash", "arguments": "{}" },
        { "type": "web_search_call", "id": "ws_1" },
    ]));
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
        "each type loads as its variant, and an unknown type as `Other`: {read:?}"
    );
}

#[test]
fn item_of_an_unknown_type_is_kept() {
    let item = json!({ "type": "web_search_call", "id": "ws_1", "status": "completed",
                       "action": { "type": "search" } });
    let read: OutputItem = from_json(item.clone());
    assert_json(
        "an item of an unknown type is kept unchanged",
        &to_json(&read),
        &item,
    );
}

#[test]
fn broken_output_items_are_rejected() {
    let message = json!({ "type": "message", "id": "msg_1", "role": "assistant" });
    let call = json!({ "type": "function_call", "name": "bash", "arguments": "{}" });
    assert_missing("content", message);
    assert_missing("call_id", call);
    assert_missing("type", json!({ "id": "x" }));
}

#[test]
fn broken_parts_are_rejected() {
    let message = |part: Value| json!({ "type": "message", "id": "msg_1", "role": "assistant", "content": [part] });
    let reasoning = |part: Value| json!({ "type": "reasoning", "id": "rs_1", "summary": [part] });
    assert_missing("text", message(json!({ "type": "output_text" })));
    assert_missing("type", message(json!({ "text": "Hi." })));
    assert_missing("text", reasoning(json!({ "type": "summary_text" })));
    assert_missing("type", reasoning(json!({ "text": "t" })));
}

#[test]
fn values_of_other_types_are_rejected() {
    let read = serde_json::from_value::<OutputItem>(json!("message"));
    assert!(read.is_err(), "a string is not an item: {read:?}");
    let output = json!({ "call_id": "call_1", "output": 5 });
    let error = serde_json::from_value::<FunctionCallOutput>(output).expect_err("a number");
    assert!(
        error.to_string().contains("a string or a list"),
        "the error should say that an output is a string or a list: {error}"
    );
}

#[test]
fn unknown_items_are_reported() {
    assert!(skipped_items(&[]).is_empty(), "no items, nothing skipped");
    let items: Vec<OutputItem> = from_json(json!([
        { "type": "web_search_call", "id": "ws_1" },
        { "type": "message", "id": "msg_1", "role": "assistant", "content": [output_text("Hi.")] },
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
        "skipped_items returns the type of each skipped item"
    );
}

#[test]
fn unknown_parts_are_kept() {
    let items = items_with_unknown_parts();
    let read: Vec<OutputItem> = from_json(items.clone());
    assert_json(
        "a part of an unknown type is kept unchanged in its position",
        &to_json(&read),
        &items,
    );
}

#[test]
fn unknown_parts_are_reported() {
    let read: Vec<OutputItem> = from_json(items_with_unknown_parts());
    assert_eq!(
        skipped_items(&read),
        [
            "summary_audio",
            "reasoning_video",
            "output_audio",
            "web_search_call"
        ],
        "skipped_items also returns the types of skipped parts, in order"
    );
}

fn items_with_unknown_parts() -> Value {
    json!([
        { "type": "reasoning", "id": "rs_1", "encrypted_content": "ENC",
          "summary": [summary("one"), { "type": "summary_audio", "data": "UklG" }],
          "content": [{ "type": "reasoning_video", "data": "AAAA" }] },
        { "type": "message", "id": "msg_1", "role": "assistant",
          "content": [output_text("Hi."), { "type": "output_audio", "data": "UklG" }] },
        { "type": "web_search_call", "id": "ws_1" },
    ])
}

/// Fails unless `item` is rejected by an error that names the missing field.
#[track_caller]
fn assert_missing(field: &str, item: Value) {
    let Err(error) = serde_json::from_value::<OutputItem>(item.clone()) else {
        panic!(
            "{item} loaded, but an item of a known type without a required field is not `Other`"
        );
    };
    assert!(
        error.to_string().contains(field),
        "the error should name the missing field `{field}`: {error}\n the item: {item}"
    );
}
