//! Section 19.1: Blocks for the Messages API

use claw_code::chat::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch19_each_block_has_its_messages_form() {
    for (why, role, block, wire) in [
        ("words", "user", text("Hi."), Some(text("Hi."))),
        ("the API rejects an empty text", "assistant", text(""), None),
        ("the API rejects whitespace", "user", text(" \n"), None),
        (
            "an image, without the field that this API does not know",
            "user",
            json!({ "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": "iVBO" }, "detail": "low" }),
            Some(
                json!({ "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": "iVBO" } }),
            ),
        ),
        (
            "signed thoughts, untouched",
            "assistant",
            json!({ "type": "thinking", "thinking": " a\n", "signature": "c2ln+/=", "redacted": false }),
            Some(json!({ "type": "thinking", "thinking": " a\n", "signature": "c2ln+/=" })),
        ),
        (
            "signed thinking without text",
            "assistant",
            json!({ "type": "thinking", "thinking": "", "signature": "c2ln", "redacted": false }),
            Some(json!({ "type": "thinking", "thinking": "", "signature": "c2ln" })),
        ),
        (
            "an empty signature counts as missing",
            "assistant",
            json!({ "type": "thinking", "thinking": "a", "signature": "", "redacted": false }),
            None,
        ),
        (
            "withheld thoughts, untouched",
            "assistant",
            json!({ "type": "thinking", "thinking": "", "encrypted_content": "DATA==", "redacted": true }),
            Some(json!({ "type": "redacted_thinking", "data": "DATA==" })),
        ),
        (
            "the API rejects thinking without a signature",
            "assistant",
            json!({ "type": "thinking", "thinking": "a", "redacted": false }),
            None,
        ),
        (
            "thinking in a user message",
            "user",
            json!({ "type": "thinking", "thinking": "a", "signature": "c2ln", "redacted": false }),
            None,
        ),
        (
            "redacted thinking in a user message",
            "user",
            json!({ "type": "thinking", "thinking": "", "encrypted_content": "DATA==", "redacted": true }),
            None,
        ),
        (
            "an image in an assistant message becomes a line of text",
            "assistant",
            png(),
            Some(text(
                "[an image (image/png) was here; this connection cannot carry it]",
            )),
        ),
        (
            "a document in a user message, in the spelling of this API",
            "user",
            json!({ "type": "document", "title": "a.pdf", "source": { "type": "base64_pdf", "media_type": "application/pdf", "data": "JVBE" } }),
            Some(
                json!({ "type": "document", "title": "a.pdf", "source": { "type": "base64", "media_type": "application/pdf", "data": "JVBE" } }),
            ),
        ),
        (
            "a text document becomes its text where documents are not allowed",
            "assistant",
            json!({ "type": "document", "source": { "type": "text", "media_type": "text/plain", "data": "Notes." } }),
            Some(text("Notes.")),
        ),
        (
            "a call in a user message",
            "user",
            tool_use(json!({})),
            None,
        ),
        (
            "thinking of another provider",
            "assistant",
            json!({ "type": "thinking", "thinking": "a", "id": "rs_1", "encrypted_content": "ENC", "redacted": false }),
            None,
        ),
        (
            "arguments that are not an object are wrapped in one",
            "assistant",
            tool_use(json!("{\"comm")),
            Some(tool_use(json!({ "raw_arguments": "{\"comm" }))),
        ),
        (
            "a failure has a field in this API",
            "user",
            json!({ "type": "tool_result", "tool_use_id": "call_1", "content": "no", "is_error": true }),
            Some(
                json!({ "type": "tool_result", "tool_use_id": "call_1", "content": "no", "is_error": true }),
            ),
        ),
        (
            "output that begins like a failure is not a failure",
            "user",
            json!({ "type": "tool_result", "tool_use_id": "call_1", "content": "error: 3 warnings" }),
            Some(
                json!({ "type": "tool_result", "tool_use_id": "call_1", "content": "error: 3 warnings" }),
            ),
        ),
        (
            "a block of an unknown type",
            "assistant",
            json!({ "type": "compaction", "content": "s" }),
            None,
        ),
        (
            "a block is sent without an unknown field",
            "assistant",
            json!({ "type": "text", "text": "Hi.", "citations": [1] }),
            Some(text("Hi.")),
        ),
        (
            "a result of other JSON is sent as its text",
            "user",
            json!({ "type": "tool_result", "tool_use_id": "call_1", "content": { "a": 1 } }),
            Some(json!({ "type": "tool_result", "tool_use_id": "call_1", "content": "{\"a\":1}" })),
        ),
        (
            "a result of several blocks",
            "user",
            json!({ "type": "tool_result", "tool_use_id": "call_1", "content": [text("a"), text("")] }),
            Some(json!({ "type": "tool_result", "tool_use_id": "call_1", "content": [text("a")] })),
        ),
    ] {
        let made = wire_block(from_json(json!(role)), &from_json(block.clone()));
        assert_json(
            &format!("{why}; in a turn with the role `{role}`: {block}"),
            &to_json(&made),
            &wire.unwrap_or(Value::Null),
        );
    }
}
