//! Section 18.9: From blocks to flat fields

use claw_code::chat::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch18_blocks_fill_the_flat_fields() {
    assert_flat(
        "each kind of block fills its field",
        "assistant",
        json!([
            { "type": "thinking", "thinking": "Hm.", "redacted": false },
            text("Let me look."),
            tool_use("call_1", json!({ "command": "ls" }))
        ]),
        json!({ "role": "assistant", "reasoning": "Hm.", "content": "Let me look.", "tool_calls": [bash_call()] }),
    );
}

#[test]
fn test_ch18_no_block_fills_no_field() {
    assert_flat(
        "no block, no field",
        "assistant",
        json!([]),
        json!({ "role": "assistant" }),
    );
    assert_flat(
        "an empty text is kept",
        "user",
        json!([text("")]),
        json!({ "role": "user", "content": "" }),
    );
}

#[test]
fn test_ch18_result_fills_a_tool_message() {
    assert_flat(
        "a result fills the fields of a tool message",
        "tool",
        json!([result("call_1", json!("ok"))]),
        json!({ "role": "tool", "tool_call_id": "call_1", "content": "ok" }),
    );
}

#[test]
fn test_ch18_several_texts_are_joined() {
    let blocks = json!([
        signed("First."),
        text("One."),
        signed("Then."),
        text("Two."),
        tool_use("call_1", json!({ "command": "ls" }))
    ]);
    assert_flat(
        "texts of one kind are joined with a newline, and the blocks are kept unchanged",
        "assistant",
        blocks.clone(),
        json!({
            "role": "assistant", "reasoning": "First.\nThen.", "content": "One.\nTwo.",
            "tool_calls": [bash_call()], "raw_content_blocks": blocks
        }),
    );
}

#[test]
fn test_ch18_texts_of_a_result_are_joined() {
    let content = json!([text("One."), image(), text("Two.")]);
    let blocks = json!([result("call_1", content)]);
    assert_flat(
        "the texts inside a result are joined too",
        "tool",
        blocks.clone(),
        json!({ "role": "tool", "tool_call_id": "call_1", "content": "One.\nTwo.", "raw_content_blocks": blocks }),
    );
}

#[test]
fn test_ch18_first_result_gives_the_id() {
    let blocks = json!([
        result("call_1", json!("One.")),
        result("call_2", json!("Two."))
    ]);
    assert_flat(
        "of two results, the first one's id is used",
        "tool",
        blocks.clone(),
        json!({ "role": "tool", "tool_call_id": "call_1", "content": "One.\nTwo.", "raw_content_blocks": blocks }),
    );
}

#[test]
fn test_ch18_signed_thinking_is_kept_as_a_block() {
    assert_kept(
        "a signature",
        "assistant",
        signed("Hm."),
        json!({ "reasoning": "Hm." }),
    );
    assert_kept(
        "thinking without visible text",
        "assistant",
        signed(""),
        json!({}),
    );
}

#[test]
fn test_ch18_redacted_thinking_is_kept_as_a_block() {
    assert_kept(
        "redacted thinking without text",
        "assistant",
        redacted(),
        json!({}),
    );
    assert_kept(
        "redacted thinking, whose text is not for display",
        "assistant",
        json!({ "type": "thinking", "thinking": "Hm.", "redacted": true }),
        json!({}),
    );
}

#[test]
fn test_ch18_block_without_a_field_is_kept() {
    assert_kept("an image", "user", image(), json!({}));
    assert_kept(
        "a flag that no field can hold",
        "tool",
        json!({ "type": "tool_result", "tool_use_id": "call_1", "content": "no", "is_error": true }),
        json!({ "tool_call_id": "call_1", "content": "no" }),
    );
    assert_kept(
        "a result in a message without a field for it",
        "assistant",
        result("call_1", json!("ok")),
        json!({}),
    );
}

#[test]
fn test_ch18_blocks_in_another_order_are_kept() {
    let blocks = json!([
        tool_use("call_1", json!({ "command": "ls" })),
        text("That was a call.")
    ]);
    assert_flat(
        "an order that differs from that of the fields",
        "assistant",
        blocks.clone(),
        json!({
            "role": "assistant", "content": "That was a call.", "tool_calls": [bash_call()],
            "raw_content_blocks": blocks
        }),
    );
}

#[test]
fn test_ch18_input_becomes_arguments() {
    for (input, arguments) in [
        (json!({}), "{}"),
        (
            json!({ "a": [1, 2.5, "é\n", null] }),
            "{\"a\":[1,2.5,\"é\\n\",null]}",
        ),
        (json!("{\"comm"), "{\"comm"),
        (json!("7"), "7"),
    ] {
        assert_flat(
            "an input becomes compact JSON, and a string is the model's own text",
            "assistant",
            json!([tool_use("call_1", input)]),
            json!({ "role": "assistant", "tool_calls": [call("call_1", "bash", arguments)] }),
        );
    }
}

#[test]
fn test_ch18_input_that_would_load_differently_is_kept() {
    for (input, arguments) in [
        (json!([1]), "[1]"),
        (json!("{}"), "{}"),
        (json!(null), "null"),
    ] {
        let blocks = json!([tool_use("call_1", input)]);
        assert_flat(
            "these arguments would load as a different input, so the blocks are kept",
            "assistant",
            blocks.clone(),
            json!({
                "role": "assistant", "tool_calls": [call("call_1", "bash", arguments)],
                "raw_content_blocks": blocks
            }),
        );
    }
}

/// Asserts that a message with this one block keeps it, and shows these fields.
#[track_caller]
fn assert_kept(why: &str, role: &str, block: Value, shown: Value) {
    let mut expected = shown;
    expected["role"] = json!(role);
    expected["raw_content_blocks"] = json!([block]);
    assert_flat(why, role, json!([block]), expected);
}

/// Asserts the result of from_blocks() as JSON. Also asserts that to_blocks() gives the blocks back.
#[track_caller]
fn assert_flat(why: &str, role: &str, blocks: Value, message: Value) {
    assert!(
        ChatMessage::from_blocks(Role::User, vec![])
            .content
            .is_none(),
        "no blocks give an empty message"
    );
    let made = ChatMessage::from_blocks(from_json(json!(role)), from_json(blocks.clone()));
    assert_json(
        &format!("{why}\n   blocks: {blocks}"),
        &to_json(&made),
        &message,
    );
    match made.to_blocks() {
        Ok(back) => assert_json(
            "to_blocks() should give the blocks back",
            &to_json(&back),
            &blocks,
        ),
        Err(error) => panic!("{why}\nand back, to_blocks() gave an error: {error}"),
    }
}
