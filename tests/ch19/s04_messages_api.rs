//! Section 19.4: The Messages API, both ways

use claw_code::chat::*;
use claw_code::provider::*;
use serde_json::{Value, json};

use super::readers;
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

#[test]
fn test_ch19_conversation_converts_to_messages() {
    assert_messages(
        "instructions move to the front, the results of one reply form one turn, and everything else keeps its position",
        json!([
            { "role": "system", "content": "Be brief." },
            { "role": "user", "content": "Hi." },
            { "role": "assistant", "tool_calls": [call("call_1", "{}"), call("call_2", "{\"a\":1}")] },
            { "role": "tool", "tool_call_id": "call_1", "content": "x" },
            { "role": "tool", "tool_call_id": "call_2", "content": "" },
            { "role": "developer", "content": "Be kind." },
            { "role": "assistant", "content": "" },
            { "role": "user", "content": "So?" },
        ]),
        json!({
            "system": [text("Be brief."), text("Be kind.")],
            "messages": [
                { "role": "user", "content": [text("Hi.")] },
                { "role": "assistant", "content": [
                    { "type": "tool_use", "id": "call_1", "name": "bash", "input": {} },
                    { "type": "tool_use", "id": "call_2", "name": "bash", "input": { "a": 1 } } ] },
                { "role": "user", "content": [
                    { "type": "tool_result", "tool_use_id": "call_1", "content": "x" },
                    { "type": "tool_result", "tool_use_id": "call_2", "content": "" } ] },
                { "role": "user", "content": [text("So?")] },
            ],
        }),
    );
}

#[test]
fn test_ch19_results_come_first_and_thinking_never_last() {
    let signed =
        json!({ "type": "thinking", "thinking": "t", "signature": "s", "redacted": false });
    let withheld = json!({ "type": "thinking", "thinking": "", "encrypted_content": "DATA", "redacted": true });
    let wire = json!({ "type": "thinking", "thinking": "t", "signature": "s" });
    let result = json!({ "type": "tool_result", "tool_use_id": "call_1", "content": "x" });
    assert_messages(
        "results come first in a turn, and the other blocks keep their order",
        json!([{ "role": "user", "raw_content_blocks": [text("b"), result, text("c")] }]),
        json!({ "messages": [{ "role": "user", "content": [result, text("b"), text("c")] }] }),
    );
    assert_messages(
        "no turn ends with thinking, and a turn of thinking alone is left out, since the API rejects both",
        json!([
            { "role": "assistant", "raw_content_blocks": [signed, text("a"), signed, withheld, signed] },
            { "role": "user", "content": "b" },
            { "role": "assistant", "raw_content_blocks": [signed, signed] },
        ]),
        json!({ "messages": [
            { "role": "assistant", "content": [wire, text("a")] },
            { "role": "user", "content": [text("b")] },
        ] }),
    );
}

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

#[test]
fn test_ch19_messages_lose_what_the_table_lists() {
    let input = to_messages(&full_history()).expect("a good history");
    assert_json(
        "every field of the history survives or is lost as the table says",
        &to_json(&input),
        &json!({
            "system": [text("Be brief."), text("Be kind.")],
            "messages": [
                { "role": "user", "content": [text("Look:"), png()] },
                { "role": "assistant", "content": [
                    { "type": "thinking", "thinking": "theirs", "signature": "c2ln" },
                    { "type": "redacted_thinking", "data": "DATA" },
                    text("Let me look."),
                    tool_use(json!({ "a": 1 })) ] },
                { "role": "user", "content": [
                    { "type": "tool_result", "tool_use_id": "call_1", "content": "no", "is_error": true } ] },
            ],
        }),
    );
}

#[track_caller]
fn assert_messages(why: &str, chat: Value, input: Value) {
    match to_messages(&from_json::<Vec<ChatMessage>>(chat)) {
        Ok(made) => assert_json(why, &to_json(&made), &input),
        Err(error) => panic!("{why}\nto_messages() gave an error: {error}"),
    }
}
