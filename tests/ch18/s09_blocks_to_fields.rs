//! Section 18.9: From blocks to flat fields

use claw_code::chat::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch18_blocks_fill_the_flat_fields() {
    for role in ["assistant", "user", "system", "developer"] {
        assert_flat(
            "each kind of block fills its field, for every role",
            role,
            json!([
                { "type": "thinking", "thinking": "Hm.", "redacted": false },
                text("Let me look."),
                tool_use("call_1", json!({ "command": "ls" })),
                tool_use("call_2", json!({}))
            ]),
            json!({ "role": role, "reasoning": "Hm.", "content": "Let me look.", "tool_calls": [bash_call(), call("call_2", "bash", "{}")] }),
        );
    }
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
    assert_flat(
        "only an empty thinking fills no field",
        "assistant",
        json!([{ "type": "thinking", "thinking": "\n", "redacted": false }]),
        json!({ "role": "assistant", "reasoning": "\n" }),
    );
}

#[test]
fn test_ch18_result_fills_a_tool_message() {
    for content in ["ok", ""] {
        assert_flat(
            "a result fills the fields of a tool message",
            "tool",
            json!([result("call_1", json!(content))]),
            json!({ "role": "tool", "tool_call_id": "call_1", "content": content }),
        );
    }
}

#[test]
fn test_ch18_json_of_a_result_is_shown() {
    for (content, shown) in [
        (json!({ "exit_code": 0 }), "{\"exit_code\":0}"),
        (json!(null), ""),
    ] {
        assert_kept(
            "a result with other JSON shows its text, as text_of_json() makes it",
            "tool",
            result("call_1", content),
            json!({ "tool_call_id": "call_1", "content": shown }),
        );
    }
}

#[test]
fn test_ch18_known_part_of_a_block_is_shown() {
    let cited = json!({ "type": "text", "text": "Hi.", "citations": [] });
    assert_kept(
        "a text with an unknown field shows its text",
        "user",
        cited.clone(),
        json!({ "content": "Hi." }),
    );
    assert_kept(
        "so does one inside a result",
        "tool",
        result("call_1", json!([cited])),
        json!({ "tool_call_id": "call_1", "content": "Hi." }),
    );
    assert_kept(
        "a block of an unknown type shows nothing",
        "user",
        json!({ "type": "compaction", "content": "Hi." }),
        json!({}),
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
    let thinking = json!({ "type": "thinking", "thinking": "Hm.", "redacted": false });
    let call = tool_use("call_2", json!({}));
    let content = json!([
        text("One."),
        image(),
        text(""),
        thinking,
        call,
        text("Two.")
    ]);
    let blocks = json!([result("call_1", content)]);
    assert_flat(
        "the texts inside a result are joined too",
        "tool",
        blocks.clone(),
        json!({ "role": "tool", "tool_call_id": "call_1", "content": "One.\n\nTwo.", "raw_content_blocks": blocks }),
    );
}

#[test]
fn test_ch18_first_result_gives_the_id() {
    let blocks = json!([
        result("call_1", json!("One.")),
        result("call_2", json!("Two.")),
        result("call_4", json!("")),
        result("call_5", json!(null)),
        text(""),
        text("So."),
        { "type": "thinking", "thinking": "Hm.", "redacted": false },
        tool_use("call_3", json!({}))
    ]);
    assert_flat(
        "of two results, the first one's id is used, and the other blocks fill their fields, as for every role",
        "tool",
        blocks.clone(),
        json!({
            "role": "tool", "tool_call_id": "call_1", "content": "One.\nTwo.\n\n\n\nSo.", "reasoning": "Hm.",
            "tool_calls": [call("call_3", "bash", "{}")], "raw_content_blocks": blocks
        }),
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
    for content in [json!([image()]), json!([])] {
        assert_kept(
            "a result without text",
            "tool",
            result("call_1", content),
            json!({ "tool_call_id": "call_1" }),
        );
    }
    assert_kept(
        "a document, whose title is not the message's text",
        "user",
        json!({ "type": "document", "title": "Plan", "source": { "type": "url_pdf", "url": "a" } }),
        json!({}),
    );
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
fn test_ch18_blocks_without_a_result_are_kept() {
    let blocks = json!([text("ok")]);
    for (blocks, message) in [
        (json!([]), json!({ "role": "tool" })),
        (
            blocks.clone(),
            json!({ "role": "tool", "content": "ok", "raw_content_blocks": blocks }),
        ),
    ] {
        assert_json(
            "to_blocks() fails for a tool message without a result, so the blocks are kept, unless there are none",
            &to_json(&ChatMessage::from_blocks(Role::Tool, from_json(blocks))),
            &message,
        );
    }
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
        (json!(" {\"comm\n"), " {\"comm\n"),
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
