//! Section 19.13: A conversation for the Responses API

use claw_code::chat::*;
use claw_code::provider::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch19_assistant_items_get_id_status_and_annotations() {
    let chat = json!([
        { "role": "user", "content": "Hi." },
        { "role": "assistant", "content": "Hello." },
        { "role": "assistant", "content": "So?", "id": "msg_x", "status": "failed" },
        { "role": "assistant", "content": "Well?" },
    ]);
    let said = |id: &str, status: &str, words: &str| {
        json!({ "type": "message", "role": "assistant", "id": id, "status": status,
                "content": [{ "type": "output_text", "text": words, "annotations": [] }] })
    };
    let sent = || {
        let input = to_input(&from_json::<Vec<ChatMessage>>(chat.clone()));
        to_json(&input.expect("a good conversation"))
    };
    let input = sent();
    assert_json(
        "the same conversation gives the same request: a missing id is made from its position",
        &sent(),
        &input,
    );
    let id = |place: usize| input[place]["id"].as_str().unwrap_or("no id");
    assert_json(
        "an assistant item has an id, a status that the API knows, and annotations",
        &input,
        &json!([
            { "type": "message", "role": "user", "content": [{ "type": "input_text", "text": "Hi." }] },
            said(id(1), "completed", "Hello."),
            said("msg_x", "incomplete", "So?"),
            said(id(3), "completed", "Well?"),
        ]),
    );
    for place in [1, 3] {
        assert_eq!(
            id(place),
            format!("msg_{place:032x}"),
            "a made id is `msg_` and the item's index, from 0, in 32 hexadecimal digits"
        );
    }
}

#[test]
fn test_ch19_responses_gets_nothing_unknown() {
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
            { "type": "function_call", "call_id": "call_1", "name": "bash", "arguments": "{}" },
            { "type": "function_call_output", "call_id": "call_1", "output": "{\"a\":1}" },
        ]),
    );
}

#[test]
fn test_ch19_only_readable_thinking_is_sent_back() {
    let thought = |id: &str, encrypted: Value| json!({ "type": "thinking", "thinking": "t", "id": id, "encrypted_content": encrypted, "redacted": false });
    assert_input(
        "reasoning without encrypted content is not sent: the API could not read it",
        json!([{ "role": "assistant", "raw_content_blocks": [
            thought("rs_1", Value::Null), thought("rs_2", json!("ENC")), tool_use(json!({})) ] }]),
        json!([
            { "type": "reasoning", "id": "rs_2", "encrypted_content": "ENC",
              "summary": [{ "type": "summary_text", "text": "t" }] },
            { "type": "function_call", "call_id": "call_1", "name": "bash", "arguments": "{}" },
        ]),
    );
    let signed = |id: Value| json!({ "type": "thinking", "thinking": "t", "id": id, "signature": "c2ln", "redacted": false });
    assert_input(
        "thinking with a signature and an id is sent back; with a signature alone it belongs to the Messages API and is not sent",
        json!([{ "role": "assistant", "raw_content_blocks": [
            signed(Value::Null), signed(json!("rs_1")), tool_use(json!({})) ] }]),
        json!([
            { "type": "reasoning", "id": "rs_1", "signature": "c2ln",
              "summary": [{ "type": "summary_text", "text": "t" }] },
            { "type": "function_call", "call_id": "call_1", "name": "bash", "arguments": "{}" },
        ]),
    );
    assert_input(
        "every encrypted reasoning before a text is sent back",
        json!([{ "role": "assistant", "id": "msg_1", "raw_content_blocks": [
            thought("rs_1", json!("ENC1")), thought("rs_2", json!("ENC2")), text("Hi.") ] }]),
        json!([
            { "type": "reasoning", "id": "rs_1", "encrypted_content": "ENC1",
              "summary": [{ "type": "summary_text", "text": "t" }] },
            { "type": "reasoning", "id": "rs_2", "encrypted_content": "ENC2",
              "summary": [{ "type": "summary_text", "text": "t" }] },
            { "type": "message", "role": "assistant", "id": "msg_1", "status": "completed",
              "content": [{ "type": "output_text", "text": "Hi.", "annotations": [] }] },
        ]),
    );
    assert_input(
        "reasoning without a following item of its message is not sent: the API requires the item that it led to",
        json!([
            { "role": "assistant", "raw_content_blocks": [thought("rs_1", json!("ENC")), thought("rs_2", json!("ENC"))] },
            { "role": "assistant", "tool_calls": [call("call_1", "{}")] },
            { "role": "user", "content": "Go on." },
        ]),
        json!([
            { "type": "function_call", "call_id": "call_1", "name": "bash", "arguments": "{}" },
            { "type": "message", "role": "user", "content": [{ "type": "input_text", "text": "Go on." }] },
        ]),
    );
}

#[test]
fn test_ch19_request_arguments_are_json() {
    assert_input(
        "incomplete arguments are sent as a JSON string, since a server that parses them would reject every later request",
        json!([{ "role": "assistant", "tool_calls": [call("call_1", "{\"comm"), call("call_2", "{ }")] }]),
        json!([
            { "type": "function_call", "call_id": "call_1", "name": "bash", "arguments": "\"{\\\"comm\"" },
            { "type": "function_call", "call_id": "call_2", "name": "bash", "arguments": "{ }" },
        ]),
    );
}

#[test]
fn test_ch19_deeply_nested_request_arguments_are_text() {
    let fits = nested_json(MAX_DEPTH);
    let deep = nested_json(MAX_DEPTH + 1);
    assert_input(
        "arguments that are nested too deeply are sent like arguments that are not JSON, as in chapter 2",
        json!([{ "role": "assistant", "tool_calls": [call("call_1", &fits), call("call_2", &deep)] }]),
        json!([
            { "type": "function_call", "call_id": "call_1", "name": "bash", "arguments": fits },
            { "type": "function_call", "call_id": "call_2", "name": "bash", "arguments": json!(deep).to_string() },
        ]),
    );
}

#[test]
fn test_ch19_error_names_the_bad_message() {
    let chat: Vec<ChatMessage> = from_json(
        json!([{ "role": "user", "content": "Hi." }, { "role": "tool", "content": "x" }]),
    );
    let error = to_input(&chat)
        .expect_err("a result without a call id")
        .to_string();
    assert!(
        error.contains("message 1") && error.contains("tool_call_id"),
        "the error should name the message by its index, from 0, and the missing field: {error}"
    );
}

#[test]
fn test_ch19_responses_lose_what_the_table_lists() {
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

#[track_caller]
fn assert_input(why: &str, chat: Value, input: Value) {
    match to_input(&from_json::<Vec<ChatMessage>>(chat)) {
        Ok(made) => assert_json(why, &to_json(&made), &input),
        Err(error) => panic!("{why}\nto_input() gave an error: {error}"),
    }
}
