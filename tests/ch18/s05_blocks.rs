//! Section 18.5: Blocks

use claw_code::chat::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch18_blocks_round_trip() {
    for block in [
        text("Hi."),
        json!({ "type": "image", "source": { "type": "url", "url": "https://a.example/b.png" } }),
        image(),
        json!({ "type": "image", "detail": "low",
                "source": { "type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo=" } }),
        json!({ "type": "document", "title": "The plan",
                "source": { "type": "base64_pdf", "media_type": "application/pdf", "data": "JVBERi0=" } }),
        json!({ "type": "document", "source": { "type": "text", "media_type": "text/plain", "data": "Hi." } }),
        json!({ "type": "document", "source": { "type": "url_pdf", "url": "https://a.example/b.pdf" } }),
        tool_use(
            "call_1",
            json!({ "command": "ls", "lines": [1, 2.5, null] }),
        ),
    ] {
        assert_round_trip::<UnifiedContentBlock>(block);
    }
}

#[test]
fn test_ch18_unified_messages_round_trip() {
    for message in [
        json!({ "role": "system", "content": [text("Be brief.")] }),
        json!({ "role": "user", "content": [] }),
        json!({ "role": "assistant", "content": [text("a"), image()] }),
    ] {
        assert_round_trip::<UnifiedMessage>(message);
    }
}

#[test]
fn test_ch18_thinking_blocks_round_trip() {
    for block in [
        json!({ "type": "thinking", "thinking": "Hm.", "redacted": false }),
        signed("Hm."),
        redacted(),
        json!({ "type": "thinking", "thinking": "Hm.", "signature": "s", "encrypted_content": "e",
                "id": "rs_1", "redacted": false }),
    ] {
        assert_round_trip::<UnifiedContentBlock>(block);
    }
}

#[test]
fn test_ch18_thinking_is_not_redacted_by_default() {
    assert_json(
        "`redacted` defaults to `false` and is always written",
        &to_json(&from_json::<UnifiedContentBlock>(
            json!({ "type": "thinking", "thinking": "Hm." }),
        )),
        &json!({ "type": "thinking", "thinking": "Hm.", "redacted": false }),
    );
}

#[test]
fn test_ch18_older_document_sources_load() {
    for (older, source) in [
        (
            json!({ "type": "base64", "media_type": "application/pdf", "data": "JVBERi0=" }),
            json!({ "type": "base64_pdf", "media_type": "application/pdf", "data": "JVBERi0=" }),
        ),
        (
            json!({ "type": "url", "url": "https://a.example/b.pdf" }),
            json!({ "type": "url_pdf", "url": "https://a.example/b.pdf" }),
        ),
    ] {
        let block: UnifiedContentBlock =
            from_json(json!({ "type": "document", "title": "The plan", "source": older }));
        assert_json(
            "older type names load and are not written",
            &to_json(&block),
            &json!({ "type": "document", "title": "The plan", "source": source }),
        );
    }
}

#[test]
fn test_ch18_unknown_blocks_and_fields_are_kept() {
    for (block, known) in [
        (
            json!({ "type": "text", "text": "Hi.", "citations": [{ "url": "a" }] }),
            Some(text("Hi.")),
        ),
        (
            json!({ "type": "image", "source": { "type": "url", "url": "a", "width": 20 } }),
            Some(json!({ "type": "image", "source": { "type": "url", "url": "a" } })),
        ),
        (
            json!({ "type": "image",
                    "source": { "type": "url", "url": "a", "media_type": "image/png" } }),
            Some(json!({ "type": "image", "source": { "type": "url", "url": "a" } })),
        ),
        (json!({ "type": "compaction" }), None),
        (
            json!({ "type": "compaction", "id": "c", "content": "s", "encrypted_content": "e" }),
            None,
        ),
        (json!({ "type": "ToolUse", "id": "a" }), None),
    ] {
        assert_round_trip::<UnifiedContentBlock>(block.clone());
        let read: UnifiedContentBlock = from_json(block.clone());
        assert_eq!(
            read.known().map(to_json),
            known,
            "`known` is the block without its unknown parts: {block}"
        );
    }
}

#[test]
fn test_ch18_raw_blocks_round_trip() {
    assert_round_trip::<ChatMessage>(json!({
        "role": "assistant", "content": "Let me look.", "reasoning": "Hm.",
        "raw_content_blocks": [signed("Hm."), text("Let me look."), tool_use("call_1", json!({}))]
    }));
    assert_round_trip::<ChatMessage>(json!({ "role": "user", "raw_content_blocks": [] }));
}

#[test]
fn test_ch18_broken_blocks_are_rejected() {
    let call = json!({ "type": "tool_use", "id": "a", "name": "b" });
    for (named, block) in [
        ("type", json!({ "text": "a" })),
        ("text", json!({ "type": "text" })),
        ("thinking", json!({ "type": "thinking", "signature": "s" })),
        ("input", call),
    ] {
        let error = rejected::<UnifiedContentBlock>(block, "the block has a missing field");
        assert!(
            error.contains(named),
            "the error should name the missing field `{named}`: {error}"
        );
    }
}

#[test]
fn test_ch18_broken_image_sources_are_rejected() {
    for (named, source) in [
        ("file", json!({ "type": "file", "file_id": "f" })),
        ("media_type", json!({ "type": "base64", "data": "iVBO" })),
    ] {
        let image = json!({ "type": "image", "source": source });
        let error = rejected::<UnifiedContentBlock>(image, "the image has a wrong source");
        assert!(
            error.contains(named),
            "the error should name `{named}`: {error}"
        );
    }
}
