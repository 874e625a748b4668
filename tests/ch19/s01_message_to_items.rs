//! Section 19.1: A message as items

use claw_code::chat::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch19_what_is_told_to_the_model_is_a_message() {
    for role in ["system", "developer", "user"] {
        assert_items(
            "words become one message of `input_text`",
            json!({ "role": role, "content": "Hi.", "id": "msg_1", "status": "completed" }),
            json!([{ "type": "message", "role": role,
                     "content": [{ "type": "input_text", "text": "Hi." }] }]),
        );
    }
}

#[test]
fn test_ch19_a_reply_becomes_items() {
    assert_items(
        "thoughts, words and calls become items of their own, in this order",
        json!({ "role": "assistant", "content": "Let me look.", "reasoning": "List first.",
                "tool_calls": [call("call_1", "{\"b\": 1,  \"a\": 2}"), call("call_2", "")],
                "id": "msg_1", "status": "incomplete" }),
        json!([
            { "type": "reasoning", "summary": [{ "type": "summary_text", "text": "List first." }] },
            { "type": "message", "role": "assistant", "id": "msg_1", "status": "incomplete",
              "content": [{ "type": "output_text", "text": "Let me look." }] },
            { "type": "function_call", "call_id": "call_1", "name": "bash",
              "arguments": "{\"b\": 1,  \"a\": 2}" },
            { "type": "function_call", "call_id": "call_2", "name": "bash", "arguments": "{}" },
        ]),
    );
    assert_items(
        "where a block was changed since, the call's letters no longer mean what it says, and the block is what is sent",
        json!({ "role": "assistant", "tool_calls": [call("call_1", "{\"a\": 1}")],
                "raw_content_blocks": [tool_use(json!({ "a": 2 }))] }),
        json!([{ "type": "function_call", "call_id": "call_1", "name": "bash", "arguments": "{\"a\":2}" }]),
    );
    assert_items(
        "a reply that says nothing has no message item",
        json!({ "role": "assistant", "content": "", "tool_calls": [call("call_1", "{}")] }),
        json!([{ "type": "function_call", "call_id": "call_1", "name": "bash", "arguments": "{}" }]),
    );
    assert_items(
        "nothing is no item",
        json!({ "role": "assistant" }),
        json!([]),
    );
}

#[test]
fn test_ch19_blocks_beside_each_other_share_a_message() {
    assert_items(
        "texts and pictures that follow each other are one message; a picture's `detail` must be said",
        json!({ "role": "user", "raw_content_blocks": [
            text("Look:"), png(), text(""),
            { "type": "image", "source": { "type": "url", "url": "https://x/y.png" }, "detail": "low" },
            { "type": "document", "source": { "type": "base64", "media_type": "application/pdf", "data": "JVBE" },
              "title": "a.pdf" },
        ] }),
        json!([{ "type": "message", "role": "user", "content": [
            { "type": "input_text", "text": "Look:" },
            { "type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo=", "detail": "auto" },
            { "type": "input_image", "image_url": "https://x/y.png", "detail": "low" },
            { "type": "input_file", "filename": "a.pdf", "file_data": "data:application/pdf;base64,JVBE" },
        ] }]),
    );
    assert_items(
        "a call parts two messages, and only the first has the id",
        json!({ "role": "assistant", "id": "msg_1", "raw_content_blocks": [
            text("a"), text("b"), tool_use(json!({})), text("c") ] }),
        json!([
            { "type": "message", "role": "assistant", "id": "msg_1", "content": [
                { "type": "output_text", "text": "a" }, { "type": "output_text", "text": "b" } ] },
            { "type": "function_call", "call_id": "call_1", "name": "bash", "arguments": "{}" },
            { "type": "message", "role": "assistant", "content": [
                { "type": "output_text", "text": "c" } ] },
        ]),
    );
}

#[test]
fn test_ch19_thoughts_of_one_id_are_one_item() {
    let thought = |thinking: &str, id: &str, encrypted: Option<&str>| {
        let mut block = json!({ "type": "thinking", "thinking": thinking, "redacted": false });
        if !id.is_empty() {
            block["id"] = json!(id);
        }
        if let Some(encrypted) = encrypted {
            block["encrypted_content"] = json!(encrypted);
        }
        block
    };
    assert_items(
        "paragraphs of one id are one item; a thought without an id is always one of its own",
        json!({ "role": "assistant", "raw_content_blocks": [
            thought("one", "rs_1", None), thought("two", "rs_1", Some("ENC1")),
            thought("", "rs_2", Some("ENC2")),
            thought("x", "", None), thought("y", "", None),
        ] }),
        json!([
            { "type": "reasoning", "id": "rs_1", "encrypted_content": "ENC1", "summary": [
                { "type": "summary_text", "text": "one" }, { "type": "summary_text", "text": "two" } ] },
            { "type": "reasoning", "id": "rs_2", "encrypted_content": "ENC2", "summary": [] },
            { "type": "reasoning", "summary": [{ "type": "summary_text", "text": "x" }] },
            { "type": "reasoning", "summary": [{ "type": "summary_text", "text": "y" }] },
        ]),
    );
    assert_items(
        "of two seals of one id the later counts, and a paragraph without one takes none away",
        json!({ "role": "assistant", "raw_content_blocks": [
            thought("one", "rs_1", Some("ENC1")), thought("two", "rs_1", Some("ENC2")),
            thought("three", "rs_1", None),
        ] }),
        json!([{ "type": "reasoning", "id": "rs_1", "encrypted_content": "ENC2", "summary": [
            { "type": "summary_text", "text": "one" }, { "type": "summary_text", "text": "two" },
            { "type": "summary_text", "text": "three" } ] }]),
    );
    assert_items(
        "what another provider has withheld is no thought of this API's",
        json!({ "role": "assistant", "raw_content_blocks": [
            { "type": "thinking", "thinking": "", "encrypted_content": "DATA", "redacted": true },
            text("Hi."),
        ] }),
        json!([{ "type": "message", "role": "assistant",
                 "content": [{ "type": "output_text", "text": "Hi." }] }]),
    );
}

#[test]
fn test_ch19_a_signature_goes_with_its_id() {
    assert_items(
        "signed thoughts that have an id keep their signature; a paragraph before them has the id alone",
        json!({ "role": "assistant", "raw_content_blocks": [
            { "type": "thinking", "thinking": "one", "id": "rs_1", "redacted": false },
            { "type": "thinking", "thinking": "two", "id": "rs_1", "signature": "c2ln", "redacted": false },
            { "type": "thinking", "thinking": "", "id": "rs_2", "signature": "c2ln", "encrypted_content": "ENC", "redacted": false },
        ] }),
        json!([
            { "type": "reasoning", "id": "rs_1", "signature": "c2ln", "summary": [
                { "type": "summary_text", "text": "one" }, { "type": "summary_text", "text": "two" } ] },
            { "type": "reasoning", "id": "rs_2", "signature": "c2ln", "encrypted_content": "ENC", "summary": [] },
        ]),
    );
    assert_items(
        "of two signatures of one id the later counts, and a paragraph behind them takes nothing away",
        json!({ "role": "assistant", "raw_content_blocks": [
            { "type": "thinking", "thinking": "one", "id": "rs_1", "signature": "ZXJzdA==", "redacted": false },
            { "type": "thinking", "thinking": "two", "id": "rs_1", "signature": "c2ln", "redacted": false },
            { "type": "thinking", "thinking": "three", "id": "rs_1", "redacted": false },
        ] }),
        json!([{ "type": "reasoning", "id": "rs_1", "signature": "c2ln", "summary": [
            { "type": "summary_text", "text": "one" }, { "type": "summary_text", "text": "two" },
            { "type": "summary_text", "text": "three" } ] }]),
    );
    assert_items(
        "without an id it is a signature of the Messages API: here nobody knows the field",
        json!({ "role": "assistant", "raw_content_blocks": [
            { "type": "thinking", "thinking": "t", "signature": "c2ln", "redacted": false } ] }),
        json!([{ "type": "reasoning", "summary": [{ "type": "summary_text", "text": "t" }] }]),
    );
}

#[test]
fn test_ch19_only_the_model_thinks_and_calls() {
    assert_items(
        "the API would take a user's thoughts and calls for the model's",
        json!({ "role": "user", "raw_content_blocks": [
            { "type": "thinking", "thinking": "a", "encrypted_content": "ENC", "redacted": false },
            tool_use(json!({})), text("Hi.") ] }),
        json!([{ "type": "message", "role": "user", "content": [
            { "type": "input_text", "text": "Hi." } ] }]),
    );
}

#[test]
fn test_ch19_a_tools_answer_is_an_output() {
    assert_items(
        "a tool's message is the output of its call",
        json!({ "role": "tool", "tool_call_id": "call_1", "content": "main.rs" }),
        json!([{ "type": "function_call_output", "call_id": "call_1", "output": "main.rs" }]),
    );
    let failed =
        json!({ "success": false, "duration_ms": 1.0, "tool_name": "bash", "arguments": "{}" });
    for (why, said, metadata, output) in [
        (
            "there is no field for a failure: a prefix in the text says it",
            "no such file",
            &failed,
            "error: no such file",
        ),
        (
            "whatever the text of a failure begins with, it gets the prefix",
            "error: no such file",
            &failed,
            "error: error: no such file",
        ),
        (
            "the output of a success stays unchanged",
            "error: 3 warnings",
            &Value::Null,
            "error: 3 warnings",
        ),
    ] {
        assert_items(
            why,
            json!({ "role": "tool", "tool_call_id": "call_1", "content": said, "tool_metadata": metadata }),
            json!([{ "type": "function_call_output", "call_id": "call_1", "output": output }]),
        );
    }
    for (why, is_error, blocks, output) in [
        (
            "a failure is said in the first text",
            true,
            json!([text("no such file"), png()]),
            json!([input_text("error: no such file"), input_png()]),
        ),
        (
            "or in front of what is no text",
            true,
            json!([png()]),
            json!([input_text("error: "), input_png()]),
        ),
        (
            "what did not fail is as it was",
            false,
            json!([text("shot:"), png()]),
            json!([input_text("shot:"), input_png()]),
        ),
        (
            "and nothing is put in front of a picture then",
            false,
            json!([png()]),
            json!([input_png()]),
        ),
    ] {
        assert_items(
            why,
            json!({ "role": "tool", "raw_content_blocks": [{ "type": "tool_result",
                "tool_use_id": "call_1", "content": blocks, "is_error": is_error }] }),
            json!([{ "type": "function_call_output", "call_id": "call_1", "output": output }]),
        );
    }
    assert_items(
        "a picture in an answer makes it a list",
        json!({ "role": "tool", "tool_call_id": "call_1", "raw_content_blocks": [text("shot:"), png()] }),
        json!([{ "type": "function_call_output", "call_id": "call_1", "output": [
            { "type": "input_text", "text": "shot:" },
            { "type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo=", "detail": "auto" },
        ] }]),
    );
    assert_items(
        "what a tool's message says beside its results is a user's: the API has no role for it",
        json!({ "role": "tool", "raw_content_blocks": [
            { "type": "tool_result", "tool_use_id": "call_1", "content": "x" }, text("So?") ] }),
        json!([
            { "type": "function_call_output", "call_id": "call_1", "output": "x" },
            { "type": "message", "role": "user", "content": [{ "type": "input_text", "text": "So?" }] },
        ]),
    );
    let lost: ChatMessage = from_json(json!({ "role": "tool", "content": "main.rs" }));
    let error = lost.to_input_items().expect_err("an answer to no call");
    assert!(
        error.to_string().contains("tool_call_id"),
        "the error should name `tool_call_id`; it says: {error}"
    );
}

fn input_text(text: &str) -> Value {
    json!({ "type": "input_text", "text": text })
}

fn input_png() -> Value {
    json!({ "type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo=", "detail": "auto" })
}

#[track_caller]
fn assert_items(why: &str, message: Value, items: Value) {
    let said = from_json::<ChatMessage>(json!({ "role": "user", "content": "Hi." }));
    assert!(
        said.to_input_items().is_ok_and(|items| items.len() == 1),
        "a message of one text is one item"
    );
    match from_json::<ChatMessage>(message.clone()).to_input_items() {
        Ok(made) => assert_json(
            &format!("{why}\n the message: {message}"),
            &to_json(&made),
            &items,
        ),
        Err(error) => {
            panic!("{why}\nto_input_items() gave an error: {error}\n the message: {message}")
        }
    }
}
