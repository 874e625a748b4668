//! Section 14.1: Content blocks

use claw_code::agent::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch14_text_and_image_blocks_round_trip() {
    assert_round_trip::<Content>(json!({ "type": "text", "text": "hi" }));
    assert_round_trip::<Content>(json!({
        "type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"
    }));
}

#[test]
fn test_ch14_thinking_block_round_trips() {
    assert_round_trip::<Content>(json!({ "type": "thinking", "thinking": "plan" }));
    // A signature is kept unchanged, whatever it contains.
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
fn test_ch14_tool_call_block_round_trips() {
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
fn test_ch14_fields_of_a_block_have_the_names_on_the_page() {
    for (block, names) in [
        (
            json!({ "type": "thinking", "thinking": "plan", "signature": "s" }),
            r#"Thinking { thinking: "plan", signature: Some("s") }"#,
        ),
        (
            json!({ "type": "toolCall", "id": "t1", "name": "bash", "arguments": 1 }),
            r#"ToolCall { id: "t1", name: "bash", arguments: Number(1) }"#,
        ),
    ] {
        let block: Content = read(&block.to_string());
        assert_eq!(
            format!("{block:?}"),
            names,
            "later chapters need these names"
        );
    }
}

#[test]
fn test_ch14_unknown_fields_of_a_block_are_kept() {
    for (why, block) in [
        (
            "an unknown field is kept",
            json!({ "type": "text", "text": "hi", "citations": [{ "url": "a" }] }),
        ),
        (
            "an unknown field may come before the type",
            json!({ "a": 1, "type": "text", "text": "hi" }),
        ),
    ] {
        let read: Content = read(&block.to_string());
        assert_json(why, &to_json(&read), &block);
        assert_json(
            "`known` is the block without its unknown parts",
            &to_json(&read.known()),
            &json!({ "type": "text", "text": "hi" }),
        );
    }
}

#[test]
fn test_ch14_unknown_blocks_are_kept() {
    let blocks = json!([
        { "type": "audio", "data": "AAAA", "mimeType": "audio/wav" },
        { "type": "text", "text": "hi" }
    ]);
    let read: Vec<Content> = read(&blocks.to_string());
    assert_json(
        "a block of an unknown type is kept unchanged beside the others",
        &to_json(&read),
        &blocks,
    );
    let known: Vec<bool> = read.iter().map(|block| block.known().is_some()).collect();
    assert_eq!(
        known,
        [false, true],
        "a block of an unknown type has no known part"
    );
}

#[test]
fn test_ch14_unknown_field_without_a_value_is_left_out() {
    assert_loads_as::<Content>(
        json!({ "type": "text", "text": "hi", "citations": null }),
        json!({ "type": "text", "text": "hi" }),
    );
}

#[test]
fn test_ch14_broken_blocks_are_rejected() {
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
            r#"{"type":"toolCall","id":"t1","arguments":{}}"#,
            "missing field `name`",
        ),
        (
            r#"{"type":"toolCall","id":"t1","name":"bash"}"#,
            "arguments",
        ),
        (
            r#"{"type":"audio","type":"text"}"#,
            "duplicate field `type`",
        ),
    ] {
        assert_rejected::<Content>(broken, word);
    }
}
