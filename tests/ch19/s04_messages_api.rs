//! Section 19.4: The Messages API, both ways

use claw_code::chat::*;
use claw_code::provider::*;
use serde_json::{Value, json};

use super::readers;
use super::support::*;

#[test]
fn test_ch19_blocks_of_the_messages_api() {
    for (why, role, block, wire) in [
        ("words", "user", text("Hi."), Some(text("Hi."))),
        (
            "an empty text is refused by the API",
            "assistant",
            text(""),
            None,
        ),
        ("so is white space", "user", text(" \n"), None),
        (
            "a picture, without the field that this API does not know",
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
            "signed thoughts that are not shown",
            "assistant",
            json!({ "type": "thinking", "thinking": "", "signature": "c2ln", "redacted": false }),
            Some(json!({ "type": "thinking", "thinking": "", "signature": "c2ln" })),
        ),
        (
            "an empty signature is none",
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
            "thoughts without a signature are refused by the API",
            "assistant",
            json!({ "type": "thinking", "thinking": "a", "redacted": false }),
            None,
        ),
        (
            "thoughts that are not the model's",
            "user",
            json!({ "type": "thinking", "thinking": "a", "signature": "c2ln", "redacted": false }),
            None,
        ),
        (
            "withheld thoughts that are not the model's",
            "user",
            json!({ "type": "thinking", "thinking": "", "encrypted_content": "DATA==", "redacted": true }),
            None,
        ),
        (
            "a picture that is not a user's is named",
            "assistant",
            png(),
            Some(text(
                "[an image (image/png) stood here, which this connection does not carry]",
            )),
        ),
        (
            "a document of a user's, as it is",
            "user",
            json!({ "type": "document", "title": "a.pdf", "source": { "type": "base64", "media_type": "application/pdf", "data": "JVBE" } }),
            Some(
                json!({ "type": "document", "title": "a.pdf", "source": { "type": "base64", "media_type": "application/pdf", "data": "JVBE" } }),
            ),
        ),
        (
            "a document that is text is that text, where no document may be",
            "assistant",
            json!({ "type": "document", "source": { "type": "text", "media_type": "text/plain", "data": "Notes." } }),
            Some(text("Notes.")),
        ),
        (
            "a call that is not the model's",
            "user",
            tool_use(json!({})),
            None,
        ),
        (
            "thoughts of another provider's",
            "assistant",
            json!({ "type": "thinking", "thinking": "a", "id": "rs_1", "encrypted_content": "ENC", "redacted": false }),
            None,
        ),
        (
            "arguments that are no object go inside one",
            "assistant",
            tool_use(json!("{\"comm")),
            Some(tool_use(json!({ "raw_arguments": "{\"comm" }))),
        ),
        (
            "a failure has a field here",
            "user",
            json!({ "type": "tool_result", "tool_use_id": "call_1", "content": "no", "is_error": true }),
            Some(
                json!({ "type": "tool_result", "tool_use_id": "call_1", "content": "no", "is_error": true }),
            ),
        ),
        (
            "output that begins like a failure is output",
            "user",
            json!({ "type": "tool_result", "tool_use_id": "call_1", "content": "error: 3 warnings" }),
            Some(
                json!({ "type": "tool_result", "tool_use_id": "call_1", "content": "error: 3 warnings" }),
            ),
        ),
        (
            "an answer of several blocks",
            "user",
            json!({ "type": "tool_result", "tool_use_id": "call_1", "content": [text("a"), text("")] }),
            Some(json!({ "type": "tool_result", "tool_use_id": "call_1", "content": [text("a")] })),
        ),
    ] {
        let made = wire_block(from_json(json!(role)), &from_json(block.clone()));
        assert_json(
            &format!("{why}; in a turn of the role `{role}`: {block}"),
            &to_json(&made),
            &wire.unwrap_or(Value::Null),
        );
    }
}

#[test]
fn test_ch19_a_conversation_for_the_messages_api() {
    assert_messages(
        "instructions go to the front, results of one reply into one turn, and nothing else changes its place",
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
fn test_ch19_a_turn_is_put_in_order() {
    let signed =
        json!({ "type": "thinking", "thinking": "t", "signature": "s", "redacted": false });
    let withheld = json!({ "type": "thinking", "thinking": "", "encrypted_content": "DATA", "redacted": true });
    let wire = json!({ "type": "thinking", "thinking": "t", "signature": "s" });
    let result = json!({ "type": "tool_result", "tool_use_id": "call_1", "content": "x" });
    assert_messages(
        "results come first in a turn, and the rest keeps its order",
        json!([{ "role": "user", "raw_content_blocks": [text("b"), result, text("c")] }]),
        json!({ "messages": [{ "role": "user", "content": [result, text("b"), text("c")] }] }),
    );
    assert_messages(
        "no turn ends with thoughts, and one that holds nothing else is none: the API refuses both",
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
fn test_ch19_the_messages_api_is_read_back() {
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
        "thoughts keep their seals to the byte, and each result is a message of its own",
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
        panic!("a list was read as a text");
    };
    assert_eq!(
        skipped_blocks(blocks),
        ["server_tool_use"],
        "whoever wants to know what was skipped is told each block's type"
    );
    let result: MessagesBlock = from_json(json!({ "type": "tool_result", "tool_use_id": "call_1",
        "content": [{ "type": "search_result", "title": "t" }] }));
    assert!(
        skipped_blocks(&[result]).is_empty(),
        "what stands inside a tool's result does not count"
    );
}

#[test]
fn test_ch19_a_deep_input_is_kept_as_text() {
    for levels in [MAX_DEPTH, MAX_DEPTH + 1, 124] {
        let input: Value = serde_json::from_str(&readers::nested(levels)).expect("JSON");
        let turn = json!({ "role": "assistant", "content": [text("a"), tool_use(input.clone()), text("b")] });
        let chat = from_messages(&from_json(json!({ "messages": [turn] })));
        let kept = match levels > MAX_DEPTH {
            true => json!(input.to_string()),
            false => input,
        };
        assert_json(
            &format!(
                "an input of {levels} levels; one that is too deep is text, by the rule of chapter 2"
            ),
            &to_json(&chat[0].raw_content_blocks),
            &json!([text("a"), tool_use(kept), text("b")]),
        );
        readers::assert_can_be_kept(&chat);
    }
}

#[test]
fn test_ch19_messages_lose_what_their_table_says() {
    let input = to_messages(&full_history()).expect("a good history");
    assert_json(
        "every field of the history, or its loss, as the table has it",
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
