//! Section 14.1: Blocks

use claw_code::agent::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch14_text_and_image_blocks() {
    assert_round_trip::<Content>(json!({ "type": "text", "text": "hi" }));
    assert_round_trip::<Content>(json!({
        "type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"
    }));
}

#[test]
fn test_ch14_thinking_block() {
    assert_round_trip::<Content>(json!({ "type": "thinking", "thinking": "plan" }));
    // A seal goes back as it came, whatever is in it.
    for seal in ["EqQBCgIYAhIM", "", " a/b+c==\n", "{\"type\":\"text\"}"] {
        assert_round_trip::<Content>(json!({
            "type": "thinking", "thinking": "plan", "signature": seal
        }));
    }
    assert_loads_as::<Content>(
        json!({ "type": "thinking", "thinking": "plan", "signature": null }),
        json!({ "type": "thinking", "thinking": "plan" }),
    );
}

#[test]
fn test_ch14_tool_call_block() {
    for arguments in [
        json!({ "command": "ls" }),
        json!({ "deep": [{ "a": null }, -1, 0.5, "x", 18446744073709551615u64] }),
        json!({}),
        json!("not what the tool asked for"),
        json!(null),
    ] {
        assert_round_trip::<Content>(json!({
            "type": "toolCall", "id": "t1", "name": "bash", "arguments": arguments
        }));
    }
}

#[test]
fn test_ch14_unknown_blocks_and_fields_are_kept() {
    let text = json!({ "type": "text", "text": "hi" });
    for (why, block, known) in [
        (
            "an unknown field stays beside the known ones",
            json!({ "type": "text", "text": "hi", "citations": [{ "url": "a" }] }),
            Some(text.clone()),
        ),
        (
            "an unknown field may stand before the type",
            json!({ "a": 1, "type": "text", "text": "hi" }),
            Some(text),
        ),
        (
            "a block of an unknown type stays as it is",
            json!({ "type": "audio", "data": "AAAA", "mimeType": "audio/wav" }),
            None,
        ),
    ] {
        let read: Content = read(&block.to_string());
        assert_json(why, &to_json(&read), &block);
        assert_eq!(
            read.known().map(to_json),
            known,
            "`known` is the block without what is unknown: {block}"
        );
    }
    assert_loads_as::<Content>(
        json!({ "type": "text", "text": "hi", "citations": null }),
        json!({ "type": "text", "text": "hi" }),
    );
}

#[test]
fn test_ch14_broken_blocks_are_refused() {
    for (broken, word) in [
        (r#"{"text":"hi"}"#, "type"),
        (r#"{"type":"text"}"#, "text"),
        (r#"{"type":"image","data":"iVBORw0KGgo="}"#, "mimeType"),
        (r#"{"type":"thinking","signature":"s"}"#, "thinking"),
        (
            r#"{"type":"toolCall","name":"bash","arguments":{}}"#,
            "missing field `id`",
        ),
        (
            r#"{"type":"toolCall","id":"t1","name":"bash"}"#,
            "arguments",
        ),
    ] {
        assert_refused::<Content>(broken, word);
    }
}
