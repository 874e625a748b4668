//! Section 19.3: From turns to chat messages

use claw_code::chat::*;
use claw_code::provider::*;
use serde_json::{Value, json};

use super::readers;
use super::support::*;

#[test]
fn test_ch19_messages_convert_back_to_chat() {
    let input: MessagesInput = from_json(json!({
        "system": [text("Be brief.")],
        "messages": [
            { "role": "user", "content": "Hi." },
            { "role": "assistant", "content": [
                { "type": "thinking", "thinking": "", "signature": "c2ln+/==" },
                { "type": "redacted_thinking", "data": "DATA==" },
                { "type": "server_tool_use", "id": "s", "name": "web_search", "input": {} },
                { "type": "tool_use", "id": "call_1", "name": "bash", "input": { "a": 1 } } ] },
            { "role": "user", "content": [
                { "type": "tool_result", "tool_use_id": "call_1", "content": [text("x")] }, text("So?") ] },
        ],
    }));
    assert_json(
        "thinking keeps its signatures byte for byte, and each result becomes a message",
        &to_json(&from_messages(&input)),
        &json!([
            { "role": "system", "content": "Be brief." },
            { "role": "user", "content": "Hi." },
            { "role": "assistant", "tool_calls": [call("call_1", "{\"a\":1}")], "raw_content_blocks": [
                { "type": "thinking", "thinking": "", "signature": "c2ln+/==", "redacted": false },
                { "type": "thinking", "thinking": "", "encrypted_content": "DATA==", "redacted": true },
                tool_use(json!({ "a": 1 })) ] },
            { "role": "tool", "tool_call_id": "call_1", "content": "x", "raw_content_blocks": [
                { "type": "tool_result", "tool_use_id": "call_1", "content": [text("x")] } ] },
            { "role": "user", "content": "So?" },
        ]),
    );
    let MessagesContent::List(blocks) = &input.messages[1].content else {
        panic!("a list should not load as a text");
    };
    assert_eq!(
        skipped_blocks(blocks),
        ["server_tool_use"],
        "skipped_blocks returns the type of each skipped block"
    );
    let result: MessagesBlock = from_json(json!({ "type": "tool_result", "tool_use_id": "call_1",
        "content": [{ "type": "search_result", "title": "t" }] }));
    assert!(
        skipped_blocks(&[result]).is_empty(),
        "blocks inside a tool result are not reported"
    );
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
