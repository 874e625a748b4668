//! A conversation for the Responses API

use claw_code::chat::*;
use claw_code::provider::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn missing_ids_are_made_from_the_position() {
    let mut chat = json!([
        { "role": "user", "content": "Hi." },
        { "role": "assistant", "content": "Hello." },
        { "role": "assistant", "content": "So?", "id": "msg_x" },
    ]);
    let more = vec![json!({ "role": "assistant", "content": "Well?" }); 9];
    chat.as_array_mut().expect("a list").extend(more);
    let [first, second] = [(); 2].map(|()| sent(&chat));
    assert_json(
        "the same conversation gives the same request: a missing id is made from its position",
        &second,
        &first,
    );
    for index in [1, 3, 11] {
        assert_eq!(
            first[index]["id"],
            format!("msg_{index:032x}"),
            "a made id is `msg_` and the item's index, from 0, in 32 hexadecimal digits"
        );
    }
}

#[test]
fn made_ids_count_items() {
    let input = sent(&json!([
        { "role": "user", "content": "Hi." },
        { "role": "assistant", "raw_content_blocks": [text("a"), tool_use(json!({})), text("b")] },
    ]));
    for index in [1, 3] {
        assert_eq!(
            input[index]["id"],
            format!("msg_{index:032x}"),
            "a made id has the index of the item in the whole list, so no two items have the same"
        );
    }
}

#[test]
fn assistant_items_get_id_status_and_annotations() {
    let said = |id: &str, status: &str, text: &str| {
        json!({ "type": "message", "role": "assistant", "id": id, "status": status,
                "content": [{ "type": "output_text", "text": text, "annotations": [] }] })
    };
    assert_input(
        "an assistant item has an id, a status that the API knows, and annotations",
        json!([
            { "role": "user", "content": "Hi." },
            { "role": "assistant", "content": "Hello." },
            { "role": "assistant", "content": "So?", "id": "msg_x", "status": "failed" },
            { "role": "assistant", "content": "Well?" },
            { "role": "assistant", "content": "And?", "id": "msg_y", "status": "in_progress" },
        ]),
        json!([
            { "type": "message", "role": "user", "content": [input_text("Hi.")] },
            said(&format!("msg_{:032x}", 1), "completed", "Hello."),
            said("msg_x", "incomplete", "So?"),
            said(&format!("msg_{:032x}", 3), "completed", "Well?"),
            said("msg_y", "in_progress", "And?"),
        ]),
    );
}

#[test]
fn responses_gets_nothing_unknown() {
    assert_input(
        "unknown blocks and fields are not sent; a result of other JSON is sent as its text",
        json!([
            { "role": "assistant", "cost": 1, "raw_content_blocks": [
                { "type": "text", "text": "Hi.", "citations": [1] }, { "type": "compaction" },
                tool_use(json!({})) ] },
            { "role": "tool", "raw_content_blocks": [{ "type": "tool_result",
                "tool_use_id": "call_1", "content": { "a": 1 }, "cached": true }] },
        ]),
        json!([
            { "type": "message", "role": "assistant", "id": format!("msg_{:032x}", 0), "status": "completed",
              "content": [{ "type": "output_text", "text": "Hi.", "annotations": [] }] },
            call_item("call_1", "{}"),
            output(json!("{\"a\":1}")),
        ]),
    );
}

#[test]
fn only_readable_thinking_is_sent_back() {
    assert_input(
        "reasoning without encrypted content is not sent: the API could not read it",
        json!([{ "role": "assistant", "raw_content_blocks": [
            thought("t", json!({ "id": "rs_1" })), thought("", json!({ "encrypted_content": "OLD" })),
            encrypted("rs_2", "ENC"), tool_use(json!({})) ] }]),
        json!([
            { "type": "reasoning", "encrypted_content": "OLD", "summary": [] },
            reasoning("rs_2", "ENC"),
            call_item("call_1", "{}"),
        ]),
    );
}

#[test]
fn signed_thinking_is_sent_back_with_its_id() {
    assert_input(
        "thinking with a signature and an id is sent back; with a signature alone it belongs to the Messages API and is not sent",
        json!([{ "role": "assistant", "raw_content_blocks": [
            signed("t", "c2ln"),
            thought("t", json!({ "id": "rs_1", "signature": "c2ln" })),
            tool_use(json!({})) ] }]),
        json!([
            { "type": "reasoning", "id": "rs_1", "signature": "c2ln", "summary": [summary("t")] },
            call_item("call_1", "{}"),
        ]),
    );
}

#[test]
fn all_thinking_before_a_text_is_sent_back() {
    assert_input(
        "every encrypted reasoning before a text is sent back",
        json!([{ "role": "assistant", "id": "msg_1", "raw_content_blocks": [
            encrypted("rs_1", "ENC1"), encrypted("rs_2", "ENC2"), text("Hi."), text("So?") ] }]),
        json!([
            reasoning("rs_1", "ENC1"),
            reasoning("rs_2", "ENC2"),
            { "type": "message", "role": "assistant", "id": "msg_1", "status": "completed",
              "content": [{ "type": "output_text", "text": "Hi.", "annotations": [] },
                          { "type": "output_text", "text": "So?", "annotations": [] }] },
        ]),
    );
}

#[test]
fn thinking_that_led_to_no_item_is_not_sent() {
    assert_input(
        "reasoning without a following item of its message is not sent: the API requires the item that it led to",
        json!([
            { "role": "assistant", "raw_content_blocks": [encrypted("rs_1", "ENC"), encrypted("rs_2", "ENC")] },
            { "role": "assistant", "raw_content_blocks": [tool_use(json!({})), encrypted("rs_3", "ENC")] },
            { "role": "user", "content": "Go on." },
        ]),
        json!([
            call_item("call_1", "{}"),
            { "type": "message", "role": "user", "content": [input_text("Go on.")] },
        ]),
    );
}

#[test]
fn request_arguments_are_json() {
    assert_input(
        "incomplete arguments are sent as a JSON string, since a server that parses them would reject every later request",
        json!([{ "role": "assistant", "tool_calls": [call("call_1", "{\"comm"), call("call_2", "{ }"), call("call_3", "[1]")] }]),
        json!([
            call_item("call_1", "\"{\\\"comm\""),
            call_item("call_2", "{ }"),
            call_item("call_3", "[1]"),
        ]),
    );
}

#[test]
fn deeply_nested_request_arguments_are_text() {
    let fits = nested_json(MAX_DEPTH);
    let deep = nested_json(MAX_DEPTH + 1);
    assert_input(
        "arguments that are nested too deeply are sent like arguments that are not JSON, as in chapter 2",
        json!([{ "role": "assistant", "tool_calls": [call("call_1", &fits), call("call_2", &deep)] }]),
        json!([
            call_item("call_1", &fits),
            call_item("call_2", &json!(deep).to_string()),
        ]),
    );
}

#[test]
fn error_names_the_bad_message() {
    let chat: Vec<ChatMessage> = from_json(
        json!([{ "role": "user", "content": "Hi." }, { "role": "tool", "content": "x" }]),
    );
    let error = to_input(&chat)
        .expect_err("a result without a call id")
        .to_string();
    assert!(
        error.starts_with("message 1: ") && error.contains("tool_call_id"),
        "the error should begin with the message's index, from 0, as in `message 1: …`, and name the missing field: {error}"
    );
}

#[test]
fn responses_lose_what_the_table_lists() {
    let input = to_input(&full_history()).expect("a good history");
    assert_json(
        "every field of the history survives or is lost as the table says",
        &to_json(&input),
        &json!([
            { "type": "message", "role": "system", "content": [{ "type": "input_text", "text": "Be brief." }] },
            { "type": "message", "role": "developer", "content": [{ "type": "input_text", "text": "Be kind." }] },
            { "type": "message", "role": "user", "content": [
                { "type": "input_text", "text": "Look:" },
                { "type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo=", "detail": "low" },
            ] },
            { "type": "reasoning", "id": "rs_1", "encrypted_content": "ENC",
              "summary": [{ "type": "summary_text", "text": "mine" }] },
            { "type": "message", "role": "assistant", "id": "msg_1", "status": "incomplete",
              "content": [{ "type": "output_text", "text": "Let me look.", "annotations": [] }] },
            { "type": "function_call", "call_id": "call_1", "name": "bash", "arguments": "{\"a\": 1}" },
            { "type": "function_call_output", "call_id": "call_1", "output": "error: no" },
        ]),
    );
}

/// Thinking with an id and encrypted content.
fn encrypted(id: &str, content: &str) -> Value {
    thought("t", json!({ "id": id, "encrypted_content": content }))
}

/// The item of that thinking.
fn reasoning(id: &str, content: &str) -> Value {
    json!({ "type": "reasoning", "id": id, "encrypted_content": content, "summary": [summary("t")] })
}

/// The items that are sent for this conversation.
#[track_caller]
fn sent(chat: &Value) -> Value {
    match to_input(&from_json::<Vec<ChatMessage>>(chat.clone())) {
        Ok(input) => to_json(&input),
        Err(error) => panic!("to_input() gave an error: {error}\n the conversation: {chat}"),
    }
}

#[track_caller]
fn assert_input(why: &str, chat: Value, input: Value) {
    assert_json(why, &sent(&chat), &input);
}
