//! Chapter 19, Speaking Three APIs.
//!
//! What is sent and what comes is compared as JSON. `readers.rs` reads streams without a
//! server, and `wire.rs` asks claw-offline over TCP.

#[path = "ch19/bodies.rs"]
mod bodies;
#[path = "ch19/readers.rs"]
mod readers;
#[path = "ch19/wire.rs"]
mod wire;

use claw_code::agent::{Content, Message, StopReason, Usage};
use claw_code::chat::*;
use claw_code::tools::Api;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

// 19.1 A message as items

#[test]
fn test_ch19_what_is_told_to_the_model_is_a_message() {
    for role in ["system", "developer", "user"] {
        assert_items(
            "words become one message of `input_text`",
            json!({ "role": role, "content": "Hi.", "id": "msg_1", "status": "completed" }),
            json!([{ "type": "message", "role": role,
                     "content": [{ "type": "input_text", "text": "Hi." }] }]),
        );
    }
}

#[test]
fn test_ch19_a_reply_becomes_items() {
    assert_items(
        "thoughts, words and calls become items of their own, in this order",
        json!({ "role": "assistant", "content": "Let me look.", "reasoning": "List first.",
                "tool_calls": [call("call_1", "{\"b\": 1,  \"a\": 2}"), call("call_2", "")],
                "id": "msg_1", "status": "incomplete" }),
        json!([
            { "type": "reasoning", "summary": [{ "type": "summary_text", "text": "List first." }] },
            { "type": "message", "role": "assistant", "id": "msg_1", "status": "incomplete",
              "content": [{ "type": "output_text", "text": "Let me look." }] },
            { "type": "function_call", "call_id": "call_1", "name": "bash",
              "arguments": "{\"b\": 1,  \"a\": 2}" },
            { "type": "function_call", "call_id": "call_2", "name": "bash", "arguments": "{}" },
        ]),
    );
    assert_items(
        "a reply that says nothing has no message item",
        json!({ "role": "assistant", "content": "", "tool_calls": [call("call_1", "{}")] }),
        json!([{ "type": "function_call", "call_id": "call_1", "name": "bash", "arguments": "{}" }]),
    );
    assert_items(
        "nothing is no item",
        json!({ "role": "assistant" }),
        json!([]),
    );
}

#[test]
fn test_ch19_blocks_beside_each_other_share_a_message() {
    assert_items(
        "texts and pictures that follow each other are one message; a picture's `detail` must be said",
        json!({ "role": "user", "raw_content_blocks": [
            text("Look:"), png(), text(""),
            { "type": "image", "source": { "type": "url", "url": "https://x/y.png" }, "detail": "low" },
            { "type": "document", "source": { "type": "base64", "media_type": "application/pdf", "data": "JVBE" },
              "title": "a.pdf" },
        ] }),
        json!([{ "type": "message", "role": "user", "content": [
            { "type": "input_text", "text": "Look:" },
            { "type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo=", "detail": "auto" },
            { "type": "input_image", "image_url": "https://x/y.png", "detail": "low" },
            { "type": "input_file", "filename": "a.pdf", "file_data": "data:application/pdf;base64,JVBE" },
        ] }]),
    );
    assert_items(
        "a call parts two messages, and only the first has the id",
        json!({ "role": "assistant", "id": "msg_1", "raw_content_blocks": [
            text("a"), text("b"), tool_use(json!({})), text("c") ] }),
        json!([
            { "type": "message", "role": "assistant", "id": "msg_1", "content": [
                { "type": "output_text", "text": "a" }, { "type": "output_text", "text": "b" } ] },
            { "type": "function_call", "call_id": "call_1", "name": "bash", "arguments": "{}" },
            { "type": "message", "role": "assistant", "content": [
                { "type": "output_text", "text": "c" } ] },
        ]),
    );
}

#[test]
fn test_ch19_thoughts_of_one_id_are_one_item() {
    let thought = |thinking: &str, id: &str, encrypted: Option<&str>| {
        let mut block = json!({ "type": "thinking", "thinking": thinking, "redacted": false });
        if !id.is_empty() {
            block["id"] = json!(id);
        }
        if let Some(encrypted) = encrypted {
            block["encrypted_content"] = json!(encrypted);
        }
        block
    };
    assert_items(
        "paragraphs of one id are one item; a thought without an id is always one of its own",
        json!({ "role": "assistant", "raw_content_blocks": [
            thought("one", "rs_1", None), thought("two", "rs_1", Some("ENC1")),
            thought("", "rs_2", Some("ENC2")),
            thought("x", "", None), thought("y", "", None),
        ] }),
        json!([
            { "type": "reasoning", "id": "rs_1", "encrypted_content": "ENC1", "summary": [
                { "type": "summary_text", "text": "one" }, { "type": "summary_text", "text": "two" } ] },
            { "type": "reasoning", "id": "rs_2", "encrypted_content": "ENC2", "summary": [] },
            { "type": "reasoning", "summary": [{ "type": "summary_text", "text": "x" }] },
            { "type": "reasoning", "summary": [{ "type": "summary_text", "text": "y" }] },
        ]),
    );
    assert_items(
        "what another provider has withheld is no thought of this API's",
        json!({ "role": "assistant", "raw_content_blocks": [
            { "type": "thinking", "thinking": "", "encrypted_content": "DATA", "redacted": true },
            text("Hi."),
        ] }),
        json!([{ "type": "message", "role": "assistant",
                 "content": [{ "type": "output_text", "text": "Hi." }] }]),
    );
}

#[test]
fn test_ch19_a_tools_answer_is_an_output() {
    assert_items(
        "a tool's message is the output of its call",
        json!({ "role": "tool", "tool_call_id": "call_1", "content": "main.rs" }),
        json!([{ "type": "function_call_output", "call_id": "call_1", "output": "main.rs" }]),
    );
    let failed =
        json!({ "success": false, "duration_ms": 1.0, "tool_name": "bash", "arguments": "{}" });
    for said in ["no such file", "error: no such file"] {
        assert_items(
            "there is no field for a failure: the text says it, once",
            json!({ "role": "tool", "tool_call_id": "call_1", "content": said, "tool_metadata": failed }),
            json!([{ "type": "function_call_output", "call_id": "call_1", "output": "error: no such file" }]),
        );
    }
    assert_items(
        "a picture in an answer makes it a list",
        json!({ "role": "tool", "tool_call_id": "call_1", "raw_content_blocks": [text("shot:"), png()] }),
        json!([{ "type": "function_call_output", "call_id": "call_1", "output": [
            { "type": "input_text", "text": "shot:" },
            { "type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo=", "detail": "auto" },
        ] }]),
    );
    let lost: ChatMessage = from_json(json!({ "role": "tool", "content": "main.rs" }));
    let error = lost.to_input_items().expect_err("an answer to no call");
    assert!(
        error.to_string().contains("tool_call_id"),
        "the error should name `tool_call_id`; it says: {error}"
    );
}

// 19.2 Items as a message

#[test]
fn test_ch19_output_items_are_read() {
    let items = json!([
        { "type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
          "content": [{ "type": "output_text", "text": "Hi.", "annotations": [], "logprobs": [] }] },
        { "type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": null },
        { "type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "bash", "arguments": "{}" },
        { "type": "web_search_call", "id": "ws_1", "status": "completed", "action": { "type": "search" } },
    ]);
    let read: Vec<OutputItem> = from_json(items.clone());
    assert!(
        matches!(
            read.as_slice(),
            [
                OutputItem::Message(_),
                OutputItem::Reasoning(_),
                OutputItem::FunctionCall(_),
                OutputItem::Other(_)
            ]
        ),
        "each type is read as its variant, and one that is not known as `Other`: {read:?}"
    );
    assert_json(
        "an item of another type is kept whole",
        &to_json(&read[3]),
        &items[3],
    );
}

#[test]
fn test_ch19_broken_output_items_are_refused() {
    for (item, field) in [
        (
            json!({ "type": "message", "id": "msg_1", "role": "assistant" }),
            "content",
        ),
        (
            json!({ "type": "function_call", "name": "bash", "arguments": "{}" }),
            "call_id",
        ),
        (json!({ "type": "reasoning", "id": "rs_1" }), "summary"),
        (json!({ "id": "x" }), "type"),
        (json!("message"), "type"),
    ] {
        let Err(error) = serde_json::from_value::<OutputItem>(item.clone()) else {
            panic!("{item} was read: an item of a known type that lacks a field is no `Other`");
        };
        assert!(
            error.to_string().contains(field),
            "the error should name the field that is missing, `{field}`; it says: {error}"
        );
    }
}

#[test]
fn test_ch19_a_response_is_one_message() {
    assert_message(
        "thoughts, words and calls of one response are one message",
        json!([
            { "type": "reasoning", "id": "rs_1", "encrypted_content": "ENC",
              "summary": [{ "type": "summary_text", "text": "one" }, { "type": "summary_text", "text": "two" }] },
            { "type": "message", "id": "msg_1", "role": "assistant", "status": "in_progress",
              "content": [{ "type": "output_text", "text": "Let me look." }] },
            { "type": "function_call", "call_id": "call_1", "name": "bash",
              "arguments": "{\"b\": 1,  \"a\": 2}", "status": "completed" },
        ]),
        json!([{
            "role": "assistant", "id": "msg_1", "status": "completed",
            "content": "Let me look.", "reasoning": "one\ntwo",
            "tool_calls": [call("call_1", "{\"b\": 1,  \"a\": 2}")],
            "raw_content_blocks": [
                { "type": "thinking", "thinking": "one", "id": "rs_1", "redacted": false },
                { "type": "thinking", "thinking": "two", "id": "rs_1", "encrypted_content": "ENC", "redacted": false },
                text("Let me look."),
                tool_use(json!({ "a": 2, "b": 1 })),
            ],
        }]),
    );
    assert_message("nothing is no message", json!([]), json!([]));
}

#[test]
fn test_ch19_texts_are_joined_and_refusals_marked() {
    let message = |id: &str, content: Value| json!({ "type": "message", "id": id, "role": "assistant", "content": content });
    assert_message(
        "several texts are joined with a newline, and the first id counts",
        json!([
            message(
                "msg_1",
                json!([{ "type": "output_text", "text": "a" }, { "type": "output_text", "text": "b" }])
            ),
            message("msg_2", json!([{ "type": "output_text", "text": "c" }])),
        ]),
        json!([{ "role": "assistant", "id": "msg_1", "content": "a\nb\nc",
                 "raw_content_blocks": [text("a"), text("b"), text("c")] }]),
    );
    assert_message(
        "a refusal is a text that says what it is",
        json!([message(
            "msg_1",
            json!([{ "type": "refusal", "refusal": "I can't." }])
        )]),
        json!([{ "role": "assistant", "id": "msg_1", "content": "[refusal] I can't." }]),
    );
}

#[test]
fn test_ch19_calls_alone_are_a_message() {
    assert_message(
        "calls without words belong to one message; torn arguments stay to the letter",
        json!([
            { "type": "function_call", "call_id": "call_1", "name": "bash", "arguments": "{\"comm", "status": "incomplete" },
            { "type": "function_call", "call_id": "call_2", "name": "bash", "arguments": "" },
        ]),
        json!([{ "role": "assistant", "status": "incomplete",
                 "tool_calls": [call("call_1", "{\"comm"), call("call_2", "")] }]),
    );
}

#[test]
fn test_ch19_other_items_are_counted() {
    let items: Vec<OutputItem> = from_json(json!([
        { "type": "web_search_call", "id": "ws_1" },
        { "type": "message", "id": "msg_1", "role": "assistant", "content": [{ "type": "output_text", "text": "Hi." }] },
        { "type": "image_generation_call", "id": "ig_1" },
        { "type": "web_search_call", "id": "ws_2" },
    ]));
    assert_eq!(
        skipped_items(&items),
        [
            "web_search_call",
            "image_generation_call",
            "web_search_call"
        ],
        "whoever wants to know what was skipped is told each item's type"
    );
    assert_json(
        "and the rest is read",
        &to_json(&ChatMessage::from_output_items(&items)),
        &json!([{ "role": "assistant", "id": "msg_1", "content": "Hi." }]),
    );
}

// 19.3 A conversation for Responses

#[test]
fn test_ch19_a_reply_gets_what_the_api_asks_for() {
    let chat = json!([
        { "role": "user", "content": "Hi." },
        { "role": "assistant", "content": "Hello." },
        { "role": "assistant", "content": "So?", "id": "msg_x", "status": "failed" },
    ]);
    let said = |id: &str, status: &str, words: &str| {
        json!({ "type": "message", "role": "assistant", "id": id, "status": status,
                "content": [{ "type": "output_text", "text": words, "annotations": [] }] })
    };
    let expected = json!([
        { "type": "message", "role": "user", "content": [{ "type": "input_text", "text": "Hi." }] },
        said("msg_00000000000000000000000000000001", "completed", "Hello."),
        said("msg_x", "incomplete", "So?"),
    ]);
    for time in ["once", "twice"] {
        assert_input(
            &format!(
                "a message of the model's has an id (from its place, if none is known), a status that the API knows, and annotations ({time}: the same request each time)"
            ),
            chat.clone(),
            expected.clone(),
        );
    }
}

#[test]
fn test_ch19_thoughts_go_back_only_if_they_can() {
    let thought = |id: &str, encrypted: Value| json!({ "type": "thinking", "thinking": "t", "id": id, "encrypted_content": encrypted, "redacted": false });
    assert_input(
        "thoughts without encrypted content stay behind: nobody could read them",
        json!([{ "role": "assistant", "raw_content_blocks": [
            thought("rs_1", Value::Null), thought("rs_2", json!("ENC")), tool_use(json!({})) ] }]),
        json!([
            { "type": "reasoning", "id": "rs_2", "encrypted_content": "ENC",
              "summary": [{ "type": "summary_text", "text": "t" }] },
            { "type": "function_call", "call_id": "call_1", "name": "bash", "arguments": "{}" },
        ]),
    );
    assert_input(
        "thoughts behind which nothing was said stay behind: the API wants the item that they led to",
        json!([
            { "role": "assistant", "raw_content_blocks": [thought("rs_1", json!("ENC")), thought("rs_2", json!("ENC"))] },
            { "role": "user", "content": "Go on." },
        ]),
        json!([{ "type": "message", "role": "user", "content": [{ "type": "input_text", "text": "Go on." }] }]),
    );
}

#[test]
fn test_ch19_arguments_of_a_request_are_json() {
    assert_input(
        "a server that parses arguments would refuse every later request over torn ones: they go as a JSON string",
        json!([{ "role": "assistant", "tool_calls": [call("call_1", "{\"comm"), call("call_2", "{ }")] }]),
        json!([
            { "type": "function_call", "call_id": "call_1", "name": "bash", "arguments": "\"{\\\"comm\"" },
            { "type": "function_call", "call_id": "call_2", "name": "bash", "arguments": "{ }" },
        ]),
    );
}

#[test]
fn test_ch19_a_bad_message_is_named() {
    let chat: Vec<ChatMessage> = from_json(
        json!([{ "role": "user", "content": "Hi." }, { "role": "tool", "content": "x" }]),
    );
    let error = to_input(&chat)
        .expect_err("an answer to no call")
        .to_string();
    assert!(
        error.contains("message 1") && error.contains("tool_call_id"),
        "the error should say which message it is, counted from 0, and what it lacks; it says: {error}"
    );
}

#[test]
fn test_ch19_responses_lose_what_their_table_says() {
    let input = to_input(&full_history()).expect("a good history");
    assert_json(
        "every field of the history, or its loss, as the table has it",
        &to_json(&input),
        &json!([
            { "type": "message", "role": "system", "content": [{ "type": "input_text", "text": "Be brief." }] },
            { "type": "message", "role": "developer", "content": [{ "type": "input_text", "text": "Be kind." }] },
            { "type": "message", "role": "user", "content": [
                { "type": "input_text", "text": "Look:" },
                { "type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo=", "detail": "low" },
            ] },
            { "type": "reasoning", "id": "rs_1", "encrypted_content": "ENC",
              "summary": [{ "type": "summary_text", "text": "mine" }] },
            { "type": "message", "role": "assistant", "id": "msg_1", "status": "incomplete",
              "content": [{ "type": "output_text", "text": "Let me look.", "annotations": [] }] },
            { "type": "function_call", "call_id": "call_1", "name": "bash", "arguments": "{\"a\": 1}" },
            { "type": "function_call_output", "call_id": "call_1", "output": "error: no" },
        ]),
    );
}

// 19.4 The Messages API, both ways

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
            "an answer of several blocks",
            "user",
            json!({ "type": "tool_result", "tool_use_id": "call_1", "content": [text("a"), text("")] }),
            Some(json!({ "type": "tool_result", "tool_use_id": "call_1", "content": [text("a")] })),
        ),
    ] {
        let made = wire_block(from_json(json!(role)), &from_json(block.clone()));
        assert_json(
            &format!("{why}: {block}"),
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
    let wire = json!({ "type": "thinking", "thinking": "t", "signature": "s" });
    assert_messages(
        "results come first in a turn, and no turn ends with thoughts: the API refuses both",
        json!([
            { "role": "assistant", "raw_content_blocks": [signed, text("a"), signed] },
            { "role": "user", "raw_content_blocks": [
                text("b"), { "type": "tool_result", "tool_use_id": "call_1", "content": "x" }, text("c") ] },
            { "role": "assistant", "raw_content_blocks": [signed] },
        ]),
        json!({ "messages": [
            { "role": "assistant", "content": [wire, text("a")] },
            { "role": "user", "content": [
                { "type": "tool_result", "tool_use_id": "call_1", "content": "x" }, text("b"), text("c") ] },
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
                { "type": "thinking", "thinking": "", "signature": "c2ln" },
                { "type": "redacted_thinking", "data": "DATA" },
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
                { "type": "thinking", "thinking": "", "signature": "c2ln", "redacted": false },
                { "type": "thinking", "thinking": "", "encrypted_content": "DATA", "redacted": true },
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

// 19.5 Chat Completions, both ways

#[test]
fn test_ch19_a_conversation_for_chat_completions() {
    let chat = json!([
        { "role": "system", "content": "Be brief." },
        { "role": "developer", "content": "Be kind." },
        { "role": "user", "content": "Hi.", "name": "ada" },
        { "role": "assistant", "content": null, "tool_calls": [call("call_1", "{ \"a\": 1 }")] },
        { "role": "tool", "tool_call_id": "call_1", "content": "" },
        { "role": "assistant", "content": "Done." },
    ]);
    assert_completions(
        "the chat messages are modelled on this API: what has a place goes as it is",
        chat.clone(),
        chat,
    );
    assert_completions(
        "a message of which nothing is left is left out",
        json!([{ "role": "user", "content": "" }, { "role": "assistant", "content": "", "reasoning": "t" }]),
        json!([]),
    );
}

#[test]
fn test_ch19_pictures_for_chat_completions() {
    assert_completions(
        "only a user can show a picture: of one that a tool answered, or a model, it is said that it was there",
        json!([
            { "role": "user", "raw_content_blocks": [text("Look:"), png()] },
            { "role": "user", "raw_content_blocks": [text("a"), text("b")] },
            { "role": "assistant", "tool_calls": [call("call_1", "{}")] },
            { "role": "tool", "tool_call_id": "call_1", "raw_content_blocks": [text("shot:"), png()] },
        ]),
        json!([
            { "role": "user", "content": [
                { "type": "text", "text": "Look:" },
                { "type": "image_url", "image_url": { "url": "data:image/png;base64,iVBORw0KGgo=" } } ] },
            { "role": "user", "content": "a\nb" },
            { "role": "assistant", "content": null, "tool_calls": [call("call_1", "{}")] },
            { "role": "tool", "tool_call_id": "call_1",
              "content": "shot:\n[an image (image/png) stood here, which this connection does not carry]" },
        ]),
    );
}

#[test]
fn test_ch19_results_in_a_users_message_come_apart() {
    assert_completions(
        "each result is a message of its own, before what else is said, since it must follow its call",
        json!([{ "role": "user", "raw_content_blocks": [
            text("So?"),
            { "type": "tool_result", "tool_use_id": "call_1", "content": "x" },
            { "type": "tool_result", "tool_use_id": "call_2", "content": "no", "is_error": true },
        ] }]),
        json!([
            { "role": "tool", "tool_call_id": "call_1", "content": "x" },
            { "role": "tool", "tool_call_id": "call_2", "content": "error: no" },
            { "role": "user", "content": "So?" },
        ]),
    );
}

#[test]
fn test_ch19_chat_completions_are_read_back() {
    let wire: Vec<CompletionMessage> = from_json(json!([
        { "role": "user", "name": "ada", "content": [
            { "type": "text", "text": "Look:" },
            { "type": "image_url", "image_url": { "url": "data:image/png;base64,iVBORw0KGgo=" } } ] },
        { "role": "assistant", "content": null, "refusal": null, "tool_calls": [call("call_1", "{ \"a\": 1 }")] },
        { "role": "tool", "tool_call_id": "call_1", "content": "x" },
        { "role": "assistant", "content": null, "refusal": "I can't." },
    ]));
    assert_json(
        "each message is one chat message, its calls to the letter, a refusal a text that says what it is",
        &to_json(&from_completions(&wire)),
        &json!([
            { "role": "user", "name": "ada", "content": "Look:", "raw_content_blocks": [text("Look:"), png()] },
            { "role": "assistant", "tool_calls": [call("call_1", "{ \"a\": 1 }")] },
            { "role": "tool", "tool_call_id": "call_1", "content": "x" },
            { "role": "assistant", "content": "[refusal] I can't." },
        ]),
    );
}

#[test]
fn test_ch19_chat_completions_lose_what_their_table_says() {
    let sent = to_completions(&full_history()).expect("a good history");
    assert_json(
        "every field of the history, or its loss, as the table has it",
        &to_json(&sent),
        &json!([
            { "role": "system", "content": "Be brief." },
            { "role": "developer", "content": "Be kind." },
            { "role": "user", "name": "ada", "content": [
                { "type": "text", "text": "Look:" },
                { "type": "image_url", "image_url": { "url": "data:image/png;base64,iVBORw0KGgo=", "detail": "low" } } ] },
            { "role": "assistant", "content": "Let me look.", "tool_calls": [call("call_1", "{\"a\": 1}")] },
            { "role": "tool", "tool_call_id": "call_1", "content": "error: no" },
        ]),
    );
}

// 19.6 An agent's history, and its seals

#[test]
fn test_ch19_a_seal_is_one_string() {
    for (why, api, block, thinking, seal) in [
        (
            "a signature is the seal itself",
            Api::Messages,
            json!({ "type": "thinking", "thinking": "t", "signature": "c2ln", "redacted": false }),
            "t",
            Some("c2ln"),
        ),
        (
            "withheld thoughts have a mark before their data",
            Api::Messages,
            json!({ "type": "thinking", "thinking": "", "encrypted_content": "DATA", "redacted": true }),
            "",
            Some("redacted:DATA"),
        ),
        (
            "an id stands before what is encrypted",
            Api::Responses,
            json!({ "type": "thinking", "thinking": "t", "encrypted_content": "EN|C", "id": "rs_1", "redacted": false }),
            "t",
            Some("rs_1|EN|C"),
        ),
        (
            "a paragraph that has only the id",
            Api::Responses,
            json!({ "type": "thinking", "thinking": "t", "id": "rs_1", "redacted": false }),
            "t",
            Some("rs_1|"),
        ),
        (
            "encrypted content without an id is the seal itself, as older transcripts have it",
            Api::Responses,
            json!({ "type": "thinking", "thinking": "t", "encrypted_content": "ENC", "redacted": false }),
            "t",
            Some("ENC"),
        ),
        (
            "thoughts without a seal",
            Api::Messages,
            json!({ "type": "thinking", "thinking": "t", "redacted": false }),
            "t",
            None,
        ),
    ] {
        let read: UnifiedContentBlock = from_json(block.clone());
        let content = thought_content(read.clone());
        let expected = Content::Thinking {
            thinking: thinking.into(),
            signature: seal.map(str::to_string),
        };
        assert_eq!(content, Some(expected), "{why}");
        assert_json(
            &format!("{why}; and read again, it is the same block"),
            &to_json(&thought_block(api, thinking, seal)),
            &block,
        );
    }
    assert_eq!(
        thought_content(UnifiedContentBlock::Text { text: "a".into() }),
        None,
        "a text is no thought"
    );
}

#[test]
fn test_ch19_an_agents_history_becomes_chat_messages() {
    let history = [
        Message::User {
            content: vec![
                Content::Text {
                    text: "Look:".into(),
                },
                Content::Image {
                    data: "iVBORw0KGgo=".into(),
                    mime_type: "image/png".into(),
                },
            ],
            timestamp: 1_767_323_045_678,
        },
        reply("anthropic", StopReason::ToolUse),
        Message::ToolResult {
            tool_call_id: "call_1".into(),
            tool_name: "bash".into(),
            content: vec![Content::Text { text: "no".into() }],
            is_error: true,
            timestamp: 0,
            child_loop_id: Some("s.sub.1".into()),
        },
    ];
    let time = "1970-01-01T00:00:00Z";
    assert_json(
        "blocks in their order, the time, how the reply ended, and a result that names its tool",
        &to_json(&from_agent(&history, Api::Messages, "anthropic")),
        &json!([
            { "role": "user", "content": "Look:", "raw_content_blocks": [text("Look:"), png()],
              "timestamp": "2026-01-02T03:04:05.678Z" },
            { "role": "assistant", "content": "Let me look.", "reasoning": "t",
              "tool_calls": [call("call_1", "{\"a\":1}")], "status": "completed", "timestamp": time,
              "raw_content_blocks": [
                { "type": "thinking", "thinking": "t", "signature": "c2ln", "redacted": false },
                text("Let me look."), tool_use(json!({ "a": 1 })) ] },
            { "role": "tool", "name": "bash", "tool_call_id": "call_1", "content": "no", "timestamp": time,
              "raw_content_blocks": [
                { "type": "tool_result", "tool_use_id": "call_1", "content": "no", "is_error": true } ] },
        ]),
    );
}

#[test]
fn test_ch19_thoughts_go_only_to_who_thought_them() {
    let history = [reply("anthropic", StopReason::ToolUse)];
    for (provider, expected) in [("anthropic", Some("t")), ("openai", None), ("", None)] {
        let chat = from_agent(&history, Api::Messages, provider);
        assert_eq!(
            chat[0].reasoning.as_deref(),
            expected,
            "thoughts of anthropic's, for {provider:?}: nobody else can know their seal"
        );
        assert_eq!(
            chat[0].content.as_deref(),
            Some("Let me look."),
            "what was said goes to anybody"
        );
    }
}

#[test]
fn test_ch19_how_a_reply_ended_is_its_status() {
    for (reason, status) in [
        (StopReason::Stop, "completed"),
        (StopReason::ToolUse, "completed"),
        (StopReason::Error, "failed"),
        (StopReason::Length, "incomplete"),
        (StopReason::Aborted, "incomplete"),
        (StopReason::GuardRail, "incomplete"),
    ] {
        let chat = from_agent(&[reply("p", reason)], Api::Responses, "p");
        assert_json(
            &format!("a reply that ended with {reason:?}"),
            &to_json(&chat[0].status),
            &json!(status),
        );
    }
}

#[test]
fn test_ch19_what_an_api_answers_becomes_content() {
    let blocks: Vec<UnifiedContentBlock> = from_json(json!([
        { "type": "thinking", "thinking": "t", "signature": "c2ln", "redacted": false },
        text("Hi."), png(), tool_use(json!({ "a": 1 })),
        { "type": "document", "source": { "type": "url", "url": "https://x/a.pdf" } },
    ]));
    assert_json(
        "each block that a model can write is the content of the same kind, in its place",
        &to_json(&to_content(blocks)),
        &json!([
            { "type": "thinking", "thinking": "t", "signature": "c2ln" },
            { "type": "text", "text": "Hi." },
            { "type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png" },
            { "type": "toolCall", "id": "call_1", "name": "bash", "arguments": { "a": 1 } },
        ]),
    );
}

/// A history in which every field of a chat message has a value somewhere.
fn full_history() -> Vec<ChatMessage> {
    let time = "2026-01-02T03:04:05Z";
    from_json(json!([
        { "role": "system", "content": "Be brief." },
        { "role": "developer", "content": "Be kind." },
        { "role": "user", "name": "ada", "timestamp": time, "id": "msg_0", "status": "completed",
          "content": "Look:", "raw_content_blocks": [
            text("Look:"),
            { "type": "image", "source": png()["source"], "detail": "low" } ] },
        { "role": "assistant", "id": "msg_1", "status": "incomplete", "timestamp": time,
          "content": "Let me look.", "reasoning": "theirs\nmine",
          "tool_calls": [call("call_1", "{\"a\": 1}")],
          "raw_content_blocks": [
            { "type": "thinking", "thinking": "theirs", "signature": "c2ln", "redacted": false },
            { "type": "thinking", "thinking": "", "encrypted_content": "DATA", "redacted": true },
            { "type": "thinking", "thinking": "mine", "encrypted_content": "ENC", "id": "rs_1", "redacted": false },
            text("Let me look."),
            tool_use(json!({ "a": 1 })) ] },
        { "role": "tool", "name": "bash", "tool_call_id": "call_1", "content": "no", "timestamp": time,
          "tool_metadata": { "success": false, "duration_ms": 1.5, "tool_name": "bash", "arguments": "{}" } },
    ]))
}

/// A reply with thoughts, words and a call.
fn reply(provider: &str, stop_reason: StopReason) -> Message {
    Message::Assistant {
        content: vec![
            Content::Thinking {
                thinking: "t".into(),
                signature: Some("c2ln".into()),
            },
            Content::Text {
                text: "Let me look.".into(),
            },
            Content::ToolCall {
                id: "call_1".into(),
                name: "bash".into(),
                arguments: json!({ "a": 1 }),
            },
        ],
        stop_reason,
        model: "m".into(),
        provider: provider.into(),
        usage: Usage::default(),
        timestamp: 0,
        error_message: None,
    }
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

fn png() -> Value {
    json!({ "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo=" } })
}

fn tool_use(input: Value) -> Value {
    json!({ "type": "tool_use", "id": "call_1", "name": "bash", "input": input })
}

fn call(id: &str, arguments: &str) -> Value {
    json!({ "id": id, "type": "function", "function": { "name": "bash", "arguments": arguments } })
}

#[track_caller]
fn assert_items(why: &str, message: Value, items: Value) {
    let said = from_json::<ChatMessage>(json!({ "role": "user", "content": "Hi." }));
    assert!(
        said.to_input_items().is_ok_and(|items| items.len() == 1),
        "a message of one text is one item"
    );
    match from_json::<ChatMessage>(message.clone()).to_input_items() {
        Ok(made) => assert_json(
            &format!("{why}\n the message: {message}"),
            &to_json(&made),
            &items,
        ),
        Err(error) => {
            panic!("{why}\nto_input_items() gave an error: {error}\n the message: {message}")
        }
    }
}

#[track_caller]
fn assert_message(why: &str, items: Value, messages: Value) {
    let items: Vec<OutputItem> = from_json(items);
    let made = ChatMessage::from_output_items(&items);
    assert_json(why, &to_json(&made), &messages);
}

#[track_caller]
fn assert_input(why: &str, chat: Value, input: Value) {
    match to_input(&from_json::<Vec<ChatMessage>>(chat)) {
        Ok(made) => assert_json(why, &to_json(&made), &input),
        Err(error) => panic!("{why}\nto_input() gave an error: {error}"),
    }
}

#[track_caller]
fn assert_messages(why: &str, chat: Value, input: Value) {
    match to_messages(&from_json::<Vec<ChatMessage>>(chat)) {
        Ok(made) => assert_json(why, &to_json(&made), &input),
        Err(error) => panic!("{why}\nto_messages() gave an error: {error}"),
    }
}

#[track_caller]
fn assert_completions(why: &str, chat: Value, sent: Value) {
    match to_completions(&from_json::<Vec<ChatMessage>>(chat)) {
        Ok(made) => assert_json(why, &to_json(&made), &sent),
        Err(error) => panic!("{why}\nto_completions() gave an error: {error}"),
    }
}

#[track_caller]
fn from_json<T: DeserializeOwned>(json: Value) -> T {
    serde_json::from_value(json.clone())
        .unwrap_or_else(|error| panic!("this should load: {json}\nbut: {error}"))
}

fn to_json<T: Serialize>(value: &T) -> Value {
    serde_json::to_value(value).expect("it can be written")
}

#[track_caller]
fn assert_json(why: &str, made: &Value, expected: &Value) {
    assert!(
        made == expected,
        "{why}\n expected: {expected:#}\n but came: {made:#}"
    );
}
