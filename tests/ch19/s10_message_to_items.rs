//! Section 19.10: From a message to items

use claw_code::chat::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch19_input_for_the_model_becomes_message_item() {
    for role in ["system", "developer", "user"] {
        assert_items(
            "text becomes one message item of `input_text`",
            json!({ "role": role, "content": "Hi.", "id": "msg_1", "status": "completed" }),
            json!([{ "type": "message", "role": role,
                     "content": [{ "type": "input_text", "text": "Hi." }] }]),
        );
    }
}

#[test]
fn test_ch19_reply_becomes_items() {
    assert_items(
        "thinking, text and calls become separate items, in this order",
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
        "if a raw block was changed, the original arguments text is outdated and the block is sent",
        json!({ "role": "assistant", "tool_calls": [call("call_1", "{\"a\": 1}")],
                "raw_content_blocks": [tool_use(json!({ "a": 2 }))] }),
        json!([{ "type": "function_call", "call_id": "call_1", "name": "bash", "arguments": "{\"a\":2}" }]),
    );
    assert_items(
        "a reply without text has no message item",
        json!({ "role": "assistant", "content": "", "tool_calls": [call("call_1", "{}")] }),
        json!([{ "type": "function_call", "call_id": "call_1", "name": "bash", "arguments": "{}" }]),
    );
    assert_items(
        "an empty message gives no item",
        json!({ "role": "assistant" }),
        json!([]),
    );
}

#[test]
fn test_ch19_adjacent_blocks_share_a_message_item() {
    assert_items(
        "adjacent texts and images are one message; an image needs its `detail`",
        json!({ "role": "user", "raw_content_blocks": [
            text("Look:"), png(), text(""),
            { "type": "image", "source": { "type": "url", "url": "https://x/y.png" }, "detail": "low" },
            { "type": "document", "source": { "type": "base64_pdf", "media_type": "application/pdf", "data": "JVBE" },
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
        "a call separates two messages, and only the first has the id",
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
fn test_ch19_thinking_with_one_id_is_one_item() {
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
        "thinking blocks with one id are one item; thinking without an id is an item by itself",
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
        "of two encrypted contents with one id the later one counts, and a block without one keeps it",
        json!({ "role": "assistant", "raw_content_blocks": [
            thought("one", "rs_1", Some("ENC1")), thought("two", "rs_1", Some("ENC2")),
            thought("three", "rs_1", None),
        ] }),
        json!([{ "type": "reasoning", "id": "rs_1", "encrypted_content": "ENC2", "summary": [
            { "type": "summary_text", "text": "one" }, { "type": "summary_text", "text": "two" },
            { "type": "summary_text", "text": "three" } ] }]),
    );
    assert_items(
        "redacted thinking of another provider is not sent to this API",
        json!({ "role": "assistant", "raw_content_blocks": [
            { "type": "thinking", "thinking": "", "encrypted_content": "DATA", "redacted": true },
            text("Hi."),
        ] }),
        json!([{ "type": "message", "role": "assistant",
                 "content": [{ "type": "output_text", "text": "Hi." }] }]),
    );
}

#[test]
fn test_ch19_signature_is_sent_only_with_an_id() {
    assert_items(
        "signed thinking with an id keeps its signature; an earlier block may have the id alone",
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
        "of two signatures with one id the later one counts, and a later block without one keeps it",
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
        "a signature without an id is a signature of the Messages API, and this API does not know the field",
        json!({ "role": "assistant", "raw_content_blocks": [
            { "type": "thinking", "thinking": "t", "signature": "c2ln", "redacted": false } ] }),
        json!([{ "type": "reasoning", "summary": [{ "type": "summary_text", "text": "t" }] }]),
    );
}

#[test]
fn test_ch19_only_assistant_messages_think_and_call() {
    assert_items(
        "thinking and calls of a user message are not sent, since the API would attribute them to the model",
        json!({ "role": "user", "raw_content_blocks": [
            { "type": "thinking", "thinking": "a", "encrypted_content": "ENC", "redacted": false },
            tool_use(json!({})), text("Hi.") ] }),
        json!([{ "type": "message", "role": "user", "content": [
            { "type": "input_text", "text": "Hi." } ] }]),
    );
}

#[test]
fn test_ch19_tool_message_becomes_call_output() {
    assert_items(
        "a tool message becomes the output of its call",
        json!({ "role": "tool", "tool_call_id": "call_1", "content": "main.rs" }),
        json!([{ "type": "function_call_output", "call_id": "call_1", "output": "main.rs" }]),
    );
    let failed =
        json!({ "success": false, "duration_ms": 1.0, "tool_name": "bash", "arguments": "{}" });
    for (why, said, metadata, output) in [
        (
            "there is no field for a failure, so the text gets a prefix",
            "no such file",
            &failed,
            "error: no such file",
        ),
        (
            "every failure gets the prefix, whatever its text begins with",
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
            "the first text gets the prefix",
            true,
            json!([text("no such file"), png()]),
            json!([input_text("error: no such file"), input_png()]),
        ),
        (
            "without a text, the prefix becomes the first part",
            true,
            json!([png()]),
            json!([input_text("error: "), input_png()]),
        ),
        (
            "a success is unchanged",
            false,
            json!([text("shot:"), png()]),
            json!([input_text("shot:"), input_png()]),
        ),
        (
            "and an image gets no prefix",
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
        "an image makes the output a list",
        json!({ "role": "tool", "tool_call_id": "call_1", "raw_content_blocks": [text("shot:"), png()] }),
        json!([{ "type": "function_call_output", "call_id": "call_1", "output": [
            { "type": "input_text", "text": "shot:" },
            { "type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo=", "detail": "auto" },
        ] }]),
    );
    assert_items(
        "other content of a tool message becomes a user message, since the API has no role for it",
        json!({ "role": "tool", "raw_content_blocks": [
            { "type": "tool_result", "tool_use_id": "call_1", "content": "x" }, text("So?") ] }),
        json!([
            { "type": "function_call_output", "call_id": "call_1", "output": "x" },
            { "type": "message", "role": "user", "content": [{ "type": "input_text", "text": "So?" }] },
        ]),
    );
    let lost: ChatMessage = from_json(json!({ "role": "tool", "content": "main.rs" }));
    let error = lost
        .to_input_items()
        .expect_err("a result without a call id");
    assert!(
        error.to_string().contains("tool_call_id"),
        "the error should name `tool_call_id`: {error}"
    );
}

#[track_caller]
fn assert_items(why: &str, message: Value, items: Value) {
    let said = from_json::<ChatMessage>(json!({ "role": "user", "content": "Hi." }));
    assert!(
        said.to_input_items().is_ok_and(|items| items.len() == 1),
        "a message with one text is one item"
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

fn input_text(text: &str) -> Value {
    json!({ "type": "input_text", "text": text })
}

fn input_png() -> Value {
    json!({ "type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo=", "detail": "auto" })
}
