//! Section 18.9: From blocks to fields

use claw_code::chat::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch18_blocks_show_in_the_flat_fields() {
    assert_flat(
        "each kind of block shows in its field",
        "assistant",
        json!([
            { "type": "thinking", "thinking": "Hm.", "redacted": false },
            text("Let me look."),
            tool_use("call_1", json!({ "command": "ls" }))
        ]),
        json!({ "role": "assistant", "reasoning": "Hm.", "content": "Let me look.", "tool_calls": [bash_call()] }),
    );
    assert_flat(
        "no block, no field",
        "assistant",
        json!([]),
        json!({ "role": "assistant" }),
    );
    assert_flat(
        "an empty text is a text",
        "user",
        json!([text("")]),
        json!({ "role": "user", "content": "" }),
    );
    assert_flat(
        "a result shows in the fields of a tool message",
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
        "texts of one kind are joined with a newline, and the blocks are kept as they were",
        "assistant",
        blocks.clone(),
        json!({
            "role": "assistant", "reasoning": "First.\nThen.", "content": "One.\nTwo.",
            "tool_calls": [bash_call()], "raw_content_blocks": blocks
        }),
    );
    let blocks = json!([result(
        "call_1",
        json!([text("One."), image(), text("Two.")])
    )]);
    assert_flat(
        "the texts inside a result as well",
        "tool",
        blocks.clone(),
        json!({ "role": "tool", "tool_call_id": "call_1", "content": "One.\nTwo.", "raw_content_blocks": blocks }),
    );
    let blocks = json!([
        result("call_1", json!("One.")),
        result("call_2", json!("Two."))
    ]);
    assert_flat(
        "of two results the first has the id that shows",
        "tool",
        blocks.clone(),
        json!({ "role": "tool", "tool_call_id": "call_1", "content": "One.\nTwo.", "raw_content_blocks": blocks }),
    );
}

#[test]
fn test_ch18_raw_blocks_are_kept_when_they_must_be() {
    for (why, role, block, shown) in [
        (
            "a signature",
            "assistant",
            signed("Hm."),
            json!({ "reasoning": "Hm." }),
        ),
        (
            "redacted thinking, which has no words to show",
            "assistant",
            redacted(),
            json!({}),
        ),
        (
            "redacted thinking, whose words are not for people",
            "assistant",
            json!({ "type": "thinking", "thinking": "Hm.", "redacted": true }),
            json!({}),
        ),
        (
            "thinking whose words the provider keeps to itself",
            "assistant",
            json!({ "type": "thinking", "thinking": "", "signature": "s", "redacted": false }),
            json!({}),
        ),
        ("an image", "user", image(), json!({})),
        (
            "a mark that no field has",
            "tool",
            json!({ "type": "tool_result", "tool_use_id": "call_1", "content": "no", "is_error": true }),
            json!({ "tool_call_id": "call_1", "content": "no" }),
        ),
        (
            "a result where no field is for it",
            "assistant",
            result("call_1", json!("ok")),
            json!({}),
        ),
    ] {
        let mut expected = shown;
        expected["role"] = json!(role);
        expected["raw_content_blocks"] = json!([block]);
        assert_flat(why, role, json!([block]), expected);
    }
    let blocks = json!([
        tool_use("call_1", json!({ "command": "ls" })),
        text("That was a call.")
    ]);
    assert_flat(
        "an order that is not that of the fields",
        "assistant",
        blocks.clone(),
        json!({
            "role": "assistant", "content": "That was a call.", "tool_calls": [bash_call()],
            "raw_content_blocks": blocks
        }),
    );
}

#[test]
fn test_ch18_input_is_written_as_arguments() {
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
            "an input is compact JSON, and a string is what the model wrote, to the letter",
            "assistant",
            json!([tool_use("call_1", input)]),
            json!({ "role": "assistant", "tool_calls": [call("call_1", "bash", arguments)] }),
        );
    }
    for (input, arguments) in [
        (json!([1]), "[1]"),
        (json!("{}"), "{}"),
        (json!(null), "null"),
    ] {
        let blocks = json!([tool_use("call_1", input)]);
        assert_flat(
            "these arguments would be read as another input, so the blocks are kept",
            "assistant",
            blocks.clone(),
            json!({
                "role": "assistant", "tool_calls": [call("call_1", "bash", arguments)],
                "raw_content_blocks": blocks
            }),
        );
    }
}

/// What from_blocks() makes of some blocks; and they can be had back.
#[track_caller]
fn assert_flat(why: &str, role: &str, blocks: Value, message: Value) {
    assert!(
        ChatMessage::from_blocks(Role::User, vec![])
            .content
            .is_none(),
        "a message of no blocks says nothing"
    );
    let made = ChatMessage::from_blocks(from_json(json!(role)), from_json(blocks.clone()));
    assert_json(
        &format!("{why}\n   blocks: {blocks}"),
        &to_json(&made),
        &message,
    );
    match made.to_blocks() {
        Ok(back) => assert_json(
            "to_blocks() of what from_blocks() made gives the blocks again",
            &to_json(&back),
            &blocks,
        ),
        Err(error) => panic!("{why}\nand back, to_blocks() gave an error: {error}"),
    }
}
