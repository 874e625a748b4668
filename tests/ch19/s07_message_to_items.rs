//! Section 19.7: From a message to items

use claw_code::chat::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch19_input_for_the_model_becomes_message_item() {
    for role in ["system", "developer", "user"] {
        assert_items(
            "text becomes one message item of `input_text`",
            json!({ "role": role, "content": "Hi.", "id": "msg_1", "status": "completed" }),
            json!([{ "type": "message", "role": role, "content": [input_text("Hi.")] }]),
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
            { "type": "reasoning", "summary": [summary("List first.")] },
            { "type": "message", "role": "assistant", "id": "msg_1", "status": "incomplete",
              "content": [output_text("Let me look.")] },
            call_item("call_1", "{\"b\": 1,  \"a\": 2}"),
            call_item("call_2", "{}"),
        ]),
    );
}

#[test]
fn test_ch19_changed_block_replaces_outdated_arguments() {
    assert_items(
        "if a raw block was changed, the original arguments text is outdated and the block is sent",
        json!({ "role": "assistant", "tool_calls": [call("call_1", "{\"a\": 1}")],
                "raw_content_blocks": [tool_use(json!({ "a": 2 }))] }),
        json!([call_item("call_1", "{\"a\":2}")]),
    );
}

#[test]
fn test_ch19_items_have_no_unknown_blocks_and_fields() {
    let mut newer = tool_use(json!({ "a": 1 }));
    newer["caller"] = json!("direct");
    assert_items(
        "a block of an unknown type is left out, and thinking and a call are sent without their unknown fields",
        json!({ "role": "assistant", "raw_content_blocks": [
            thought("t", json!({ "encrypted_content": "ENC", "tokens": 12 })),
            { "type": "compaction", "content": "s" },
            newer,
        ] }),
        json!([
            { "type": "reasoning", "encrypted_content": "ENC", "summary": [summary("t")] },
            call_item("call_1", "{\"a\":1}"),
        ]),
    );
}

#[test]
fn test_ch19_reply_without_text_has_no_message_item() {
    assert_items(
        "a reply without text has no message item",
        json!({ "role": "assistant", "content": "", "tool_calls": [call("call_1", "{}")] }),
        json!([call_item("call_1", "{}")]),
    );
    assert_items(
        "an empty message gives no item",
        json!({ "role": "assistant" }),
        json!([]),
    );
}

#[test]
fn test_ch19_adjacent_blocks_share_a_message_item() {
    let photo = json!({ "type": "url", "url": "https://x/y.png" });
    let pdf = json!({ "type": "base64_pdf", "media_type": "application/pdf", "data": "JVBE" });
    assert_items(
        "adjacent texts and images are one message; an image needs its `detail`",
        json!({ "role": "user", "raw_content_blocks": [
            text("Look:"), png(), text(""),
            { "type": "image", "source": photo, "detail": "low" },
            { "type": "document", "source": pdf, "title": "a.pdf" },
        ] }),
        json!([{ "type": "message", "role": "user", "content": [
            input_text("Look:"),
            input_png(),
            { "type": "input_image", "image_url": "https://x/y.png", "detail": "low" },
            { "type": "input_file", "filename": "a.pdf", "file_data": "data:application/pdf;base64,JVBE" },
        ] }]),
    );
}

#[test]
fn test_ch19_call_separates_two_message_items() {
    assert_items(
        "a call separates two messages, and only the first has the id",
        json!({ "role": "assistant", "id": "msg_1", "raw_content_blocks": [
            text("a"), text("b"), tool_use(json!({})), text("c") ] }),
        json!([
            { "type": "message", "role": "assistant", "id": "msg_1",
              "content": [output_text("a"), output_text("b")] },
            call_item("call_1", "{}"),
            { "type": "message", "role": "assistant", "content": [output_text("c")] },
        ]),
    );
}

#[test]
fn test_ch19_thinking_separates_two_message_items() {
    assert_items(
        "thinking between two texts separates two messages, since items keep the order of the blocks",
        json!({ "role": "assistant", "id": "msg_1", "raw_content_blocks": [
            text("a"), thought("t", json!({ "id": "rs_1" })), text("b") ] }),
        json!([
            { "type": "message", "role": "assistant", "id": "msg_1", "content": [output_text("a")] },
            { "type": "reasoning", "id": "rs_1", "summary": [summary("t")] },
            { "type": "message", "role": "assistant", "content": [output_text("b")] },
        ]),
    );
}

#[test]
fn test_ch19_first_message_item_has_the_id_even_after_a_call() {
    assert_items(
        "the first message item has the id and the status, whatever items are before it",
        json!({ "role": "assistant", "id": "msg_1", "status": "completed",
                "raw_content_blocks": [tool_use(json!({})), text("a")] }),
        json!([
            call_item("call_1", "{}"),
            { "type": "message", "role": "assistant", "id": "msg_1", "status": "completed",
              "content": [output_text("a")] },
        ]),
    );
}

#[test]
fn test_ch19_only_the_first_message_item_has_the_status() {
    assert_items(
        "a message has one status, and only its first message item has it",
        json!({ "role": "assistant", "status": "incomplete", "raw_content_blocks": [
            text("a"), tool_use(json!({})), text("b") ] }),
        json!([
            { "type": "message", "role": "assistant", "status": "incomplete",
              "content": [output_text("a")] },
            call_item("call_1", "{}"),
            { "type": "message", "role": "assistant", "content": [output_text("b")] },
        ]),
    );
}

#[test]
fn test_ch19_thinking_with_one_id_is_one_item() {
    assert_items(
        "thinking blocks with one id are one item; thinking without an id is an item by itself",
        json!({ "role": "assistant", "raw_content_blocks": [
            thought("one", json!({ "id": "rs_1" })),
            thought("two", json!({ "id": "rs_1", "encrypted_content": "ENC1" })),
            thought("", json!({ "id": "rs_2", "encrypted_content": "ENC2" })),
            thought("x", json!({})),
            thought("y", json!({ "encrypted_content": "OLD" })),
        ] }),
        json!([
            { "type": "reasoning", "id": "rs_1", "encrypted_content": "ENC1",
              "summary": [summary("one"), summary("two")] },
            { "type": "reasoning", "id": "rs_2", "encrypted_content": "ENC2", "summary": [] },
            { "type": "reasoning", "summary": [summary("x")] },
            { "type": "reasoning", "encrypted_content": "OLD", "summary": [summary("y")] },
        ]),
    );
}

#[test]
fn test_ch19_later_encrypted_content_counts() {
    assert_items(
        "of two encrypted contents with one id the later one counts, and a block without one keeps it",
        json!({ "role": "assistant", "raw_content_blocks": [
            thought("one", json!({ "id": "rs_1", "encrypted_content": "ENC1" })),
            thought("two", json!({ "id": "rs_1", "encrypted_content": "ENC2" })),
            thought("three", json!({ "id": "rs_1" })),
        ] }),
        json!([{ "type": "reasoning", "id": "rs_1", "encrypted_content": "ENC2",
                 "summary": [summary("one"), summary("two"), summary("three")] }]),
    );
}

#[test]
fn test_ch19_redacted_thinking_is_no_item() {
    assert_items(
        "redacted thinking of another provider is not sent to this API",
        json!({ "role": "assistant", "raw_content_blocks": [redacted("DATA"), text("Hi.")] }),
        json!([{ "type": "message", "role": "assistant", "content": [output_text("Hi.")] }]),
    );
}

#[test]
fn test_ch19_signature_with_an_id_is_sent() {
    assert_items(
        "signed thinking with an id keeps its signature; an earlier block may have the id alone",
        json!({ "role": "assistant", "raw_content_blocks": [
            thought("one", json!({ "id": "rs_1" })),
            thought("two", json!({ "id": "rs_1", "signature": "c2ln" })),
            thought("", json!({ "id": "rs_2", "signature": "c2ln", "encrypted_content": "ENC" })),
        ] }),
        json!([
            { "type": "reasoning", "id": "rs_1", "signature": "c2ln",
              "summary": [summary("one"), summary("two")] },
            { "type": "reasoning", "id": "rs_2", "signature": "c2ln", "encrypted_content": "ENC",
              "summary": [] },
        ]),
    );
}

#[test]
fn test_ch19_later_signature_counts() {
    assert_items(
        "of two signatures with one id the later one counts, and a later block without one keeps it",
        json!({ "role": "assistant", "raw_content_blocks": [
            thought("one", json!({ "id": "rs_1", "signature": "ZXJzdA==" })),
            thought("two", json!({ "id": "rs_1", "signature": "c2ln" })),
            thought("three", json!({ "id": "rs_1" })),
        ] }),
        json!([{ "type": "reasoning", "id": "rs_1", "signature": "c2ln",
                 "summary": [summary("one"), summary("two"), summary("three")] }]),
    );
}

#[test]
fn test_ch19_signature_is_sent_only_with_an_id() {
    assert_items(
        "a signature without an id is a signature of the Messages API, and this API does not know the field",
        json!({ "role": "assistant", "raw_content_blocks": [signed("t", "c2ln")] }),
        json!([{ "type": "reasoning", "summary": [summary("t")] }]),
    );
}

#[test]
fn test_ch19_only_assistant_messages_think_and_call() {
    assert_items(
        "thinking and calls of a user message are not sent, since the API would attribute them to the model",
        json!({ "role": "user", "raw_content_blocks": [
            thought("a", json!({ "encrypted_content": "ENC" })), tool_use(json!({})), text("Hi.") ] }),
        json!([{ "type": "message", "role": "user", "content": [input_text("Hi.")] }]),
    );
}

#[test]
fn test_ch19_tool_message_becomes_call_output() {
    assert_items(
        "a tool message becomes the output of its call",
        json!({ "role": "tool", "tool_call_id": "call_1", "content": "main.rs" }),
        json!([output(json!("main.rs"))]),
    );
}

#[test]
fn test_ch19_output_of_a_failed_call_has_a_prefix() {
    for said in ["no such file", "error: no such file"] {
        assert_items(
            "a failure has no field, so its text gets a prefix, whatever the text begins with",
            json!({ "role": "tool", "tool_call_id": "call_1", "content": said,
                    "tool_metadata": { "success": false, "duration_ms": 1.0, "tool_name": "bash", "arguments": "{}" } }),
            json!([output(json!(format!("error: {said}")))]),
        );
    }
}

#[test]
fn test_ch19_output_of_a_success_is_unchanged() {
    let warnings = "error: 3 warnings";
    assert_items(
        "the output of a success stays unchanged",
        json!({ "role": "tool", "tool_call_id": "call_1", "content": warnings, "tool_metadata": null }),
        json!([output(json!(warnings))]),
    );
    assert_output(
        "a success is unchanged",
        json!({ "content": [text("shot:"), png()], "is_error": false }),
        json!([input_text("shot:"), input_png()]),
    );
    assert_output(
        "and an image of a success gets no prefix",
        json!({ "content": [png()], "is_error": false }),
        json!([input_png()]),
    );
}

#[test]
fn test_ch19_prefix_of_a_failure_goes_to_the_first_text() {
    assert_output(
        "the first text gets the prefix",
        json!({ "content": [text("no such file"), png()], "is_error": true }),
        json!([input_text("error: no such file"), input_png()]),
    );
    assert_output(
        "without a text, the prefix becomes the first part",
        json!({ "content": [png()], "is_error": true }),
        json!([input_text("error: "), input_png()]),
    );
}

#[test]
fn test_ch19_image_makes_the_output_a_list() {
    assert_items(
        "an image makes the output a list",
        json!({ "role": "tool", "tool_call_id": "call_1", "raw_content_blocks": [text("shot:"), png()] }),
        json!([output(json!([input_text("shot:"), input_png()]))]),
    );
}

#[test]
fn test_ch19_other_content_of_a_tool_message_is_input() {
    assert_items(
        "other content of a tool message becomes a user message, since the API has no role for it",
        json!({ "role": "tool", "raw_content_blocks": [tool_result(json!("x")), text("So?")] }),
        json!([
            output(json!("x")),
            { "type": "message", "role": "user", "content": [input_text("So?")] },
        ]),
    );
}

#[test]
fn test_ch19_result_without_a_call_id_is_an_error() {
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

/// Fails unless a result with these fields is sent with `expected` as its output.
#[track_caller]
fn assert_output(why: &str, fields: Value, expected: Value) {
    let mut result = tool_result(fields["content"].clone());
    result["is_error"] = fields["is_error"].clone();
    assert_items(
        why,
        json!({ "role": "tool", "raw_content_blocks": [result] }),
        json!([output(expected)]),
    );
}
