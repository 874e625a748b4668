//! Section 19.3: From turns to chat messages

use claw_code::chat::*;
use claw_code::provider::*;
use serde_json::{Value, json};

use super::readers;
use super::support::*;

#[test]
fn test_ch19_turns_become_chat_messages_in_order() {
    assert_chat(
        "instructions come first, as one message, and each turn becomes a message in its position, even if its only block is skipped",
        json!({
            "system": [text("Be brief."), text("Be kind.")],
            "messages": [
                { "role": "user", "content": "Hi." },
                { "role": "assistant", "content": "Hello." },
                { "role": "assistant", "content": [{ "type": "compaction", "content": "s" }] },
                { "role": "assistant", "content": [tool_use(json!({ "a": 1 }))] },
                { "role": "user", "content": [tool_result(json!("x")), text("So?")] },
            ],
        }),
        json!([
            { "role": "system", "content": "Be brief.\nBe kind.",
              "raw_content_blocks": [text("Be brief."), text("Be kind.")] },
            { "role": "user", "content": "Hi." },
            { "role": "assistant", "content": "Hello." },
            { "role": "assistant" },
            { "role": "assistant", "tool_calls": [call("call_1", "{\"a\":1}")] },
            { "role": "tool", "tool_call_id": "call_1", "content": "x" },
            { "role": "user", "content": "So?" },
        ]),
    );
}

#[test]
fn test_ch19_no_instructions_become_no_message() {
    assert_chat(
        "without instructions there is no system message",
        json!({ "messages": [{ "role": "user", "content": "Hi." }] }),
        json!([{ "role": "user", "content": "Hi." }]),
    );
}

#[test]
fn test_ch19_turns_keep_their_signatures() {
    assert_chat(
        "thinking keeps its signatures byte for byte, and a block of an unknown type is skipped",
        json!({ "messages": [{ "role": "assistant", "content": [
            { "type": "thinking", "thinking": "", "signature": "c2ln+/==" },
            { "type": "thinking", "thinking": " a\n", "signature": " c2ln\n" },
            { "type": "redacted_thinking", "data": "DATA==" },
            { "type": "server_tool_use", "id": "s", "name": "web_search", "input": {} },
            tool_use(json!({ "a": 1 })) ] }] }),
        json!([{ "role": "assistant", "reasoning": " a\n",
                 "tool_calls": [call("call_1", "{\"a\":1}")],
                 "raw_content_blocks": [
                     signed("", "c2ln+/=="), signed(" a\n", " c2ln\n"), redacted("DATA=="),
                     tool_use(json!({ "a": 1 })) ] }]),
    );
}

#[test]
fn test_ch19_each_result_becomes_a_message() {
    let result = tool_result(json!([text("x")]));
    assert_chat(
        "each result becomes a message with its blocks",
        json!({ "messages": [{ "role": "user", "content": [result, text("So?")] }] }),
        json!([
            { "role": "tool", "tool_call_id": "call_1", "content": "x", "raw_content_blocks": [result] },
            { "role": "user", "content": "So?" },
        ]),
    );
}

#[test]
fn test_ch19_skipped_blocks_are_reported() {
    let blocks: Vec<MessagesBlock> = from_json(json!([
        { "type": "redacted_thinking", "data": "DATA==" },
        { "type": "server_tool_use", "id": "s", "name": "web_search", "input": {} },
        tool_use(json!({})),
        { "type": "compaction", "content": "s" },
        { "type": "server_tool_use", "id": "t", "name": "web_search", "input": {} },
    ]));
    assert_eq!(
        skipped_blocks(&blocks),
        ["server_tool_use", "compaction", "server_tool_use"],
        "skipped_blocks returns the type of each skipped block, in order"
    );
    let result = tool_result(json!([{ "type": "search_result", "title": "t" }]));
    assert!(
        skipped_blocks(&[from_json(result)]).is_empty(),
        "blocks inside a tool result are not reported"
    );
}

#[test]
fn test_ch19_skipped_block_without_a_type_is_reported() {
    for block in [json!({ "id": "x" }), json!({ "type": 7 })] {
        assert_eq!(
            skipped_blocks(&[MessagesBlock::Other(block.clone())]),
            ["no type"],
            "a skipped block whose type is missing or not a string is reported as `no type`; \
             the block: {block}"
        );
    }
}

#[test]
fn test_ch19_deeply_nested_input_is_text() {
    for levels in [MAX_DEPTH, MAX_DEPTH + 1, 124] {
        let input: Value = serde_json::from_str(&nested_json(levels)).expect("JSON");
        let turn = json!({ "role": "assistant", "content": [text("a"), tool_use(input.clone()), text("b")] });
        let chat = from_messages(&from_json(json!({ "messages": [turn] })));
        let kept = match levels > MAX_DEPTH {
            true => json!(input.to_string()),
            false => input,
        };
        assert_json(
            &format!(
                "an input with {levels} levels; one that is nested too deeply is text, as in chapter 2"
            ),
            &to_json(&chat[0].raw_content_blocks),
            &json!([text("a"), tool_use(kept), text("b")]),
        );
        readers::assert_can_be_kept(&chat);
    }
}

/// Fails unless `input` becomes these chat messages.
#[track_caller]
fn assert_chat(why: &str, input: Value, chat: Value) {
    assert_json(why, &to_json(&from_messages(&from_json(input))), &chat);
}
