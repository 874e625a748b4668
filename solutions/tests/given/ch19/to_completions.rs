//! A conversation for Chat Completions

use claw_code::chat::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn completions_get_the_arguments_unchanged() {
    let called = json!([
        { "role": "assistant", "content": null, "tool_calls": [call("call_1", "{ \"a\": 1 }")] },
    ]);
    assert_completions(
        "a call's arguments are sent unchanged",
        called.clone(),
        called,
    );
}

#[test]
fn completions_get_the_calls_of_every_role() {
    assert_completions(
        "calls are sent for every role: without its call, a result would be rejected",
        json!([{ "role": "user", "raw_content_blocks": [tool_use(json!({}))] }]),
        json!([{ "role": "user", "content": null, "tool_calls": [call("call_1", "{}")] }]),
    );
}

#[test]
fn completions_get_arguments_that_are_not_json_as_a_string() {
    let input = |input| json!([{ "role": "assistant", "raw_content_blocks": [tool_use(input)] }]);
    for (written, sent) in [
        (json!({ "a": 1 }), "{\"a\":1}"),
        (json!("{\"a\""), "\"{\\\"a\\\"\""),
    ] {
        assert_completions(
            "arguments that are not JSON are sent as a JSON string",
            input(written),
            json!([{ "role": "assistant", "content": null, "tool_calls": [call("call_1", sent)] }]),
        );
    }
}

#[test]
fn completions_error_names_the_message() {
    let chat: Vec<ChatMessage> = from_json(json!([
        { "role": "user", "content": "Hi." },
        { "role": "tool", "content": "x" },
    ]));
    let error = to_completions(&chat).expect_err("a result without its call");
    let said = error.to_string();
    assert!(
        said.starts_with("message 1: "),
        "an error names the message by its index, from 0: {said}"
    );
}

#[test]
fn conversation_converts_to_completions() {
    let chat = json!([
        { "role": "system", "content": "Be brief." },
        { "role": "developer", "content": "Be kind." },
        { "role": "user", "content": "Hi.", "name": "ada" },
        { "role": "assistant", "content": null, "tool_calls": [call("call_1", "{ \"a\": 1 }")] },
        { "role": "tool", "tool_call_id": "call_1", "content": "" },
        { "role": "assistant", "content": "Done." },
    ]);
    assert_completions(
        "chat messages are modeled on this API: fields that exist there are sent unchanged",
        chat.clone(),
        chat,
    );
}

#[test]
fn message_without_content_is_not_sent() {
    assert_completions(
        "a message without content is left out",
        json!([{ "role": "user", "content": "" }, { "role": "assistant", "content": "", "reasoning": "t" }]),
        json!([]),
    );
}

#[test]
fn only_user_images_are_sent_to_completions() {
    assert_completions(
        "only user messages may have images and documents: elsewhere, a line of text replaces them",
        json!([
            { "role": "user", "raw_content_blocks": [text("Look:"), png()] },
            { "role": "assistant", "raw_content_blocks": [png(), tool_use(json!({}))] },
            { "role": "tool", "tool_call_id": "call_1", "raw_content_blocks": [text("shot:"), png()] },
            { "role": "user", "raw_content_blocks": [{ "type": "document", "title": "a.pdf",
                "source": { "type": "base64_pdf", "media_type": "application/pdf", "data": "JVBE" } }] },
        ]),
        json!([
            { "role": "user", "content": [
                { "type": "text", "text": "Look:" },
                { "type": "image_url", "image_url": { "url": "data:image/png;base64,iVBORw0KGgo=" } } ] },
            { "role": "assistant", "tool_calls": [call("call_1", "{}")],
              "content": "[an image (image/png) was here; this connection cannot carry it]" },
            { "role": "tool", "tool_call_id": "call_1",
              "content": "shot:\n[an image (image/png) was here; this connection cannot carry it]" },
            { "role": "user", "content": [{ "type": "file", "file": {
                "filename": "a.pdf", "file_data": "data:application/pdf;base64,JVBE" } }] },
        ]),
    );
}

#[test]
fn texts_of_a_message_are_sent_as_one() {
    assert_completions(
        "several texts without an image are sent as one text, joined with a newline",
        json!([{ "role": "user", "raw_content_blocks": [text("a"), text("b")] }]),
        json!([{ "role": "user", "content": "a\nb" }]),
    );
    let source = json!({ "type": "text", "media_type": "text/plain", "data": "b" });
    assert_completions(
        "the part of a text document is only text, so the content is one text and no list",
        json!([{ "role": "user", "raw_content_blocks": [
            text("a"), { "type": "document", "source": source } ] }]),
        json!([{ "role": "user", "content": "a\nb" }]),
    );
}

#[test]
fn completions_gets_nothing_unknown() {
    assert_completions(
        "unknown blocks and fields are not sent; a result of other JSON is sent as its text",
        json!([
            { "role": "assistant", "cost": 1, "raw_content_blocks": [
                { "type": "text", "text": "Hi.", "citations": [1] }, { "type": "compaction" },
                tool_use(json!({})) ] },
            { "role": "tool", "raw_content_blocks": [{ "type": "tool_result",
                "tool_use_id": "call_1", "content": { "a": 1 }, "cached": true }] },
        ]),
        json!([
            { "role": "assistant", "content": "Hi.", "tool_calls": [call("call_1", "{}")] },
            { "role": "tool", "tool_call_id": "call_1", "content": "{\"a\":1}" },
        ]),
    );
}

#[test]
fn results_become_messages_of_their_own() {
    assert_completions(
        "each result becomes a message before other content, since it must follow its call",
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
}

#[test]
fn tool_messages_only_answer_calls() {
    assert_completions(
        "other content of a tool message becomes a user message, without the tool's name and the call's id",
        json!([{ "role": "tool", "name": "bash", "tool_call_id": "call_1",
                 "raw_content_blocks": [tool_result(json!("x")), text("So?"), png()] }]),
        json!([
            { "role": "tool", "tool_call_id": "call_1", "content": "x" },
            { "role": "user", "content": [
                text("So?"), { "type": "image_url", "image_url": { "url": "data:image/png;base64,iVBORw0KGgo=" } } ] },
        ]),
    );
}

#[test]
fn completions_lose_what_the_table_lists() {
    let sent = to_completions(&full_history()).expect("a good history");
    assert_json(
        "every field of the history survives or is lost as the table says",
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
