//! Section 19.5: Chat Completions, both ways

use claw_code::chat::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch19_a_conversation_for_chat_completions() {
    let called = json!([
        { "role": "assistant", "content": null, "tool_calls": [call("call_1", "{ \"a\": 1 }")] },
    ]);
    assert_completions(
        "a call's arguments go to the letter",
        called.clone(),
        called,
    );
    let chat = json!([
        { "role": "system", "content": "Be brief." },
        { "role": "developer", "content": "Be kind." },
        { "role": "user", "content": "Hi.", "name": "ada" },
        { "role": "assistant", "content": null, "tool_calls": [call("call_1", "{ \"a\": 1 }")] },
        { "role": "tool", "tool_call_id": "call_1", "content": "" },
        { "role": "assistant", "content": "Done." },
    ]);
    assert_completions(
        "the chat messages are modelled on this API: what has a place goes as it is",
        chat.clone(),
        chat,
    );
    assert_completions(
        "a message of which nothing is left is left out",
        json!([{ "role": "user", "content": "" }, { "role": "assistant", "content": "", "reasoning": "t" }]),
        json!([]),
    );
}

#[test]
fn test_ch19_pictures_for_chat_completions() {
    assert_completions(
        "only a user can show a picture: of one that a tool answered, or a model, it is said that it was there",
        json!([
            { "role": "user", "raw_content_blocks": [text("Look:"), png()] },
            { "role": "user", "raw_content_blocks": [text("a"), text("b")] },
            { "role": "assistant", "tool_calls": [call("call_1", "{}")] },
            { "role": "tool", "tool_call_id": "call_1", "raw_content_blocks": [text("shot:"), png()] },
        ]),
        json!([
            { "role": "user", "content": [
                { "type": "text", "text": "Look:" },
                { "type": "image_url", "image_url": { "url": "data:image/png;base64,iVBORw0KGgo=" } } ] },
            { "role": "user", "content": "a\nb" },
            { "role": "assistant", "content": null, "tool_calls": [call("call_1", "{}")] },
            { "role": "tool", "tool_call_id": "call_1",
              "content": "shot:\n[an image (image/png) stood here, which this connection does not carry]" },
        ]),
    );
}

#[test]
fn test_ch19_results_in_a_users_message_come_apart() {
    assert_completions(
        "each result is a message of its own, before what else is said, since it must follow its call",
        json!([{ "role": "user", "raw_content_blocks": [
            text("So?"),
            { "type": "tool_result", "tool_use_id": "call_1", "content": "x" },
            { "type": "tool_result", "tool_use_id": "call_2", "content": "no", "is_error": true },
            { "type": "tool_result", "tool_use_id": "call_3", "content": "error: 3 warnings" },
        ] }]),
        json!([
            { "role": "tool", "tool_call_id": "call_1", "content": "x" },
            { "role": "tool", "tool_call_id": "call_2", "content": "error: no" },
            { "role": "tool", "tool_call_id": "call_3", "content": "error: 3 warnings" },
            { "role": "user", "content": "So?" },
        ]),
    );
    assert_completions(
        "what a tool's message says beside its results is a user's: a tool only answers calls",
        json!([{ "role": "tool", "raw_content_blocks": [
            { "type": "tool_result", "tool_use_id": "call_1", "content": "x" }, text("So?") ] }]),
        json!([
            { "role": "tool", "tool_call_id": "call_1", "content": "x" },
            { "role": "user", "content": "So?" },
        ]),
    );
}

#[test]
fn test_ch19_chat_completions_are_read_back() {
    let wire: Vec<CompletionMessage> = from_json(json!([
        { "role": "user", "name": "ada", "content": [
            { "type": "text", "text": "Look:" },
            { "type": "image_url", "image_url": { "url": "data:image/png;base64,iVBORw0KGgo=" } } ] },
        { "role": "assistant", "content": null, "refusal": null, "tool_calls": [call("call_1", "{ \"a\": 1 }")] },
        { "role": "tool", "tool_call_id": "call_1", "content": "error: x" },
        { "role": "assistant", "content": null, "refusal": "I can't." },
    ]));
    assert_json(
        "each message is one chat message, its calls to the letter, a result as it came and no failure, a refusal a text that says what it is",
        &to_json(&from_completions(&wire)),
        &json!([
            { "role": "user", "name": "ada", "content": "Look:", "raw_content_blocks": [text("Look:"), png()] },
            { "role": "assistant", "tool_calls": [call("call_1", "{ \"a\": 1 }")] },
            { "role": "tool", "tool_call_id": "call_1", "content": "error: x" },
            { "role": "assistant", "content": "[refusal] I can't." },
        ]),
    );
}

#[test]
fn test_ch19_chat_completions_lose_what_their_table_says() {
    let sent = to_completions(&full_history()).expect("a good history");
    assert_json(
        "every field of the history, or its loss, as the table has it",
        &to_json(&sent),
        &json!([
            { "role": "system", "content": "Be brief." },
            { "role": "developer", "content": "Be kind." },
            { "role": "user", "name": "ada", "content": [
                { "type": "text", "text": "Look:" },
                { "type": "image_url", "image_url": { "url": "data:image/png;base64,iVBORw0KGgo=", "detail": "low" } } ] },
            { "role": "assistant", "content": "Let me look.", "tool_calls": [call("call_1", "{\"a\": 1}")] },
            { "role": "tool", "tool_call_id": "call_1", "content": "error: no" },
        ]),
    );
}

#[track_caller]
fn assert_completions(why: &str, chat: Value, sent: Value) {
    match to_completions(&from_json::<Vec<ChatMessage>>(chat)) {
        Ok(made) => assert_json(why, &to_json(&made), &sent),
        Err(error) => panic!("{why}\nto_completions() gave an error: {error}"),
    }
}
