//! Chapter 19, Speaking Three APIs.
//!
//! What is sent and what comes is compared as JSON. `bodies.rs` asks for requests,
//! `readers.rs` makes streams without a server, and `wire.rs` asks claw-offline over TCP.

#[path = "ch19/bodies.rs"]
mod bodies;
#[path = "ch19/readers.rs"]
mod readers;
#[path = "ch19/wire.rs"]
mod wire;

use std::time::Duration;

use claw_code::agent::*;
use claw_code::chat::*;
use claw_code::models::*;
use claw_code::provider::*;
use claw_code::tools::Api;
use claw_code::types::{ToolDefinition, ToolSet};
use claw_offline::{Fault, Reply as Scripted, Script};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

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
        "where a block was changed since, the call's letters no longer mean what it says, and the block is what is sent",
        json!({ "role": "assistant", "tool_calls": [call("call_1", "{\"a\": 1}")],
                "raw_content_blocks": [tool_use(json!({ "a": 2 }))] }),
        json!([{ "type": "function_call", "call_id": "call_1", "name": "bash", "arguments": "{\"a\":2}" }]),
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
        "of two seals of one id the later counts, and a paragraph without one takes none away",
        json!({ "role": "assistant", "raw_content_blocks": [
            thought("one", "rs_1", Some("ENC1")), thought("two", "rs_1", Some("ENC2")),
            thought("three", "rs_1", None),
        ] }),
        json!([{ "type": "reasoning", "id": "rs_1", "encrypted_content": "ENC2", "summary": [
            { "type": "summary_text", "text": "one" }, { "type": "summary_text", "text": "two" },
            { "type": "summary_text", "text": "three" } ] }]),
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
fn test_ch19_a_signature_goes_with_its_id() {
    assert_items(
        "signed thoughts that have an id keep their signature; a paragraph before them has the id alone",
        json!({ "role": "assistant", "raw_content_blocks": [
            { "type": "thinking", "thinking": "one", "id": "rs_1", "redacted": false },
            { "type": "thinking", "thinking": "two", "id": "rs_1", "signature": "c2ln", "redacted": false },
            { "type": "thinking", "thinking": "", "id": "rs_2", "signature": "c2ln", "encrypted_content": "ENC", "redacted": false },
        ] }),
        json!([
            { "type": "reasoning", "id": "rs_1", "signature": "c2ln", "summary": [
                { "type": "summary_text", "text": "one" }, { "type": "summary_text", "text": "two" } ] },
            { "type": "reasoning", "id": "rs_2", "signature": "c2ln", "encrypted_content": "ENC", "summary": [] },
        ]),
    );
    assert_items(
        "of two signatures of one id the later counts, and a paragraph behind them takes nothing away",
        json!({ "role": "assistant", "raw_content_blocks": [
            { "type": "thinking", "thinking": "one", "id": "rs_1", "signature": "ZXJzdA==", "redacted": false },
            { "type": "thinking", "thinking": "two", "id": "rs_1", "signature": "c2ln", "redacted": false },
            { "type": "thinking", "thinking": "three", "id": "rs_1", "redacted": false },
        ] }),
        json!([{ "type": "reasoning", "id": "rs_1", "signature": "c2ln", "summary": [
            { "type": "summary_text", "text": "one" }, { "type": "summary_text", "text": "two" },
            { "type": "summary_text", "text": "three" } ] }]),
    );
    assert_items(
        "without an id it is a signature of the Messages API: here nobody knows the field",
        json!({ "role": "assistant", "raw_content_blocks": [
            { "type": "thinking", "thinking": "t", "signature": "c2ln", "redacted": false } ] }),
        json!([{ "type": "reasoning", "summary": [{ "type": "summary_text", "text": "t" }] }]),
    );
}

#[test]
fn test_ch19_only_the_model_thinks_and_calls() {
    assert_items(
        "the API would take a user's thoughts and calls for the model's",
        json!({ "role": "user", "raw_content_blocks": [
            { "type": "thinking", "thinking": "a", "encrypted_content": "ENC", "redacted": false },
            tool_use(json!({})), text("Hi.") ] }),
        json!([{ "type": "message", "role": "user", "content": [
            { "type": "input_text", "text": "Hi." } ] }]),
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
    for (why, is_error, blocks, output) in [
        (
            "a failure is said in the first text",
            true,
            json!([text("no such file"), png()]),
            json!([input_text("error: no such file"), input_png()]),
        ),
        (
            "or in front of what is no text",
            true,
            json!([png()]),
            json!([input_text("error: "), input_png()]),
        ),
        (
            "what did not fail is as it was",
            false,
            json!([text("shot:"), png()]),
            json!([input_text("shot:"), input_png()]),
        ),
        (
            "and nothing is put in front of a picture then",
            false,
            json!([png()]),
            json!([input_png()]),
        ),
    ] {
        assert_items(
            why,
            json!({ "role": "tool", "raw_content_blocks": [{ "type": "tool_result",
                "tool_use_id": "call_1", "content": blocks, "is_error": is_error }] }),
            json!([{ "type": "function_call_output", "call_id": "call_1", "output": output }]),
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
    assert_items(
        "what a tool's message says beside its results is a user's: the API has no role for it",
        json!({ "role": "tool", "raw_content_blocks": [
            { "type": "tool_result", "tool_use_id": "call_1", "content": "x" }, text("So?") ] }),
        json!([
            { "type": "function_call_output", "call_id": "call_1", "output": "x" },
            { "type": "message", "role": "user", "content": [{ "type": "input_text", "text": "So?" }] },
        ]),
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
        (
            json!({ "type": "message", "id": "msg_1", "role": "assistant", "content": [{ "type": "output_text" }] }),
            "text",
        ),
        (
            json!({ "type": "message", "id": "msg_1", "role": "assistant", "content": [{ "text": "Hi." }] }),
            "type",
        ),
        (
            json!({ "type": "reasoning", "id": "rs_1", "summary": [{ "type": "summary_text" }] }),
            "text",
        ),
        (
            json!({ "type": "reasoning", "id": "rs_1", "summary": [{ "text": "t" }] }),
            "type",
        ),
        (json!({ "id": "x" }), "type"),
    ] {
        let Err(error) = serde_json::from_value::<OutputItem>(item.clone()) else {
            panic!("{item} was read: an item of a known type that lacks a field is no `Other`");
        };
        assert!(
            error.to_string().contains(field),
            "the error should name the field that is missing, `{field}`; it says: {error}"
        );
    }
    let output = json!({ "call_id": "call_1", "output": 5 });
    let error = serde_json::from_value::<FunctionCallOutput>(output).expect_err("a number");
    assert!(
        error.to_string().contains("a string or a list"),
        "an answer is the one or the other, and the error says so: {error}"
    );
    let read = serde_json::from_value::<OutputItem>(json!("message"));
    assert!(read.is_err(), "a string is no item: {read:?}");
}

#[test]
fn test_ch19_a_response_is_one_message() {
    let called: Vec<OutputItem> = from_json(json!([
        { "type": "function_call", "call_id": "call_1", "name": "bash", "arguments": "{\"b\": 1,  \"a\": 2}" },
    ]));
    let calls: Vec<_> = ChatMessage::from_output_items(&called)
        .into_iter()
        .map(|message| message.tool_calls)
        .collect();
    assert_json(
        "a call's arguments stay in `tool_calls` as the model wrote them",
        &to_json(&calls),
        &json!([[call("call_1", "{\"b\": 1,  \"a\": 2}")]]),
    );
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
    assert_message(
        "thoughts that are not hidden are behind their summary",
        json!([{ "type": "reasoning", "id": "rs_1", "encrypted_content": "ENC",
                 "summary": [{ "type": "summary_text", "text": "one" }],
                 "content": [{ "type": "reasoning_text", "text": "two" }] }]),
        json!([{
            "role": "assistant", "reasoning": "one\ntwo",
            "raw_content_blocks": [
                { "type": "thinking", "thinking": "one", "id": "rs_1", "redacted": false },
                { "type": "thinking", "thinking": "two", "id": "rs_1", "encrypted_content": "ENC", "redacted": false },
            ],
        }]),
    );
    let said = |status: Value| {
        json!({ "type": "message", "id": "msg_1", "role": "assistant", "status": status,
                "content": [{ "type": "output_text", "text": "a" }] })
    };
    for (first, last) in [
        (json!("completed"), json!("incomplete")),
        (json!("incomplete"), Value::Null),
    ] {
        assert_message(
            "the last status that an item has counts, and an item without one takes none away",
            json!([said(first), said(last)]),
            json!([{ "role": "assistant", "id": "msg_1", "status": "incomplete", "content": "a\na",
                     "raw_content_blocks": [text("a"), text("a")] }]),
        );
    }
    let called = |id: &str, status: Value| json!({ "type": "function_call", "call_id": id, "name": "bash", "arguments": "{}", "status": status });
    assert_message(
        "so it does where calls have it",
        json!([
            said(json!("completed")),
            called("call_1", json!("incomplete")),
            called("call_2", Value::Null)
        ]),
        json!([{ "role": "assistant", "id": "msg_1", "status": "incomplete", "content": "a",
                 "tool_calls": [call("call_1", "{}"), call("call_2", "{}")] }]),
    );
    assert_message("nothing is no message", json!([]), json!([]));
    assert_message(
        "nor are items of which nothing is read",
        json!([{ "type": "web_search_call", "id": "ws_1" }]),
        json!([]),
    );
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

#[test]
fn test_ch19_other_parts_are_counted() {
    let items = json!([
        { "type": "reasoning", "id": "rs_1", "encrypted_content": "ENC",
          "summary": [{ "type": "summary_text", "text": "one" }, { "type": "summary_audio", "data": "UklG" }],
          "content": [{ "type": "reasoning_video", "data": "AAAA" }] },
        { "type": "message", "id": "msg_1", "role": "assistant", "content": [
            { "type": "output_text", "text": "Hi." }, { "type": "output_audio", "data": "UklG" } ] },
        { "type": "web_search_call", "id": "ws_1" },
    ]);
    let read: Vec<OutputItem> = from_json(items.clone());
    assert_json(
        "a part of another type is kept whole, where it stood",
        &to_json(&read),
        &items,
    );
    assert_json(
        "what is known of such an item is read",
        &to_json(&ChatMessage::from_output_items(&read)),
        &json!([{
            "role": "assistant", "id": "msg_1", "content": "Hi.", "reasoning": "one",
            "raw_content_blocks": [
                { "type": "thinking", "thinking": "one", "id": "rs_1", "encrypted_content": "ENC", "redacted": false },
                text("Hi."),
            ],
        }]),
    );
    assert_eq!(
        skipped_items(&read),
        [
            "summary_audio",
            "reasoning_video",
            "output_audio",
            "web_search_call"
        ],
        "and of what was skipped inside an item, each part's type is told, too, in its place"
    );
    assert_message(
        "thoughts of which no part is known keep their id and what is encrypted",
        json!([{ "type": "reasoning", "id": "rs_1", "encrypted_content": "ENC",
                 "summary": [{ "type": "summary_audio", "data": "UklG" }] }]),
        json!([{ "role": "assistant", "raw_content_blocks": [
            { "type": "thinking", "thinking": "", "id": "rs_1", "encrypted_content": "ENC", "redacted": false } ] }]),
    );
}

#[test]
fn test_ch19_thoughts_without_a_summary_are_read() {
    assert_message(
        "a reasoning item may leave its `summary` out",
        json!([
            { "type": "reasoning", "id": "rs_1", "encrypted_content": "ENC" },
            { "type": "reasoning", "id": "rs_2", "content": [{ "type": "reasoning_text", "text": "t" }] },
        ]),
        json!([{ "role": "assistant", "reasoning": "t", "raw_content_blocks": [
            { "type": "thinking", "thinking": "", "id": "rs_1", "encrypted_content": "ENC", "redacted": false },
            { "type": "thinking", "thinking": "t", "id": "rs_2", "redacted": false },
        ] }]),
    );
}

#[test]
fn test_ch19_signed_thoughts_come_back_as_they_were() {
    let items = json!([
        { "type": "reasoning", "id": "rs_1", "signature": "c2ln+/==", "summary": [
            { "type": "summary_text", "text": "one" }, { "type": "summary_text", "text": "two" } ] },
        { "type": "reasoning", "id": "rs_2", "signature": "c2ln", "encrypted_content": "ENC", "summary": [] },
    ]);
    let read: Vec<OutputItem> = from_json(items.clone());
    let messages = ChatMessage::from_output_items(&read);
    assert_json(
        "the last paragraph of an item has its signature",
        &to_json(&messages),
        &json!([{ "role": "assistant", "reasoning": "one\ntwo", "raw_content_blocks": [
            { "type": "thinking", "thinking": "one", "id": "rs_1", "redacted": false },
            { "type": "thinking", "thinking": "two", "id": "rs_1", "signature": "c2ln+/==", "redacted": false },
            { "type": "thinking", "thinking": "", "id": "rs_2", "signature": "c2ln", "encrypted_content": "ENC", "redacted": false },
        ] }]),
    );
    let again = messages[0].to_input_items().expect("a good message");
    assert_json(
        "and as items of the next request they are what they were",
        &to_json(&again),
        &items,
    );
}

// 19.3 A conversation for Responses

#[test]
fn test_ch19_a_reply_gets_what_the_api_asks_for() {
    let chat = json!([
        { "role": "user", "content": "Hi." },
        { "role": "assistant", "content": "Hello." },
        { "role": "assistant", "content": "So?", "id": "msg_x", "status": "failed" },
        { "role": "assistant", "content": "Well?" },
    ]);
    let said = |id: &str, status: &str, words: &str| {
        json!({ "type": "message", "role": "assistant", "id": id, "status": status,
                "content": [{ "type": "output_text", "text": words, "annotations": [] }] })
    };
    let sent = || {
        let input = to_input(&from_json::<Vec<ChatMessage>>(chat.clone()));
        to_json(&input.expect("a good conversation"))
    };
    let input = sent();
    assert_json(
        "the same conversation is the same request each time: an id is made from its place, if none is known",
        &sent(),
        &input,
    );
    let id = |place: usize| input[place]["id"].as_str().unwrap_or("no id");
    assert_json(
        "a message of the model's has an id, a status that the API knows, and annotations",
        &input,
        &json!([
            { "type": "message", "role": "user", "content": [{ "type": "input_text", "text": "Hi." }] },
            said(id(1), "completed", "Hello."),
            said("msg_x", "incomplete", "So?"),
            said(id(3), "completed", "Well?"),
        ]),
    );
    for place in [1, 3] {
        assert_eq!(
            id(place),
            format!("msg_{place:032x}"),
            "an id that was made is `msg_` and the item's place, counted from 0, in 32 hexadecimal digits"
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
    let signed = |id: Value| json!({ "type": "thinking", "thinking": "t", "id": id, "signature": "c2ln", "redacted": false });
    assert_input(
        "thoughts with a signature and an id go back; with a signature alone they are of the Messages API, and stay behind",
        json!([{ "role": "assistant", "raw_content_blocks": [
            signed(Value::Null), signed(json!("rs_1")), tool_use(json!({})) ] }]),
        json!([
            { "type": "reasoning", "id": "rs_1", "signature": "c2ln",
              "summary": [{ "type": "summary_text", "text": "t" }] },
            { "type": "function_call", "call_id": "call_1", "name": "bash", "arguments": "{}" },
        ]),
    );
    assert_input(
        "of several sealed thoughts before a word, each goes back",
        json!([{ "role": "assistant", "id": "msg_1", "raw_content_blocks": [
            thought("rs_1", json!("ENC1")), thought("rs_2", json!("ENC2")), text("Hi.") ] }]),
        json!([
            { "type": "reasoning", "id": "rs_1", "encrypted_content": "ENC1",
              "summary": [{ "type": "summary_text", "text": "t" }] },
            { "type": "reasoning", "id": "rs_2", "encrypted_content": "ENC2",
              "summary": [{ "type": "summary_text", "text": "t" }] },
            { "type": "message", "role": "assistant", "id": "msg_1", "status": "completed",
              "content": [{ "type": "output_text", "text": "Hi.", "annotations": [] }] },
        ]),
    );
    assert_input(
        "thoughts behind which their own message says nothing stay behind: the API wants the item that they led to",
        json!([
            { "role": "assistant", "raw_content_blocks": [thought("rs_1", json!("ENC")), thought("rs_2", json!("ENC"))] },
            { "role": "assistant", "tool_calls": [call("call_1", "{}")] },
            { "role": "user", "content": "Go on." },
        ]),
        json!([
            { "type": "function_call", "call_id": "call_1", "name": "bash", "arguments": "{}" },
            { "type": "message", "role": "user", "content": [{ "type": "input_text", "text": "Go on." }] },
        ]),
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
fn test_ch19_deep_arguments_of_a_request_are_text() {
    let fits = readers::nested(MAX_DEPTH);
    let deep = readers::nested(MAX_DEPTH + 1);
    assert_input(
        "arguments that are too deep go like those that are not JSON, by the rule of chapter 2",
        json!([{ "role": "assistant", "tool_calls": [call("call_1", &fits), call("call_2", &deep)] }]),
        json!([
            { "type": "function_call", "call_id": "call_1", "name": "bash", "arguments": fits },
            { "type": "function_call", "call_id": "call_2", "name": "bash", "arguments": json!(deep).to_string() },
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

// 19.5 Chat Completions, both ways

#[test]
fn test_ch19_a_conversation_for_chat_completions() {
    let called = json!([
        { "role": "assistant", "content": null, "tool_calls": [call("call_1", "{ \"a\": 1 }")] },
    ]);
    assert_completions(
        "a call's arguments go to the letter",
        called.clone(),
        called,
    );
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
    assert_completions(
        "what a tool's message says beside its results is a user's: a tool only answers calls",
        json!([{ "role": "tool", "raw_content_blocks": [
            { "type": "tool_result", "tool_use_id": "call_1", "content": "x" }, text("So?") ] }]),
        json!([
            { "role": "tool", "tool_call_id": "call_1", "content": "x" },
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
    for (api, seal, field) in [
        (Api::Messages, "rs_1|ENC", "signature"),
        (Api::Messages, "signed:rs_1|c2ln|ENC", "signature"),
        (Api::Responses, "redacted:DATA", "encrypted_content"),
    ] {
        let mut block = json!({ "type": "thinking", "thinking": "t", "redacted": false });
        block[field] = json!(seal);
        assert_json(
            &format!(
                "{api:?} does not know the mark in `{seal}`: the whole string is its `{field}`"
            ),
            &to_json(&thought_block(api, "t", Some(seal))),
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
fn test_ch19_a_signature_beside_an_id_is_in_the_seal() {
    for (encrypted, seal) in [
        (Value::Null, "signed:rs_1|c2ln+/==|"),
        (json!("EN|C"), "signed:rs_1|c2ln+/==|EN|C"),
    ] {
        let block = json!({ "type": "thinking", "thinking": "t", "id": "rs_1", "redacted": false,
                            "signature": "c2ln+/==", "encrypted_content": encrypted });
        let block: UnifiedContentBlock = from_json(block);
        assert_eq!(
            thought_content(block.clone()),
            Some(Content::Thinking {
                thinking: "t".into(),
                signature: Some(seal.into())
            }),
            "the mark, the id, the signature and what is encrypted, a bar between them"
        );
        assert_eq!(
            thought_block(Api::Responses, "t", Some(seal)),
            block,
            "and read again, it is the same block"
        );
    }
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

// 19.7 The requests

#[test]
fn test_ch19_a_request_of_the_messages_api() {
    let mut asked = bodies::Asked::new();
    asked.cache.enabled = false;
    assert_json(
        "what is not asked for is not there: no thinking, no cache_control",
        &bodies::messages(&asked),
        &json!({
            "model": "m", "max_tokens": 32000, "stream": true,
            "system": [{ "type": "text", "text": "Be brief." }, { "type": "text", "text": "It is Friday." }],
            "messages": [{ "role": "user", "content": [{ "type": "text", "text": "Hi." }] }],
            "tools": [bodies::tool_json("bash", "input_schema"), bodies::tool_json("list", "input_schema")],
        }),
    );
    asked.system = bodies::prompt("", "");
    asked.tools.clear();
    asked.max_tokens = Some(10);
    let body = bodies::messages(&asked);
    assert_eq!(body["max_tokens"], 10, "the request's number counts");
    for field in ["system", "tools"] {
        assert!(
            body.get(field).is_none(),
            "where there is nothing for `{field}`, the field is left out: {body}"
        );
    }
}

#[test]
fn test_ch19_where_a_request_is_cached() {
    let manual = |cache_system, cache_tools, cache_messages| CacheStrategy::Manual {
        cache_system,
        cache_tools,
        cache_messages,
    };
    for (enabled, strategy, expected) in [
        (true, CacheStrategy::Auto, (true, true, true)),
        (true, CacheStrategy::Disabled, (false, false, false)),
        (false, CacheStrategy::Auto, (false, false, false)),
        (false, manual(true, true, true), (false, false, false)),
        (true, manual(true, false, false), (true, false, false)),
        (true, manual(false, true, false), (false, true, false)),
        (true, manual(false, false, true), (false, false, true)),
    ] {
        let mut asked = bodies::Asked::new();
        asked.cache = CacheConfig { enabled, strategy };
        asked.messages.push(reply("anthropic", StopReason::Stop));
        asked.messages.push(Message::user("So?"));
        let body = bodies::messages(&asked);
        let marks = |block: &Value| block["cache_control"] == json!({ "type": "ephemeral" });
        let found = (
            marks(&body["system"][0]),
            marks(&body["tools"][1]),
            marks(&body["messages"][2]["content"][0]),
        );
        assert_eq!(
            found, expected,
            "the marks on the static prompt, the last tool and the last message, with enabled={enabled} and {strategy:?}: {body}"
        );
        let all = body.to_string().matches("cache_control").count();
        let due = [expected.0, expected.1, expected.2];
        assert_eq!(
            all,
            due.iter().filter(|it| **it).count(),
            "and no other block has a mark: the dynamic prompt differs in each session. {body}"
        );
    }
}

#[test]
fn test_ch19_how_much_a_model_may_think() {
    use ThinkingLevel::*;
    for (level, max_tokens, budget) in [
        (Off, 32_000, None),
        (Minimal, 32_000, Some(1024)),
        (Low, 32_000, Some(2048)),
        (Medium, 32_000, Some(8192)),
        (High, 64_000, Some(16_384)),
        (High, 32_000, Some(16_000)),
        (High, 4096, Some(2048)),
        (Minimal, 2048, Some(1024)),
        (Minimal, 2047, None),
        (High, 10, None),
    ] {
        let mut asked = bodies::Asked::new();
        asked.thinking = level;
        asked.max_tokens = Some(max_tokens);
        let expected = budget.map(|tokens| json!({ "type": "enabled", "budget_tokens": tokens }));
        assert_json(
            &format!(
                "{level:?} in a reply of {max_tokens} tokens: at most half of it, and 1024 at least"
            ),
            &bodies::messages(&asked)["thinking"],
            &expected.unwrap_or(Value::Null),
        );
    }
}

#[test]
fn test_ch19_a_chain_of_calls_goes_on_as_it_began() {
    let mut asked = bodies::Asked::new();
    asked.thinking = ThinkingLevel::Low;
    let result = Message::ToolResult {
        tool_call_id: "call_1".into(),
        tool_name: "bash".into(),
        content: vec![Content::Text { text: "x".into() }],
        is_error: false,
        timestamp: 0,
        child_loop_id: None,
    };
    for (provider, thinks) in [("anthropic", true), ("another", false)] {
        asked.messages = vec![
            Message::user("Hi."),
            reply(provider, StopReason::ToolUse),
            result.clone(),
        ];
        assert_eq!(
            bodies::messages(&asked).get("thinking").is_some(),
            thinks,
            "calls by {provider}, whose thoughts are sent only if they are anthropic's: a model that has not thought before its calls cannot be asked to from here on"
        );
    }
    let withheld = Content::Thinking {
        thinking: String::new(),
        signature: Some("redacted:DATA==".into()),
    };
    let call = Content::ToolCall {
        id: "call_1".into(),
        name: "bash".into(),
        arguments: json!({}),
    };
    asked.messages[1] = bodies::with_content(vec![withheld, call]);
    assert!(
        bodies::messages(&asked).get("thinking").is_some(),
        "thoughts that the provider has withheld are thoughts as well"
    );
    asked
        .messages
        .push(bodies::with_content(vec![Content::Text {
            text: "Done.".into(),
        }]));
    asked.messages.push(Message::user("So?"));
    assert!(
        bodies::messages(&asked).get("thinking").is_some(),
        "a reply without calls ends the chain"
    );
}

#[test]
fn test_ch19_a_request_of_the_responses_api() {
    let mut asked = bodies::Asked::new();
    let strict = |name| {
        let mut tool = bodies::tool_json(name, "parameters");
        tool["type"] = json!("function");
        tool
    };
    let plain = bodies::responses(&asked);
    let mut tools = plain["tools"].clone();
    for tool in tools.as_array_mut().expect("a list of tools") {
        assert!(
            tool["strict"].is_boolean(),
            "the API has to be told whether a tool is strict: {tool}"
        );
        tool.as_object_mut().expect("an object").remove("strict");
    }
    assert_json(
        "the tools",
        &tools,
        &json!([strict("bash"), strict("list")]),
    );
    let mut rest = plain.clone();
    rest.as_object_mut().expect("an object").remove("tools");
    assert_json(
        "what is not asked for is not there: no reasoning, no limit",
        &rest,
        &json!({
            "model": "m", "stream": true, "store": false,
            "instructions": "Be brief.\nIt is Friday.",
            "input": [{ "type": "message", "role": "user", "content": [{ "type": "input_text", "text": "Hi." }] }],
        }),
    );
    asked.system = bodies::prompt("", "");
    asked.tools.clear();
    asked.max_tokens = Some(10);
    let body = bodies::responses(&asked);
    assert_eq!(body["max_output_tokens"], 10);
    for field in ["instructions", "tools"] {
        assert!(
            body.get(field).is_none(),
            "where there is nothing for `{field}`, the field is left out: {body}"
        );
    }
}

#[test]
fn test_ch19_how_hard_a_model_is_to_think() {
    use ThinkingLevel::*;
    for (level, effort) in [
        (Off, None),
        (Minimal, Some("minimal")),
        (Low, Some("low")),
        (Medium, Some("medium")),
        (High, Some("high")),
    ] {
        let mut asked = bodies::Asked::new();
        asked.thinking = level;
        let body = bodies::responses(&asked);
        let reasoning = effort.map(|effort| json!({ "effort": effort, "summary": "auto" }));
        let include = effort.map(|_| json!(["reasoning.encrypted_content"]));
        assert_json(
            &format!("{level:?}"),
            &json!([body["reasoning"], body["include"]]),
            &json!([reasoning, include]),
        );
    }
}

// 19.8 A stream of the Messages API

#[test]
fn test_ch19_a_stream_of_messages_is_a_reply() {
    let (reply, pieces) = readers::read(MessagesReader::default(), &readers::whole_message());
    let reply = reply.expect("a whole reply");
    assert_json(
        "thoughts with their seal, withheld thoughts, words and a call, in their order",
        &to_json(&reply.content),
        &json!([
            { "type": "thinking", "thinking": "List first.", "signature": "c2ln+/==" },
            { "type": "thinking", "thinking": "", "signature": "redacted:DATA==" },
            { "type": "text", "text": "Let me look." },
            { "type": "toolCall", "id": "toolu_1", "name": "list", "arguments": { "path": "src" } },
        ]),
    );
    assert_eq!(reply.stop_reason, StopReason::ToolUse);
    assert_eq!(reply.note, None, "nothing unusual has happened");
    assert_eq!(
        pieces,
        [
            readers::thinking("List "),
            readers::thinking("first."),
            readers::said("Let me "),
            readers::said("look."),
            readers::arguments("{\"path\":"),
            readers::arguments("\"src\"}"),
        ],
        "each piece that can be shown, once, and no empty one"
    );

    let mut whole = readers::whole_message();
    let seal = json!({ "type": "signature_delta", "signature": "bmV3" });
    whole.insert(5, readers::delta(0, seal));
    let silent = json!({ "type": "message_delta", "delta": { "stop_reason": null } });
    whole.insert(whole.len() - 1, silent.to_string());
    let (reply, _) = readers::read(MessagesReader::default(), &whole[..whole.len() - 1]);
    let reply = reply.expect("once it was said why the reply ends, it is whole");
    assert_json(
        "a seal comes whole: a second one replaces the first",
        &to_json(&reply.content[0]),
        &json!({ "type": "thinking", "thinking": "List first.", "signature": "bmV3" }),
    );
    assert_eq!(
        (reply.stop_reason, reply.note),
        (StopReason::ToolUse, None),
        "a later event without a `stop_reason` does not take back the one that was said"
    );
}

#[test]
fn test_ch19_counts_of_messages() {
    let (reply, _) = readers::read(MessagesReader::default(), &readers::whole_message());
    assert_eq!(
        reply.expect("a whole reply").usage,
        Usage {
            input: 20,
            output: 40,
            reasoning: 0,
            cache_read: 1000,
            cache_write: 300,
            total_tokens: 1360
        },
        "the later count of a kind stands in for the earlier; the total is the sum of all four, which the API does not give"
    );
}

#[test]
fn test_ch19_why_a_message_ended() {
    for (word, reason, note) in [
        ("end_turn", StopReason::Stop, ""),
        ("stop_sequence", StopReason::Stop, ""),
        ("max_tokens", StopReason::Length, ""),
        (
            "model_context_window_exceeded",
            StopReason::Length,
            "context window",
        ),
        ("pause_turn", StopReason::Paused, ""),
        ("refusal", StopReason::GuardRail, "safety filter"),
        ("solar_flare", StopReason::Stop, "solar_flare"),
        ("tool_use", StopReason::Stop, ""),
    ] {
        let (reply, _) = readers::read(
            MessagesReader::default(),
            &[
                readers::begin(0, json!({ "type": "text", "text": "Hi." })),
                readers::end(word),
            ],
        );
        let reply = reply.expect("a whole reply");
        assert_eq!(
            reply.stop_reason, reason,
            "a reply without calls that ended with {word}"
        );
        let found = reply.note.unwrap_or_default();
        assert!(
            found.contains(note) && found.is_empty() == note.is_empty(),
            "for {word} the note should speak of {note:?}, and say nothing where that is empty; it says {found:?}"
        );
    }
    let call = json!({ "type": "tool_use", "id": "t", "name": "list", "input": {} });
    let (reply, _) = readers::read(
        MessagesReader::default(),
        &[readers::begin(0, call), readers::end("end_turn")],
    );
    assert_eq!(
        reply.expect("a whole reply").stop_reason,
        StopReason::ToolUse,
        "where there are calls they have to run, whatever the server says"
    );
}

#[test]
fn test_ch19_torn_arguments_are_kept() {
    let call = |json: &str, why: &str| {
        let (reply, _) = readers::read(
            MessagesReader::default(),
            &[
                readers::begin(
                    0,
                    json!({ "type": "tool_use", "id": "t", "name": "bash", "input": {} }),
                ),
                readers::delta(
                    0,
                    json!({ "type": "input_json_delta", "partial_json": json }),
                ),
                readers::end(why),
            ],
        );
        readers::arguments_of(&reply.expect("a whole reply").content)
    };
    assert_eq!(
        call("{\"command\":\"ls\"}", "tool_use"),
        json!({ "command": "ls" })
    );
    assert_eq!(call("", "tool_use"), json!({}), "a tool without parameters");
    assert_eq!(
        call("{\"command\":\"rm -r /tmp", "max_tokens"),
        json!("{\"command\":\"rm -r /tmp"),
        "what is not JSON is kept to the letter, and chapter 3 answers the call with what is wrong"
    );
    assert_eq!(
        call("", "max_tokens"),
        json!(""),
        "the length limit fell before the first argument: `{{}}` would run the tool without those that were to come"
    );
    let begun = |index| {
        let block =
            json!({ "type": "tool_use", "id": format!("t{index}"), "name": "list", "input": {} });
        readers::begin(index, block)
    };
    let events = [begun(0), begun(1), readers::end("max_tokens")];
    let (reply, _) = readers::read(MessagesReader::default(), &events);
    assert_eq!(
        readers::arguments_of(&reply.expect("a whole reply").content),
        json!({}),
        "the limit falls on the last block: the call before it is whole, and has no arguments"
    );
}

#[test]
fn test_ch19_deep_arguments_of_a_message_are_text() {
    for levels in [MAX_DEPTH, MAX_DEPTH + 1, 120] {
        let written = readers::nested(levels);
        let whole: Value = serde_json::from_str(&written).expect("JSON");
        let kept = match levels > MAX_DEPTH {
            true => json!(written),
            false => whole.clone(),
        };
        let call = |input: &Value| json!({ "type": "tool_use", "id": "t", "name": "bash", "input": input });
        let piece = json!({ "type": "input_json_delta", "partial_json": written });
        let streamed = [
            readers::begin(0, call(&json!({}))),
            readers::delta(0, piece),
            readers::end("tool_use"),
        ];
        let at_once = [readers::begin(0, call(&whole)), readers::end("tool_use")];
        let mut in_one_piece = MessagesReader::default();
        let body =
            json!({ "type": "message", "stop_reason": "tool_use", "content": [call(&whole)] });
        let read = in_one_piece.read_whole(&body.to_string());
        read.expect("a message");
        for (why, reply) in [
            (
                "in pieces",
                readers::read(MessagesReader::default(), &streamed).0,
            ),
            (
                "in the block's beginning",
                readers::read(MessagesReader::default(), &at_once).0,
            ),
            ("in one piece", in_one_piece.finish()),
        ] {
            let content = reply.expect("a whole reply").content;
            assert!(
                readers::arguments_of(&content) == kept,
                "arguments of {levels} levels that come {why}: those that are too deep are kept to the letter, as those that are not JSON"
            );
            let message = bodies::with_content(content);
            readers::assert_can_be_kept(&from_agent(
                std::slice::from_ref(&message),
                Api::Messages,
                "anthropic",
            ));
            readers::assert_can_be_kept(&message);
        }
    }
}

#[test]
fn test_ch19_an_event_names_its_block() {
    let block = json!({ "type": "text", "text": "Hi." });
    let begin = json!({ "type": "content_block_start", "content_block": block });
    let delta =
        json!({ "type": "content_block_delta", "delta": { "type": "text_delta", "text": "Hi." } });
    for event in [begin, delta] {
        let mut reader = MessagesReader::default();
        let begun = reader.read(&readers::begin(0, json!({ "type": "text", "text": "" })));
        assert_eq!(begun, Ok(vec![]), "an empty text shows nothing");
        let error = reader.read(&event.to_string());
        assert!(
            matches!(&error, Err(ProviderError::MalformedReply(why)) if why.contains("`index`")),
            "{event} does not say which block it is about. To take it for the first would put one text in another's place; the error says that the `index` is missing. readers::read() said {error:?}"
        );
    }
}

#[test]
fn test_ch19_a_stream_of_messages_that_breaks_off() {
    let whole = readers::whole_message();
    for events in 0..whole.len() - 2 {
        let (reply, _) = readers::read(MessagesReader::default(), &whole[..events]);
        let Err(ProviderError::Network(why)) = reply else {
            panic!(
                "after {events} events of {} the reply is not whole: {reply:?}",
                whole.len()
            );
        };
        assert!(
            why.contains("broke off"),
            "the error should say that the reply broke off: {why}"
        );
        if events == whole.len() - 3 {
            assert!(
                why.contains("12 characters") && why.contains("1 tool call"),
                "it says how much had come, `Let me look.` and a call: {why}"
            );
        }
    }
    let (reply, _) = readers::read(MessagesReader::default(), &whole[..whole.len() - 1]);
    assert!(
        reply.is_ok(),
        "once it was said why the reply ends, nothing of it is missing: {reply:?}"
    );
    let [.., _, last] = whole.as_slice() else {
        panic!("events")
    };
    let mut reader = MessagesReader::default();
    assert!(!reader.is_over() && !reader.is_finished());
    reader.read(last).expect("`message_stop`");
    assert!(reader.is_over(), "`message_stop` is the last event");
}

#[test]
fn test_ch19_odd_events_of_messages() {
    let mut reader = MessagesReader::default();
    for fine in [
        json!({ "type": "ping" }),
        json!({ "type": "brand_new_event", "x": 1 }),
        json!({ "type": "content_block_stop", "index": 9 }),
    ] {
        let pieces = reader.read(&fine.to_string());
        assert_eq!(pieces, Ok(vec![]), "{fine} is passed over");
    }
    let overloaded = json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" } });
    assert!(
        matches!(
            reader.read(&overloaded.to_string()),
            Err(ProviderError::Overloaded { .. })
        ),
        "an error in the stream is the error of chapter 2 that fits"
    );
    for bad in [
        "{\"type\":".to_string(),
        "{}".to_string(),
        readers::delta(7, json!({ "type": "text_delta", "text": "x" })),
        readers::begin(0, json!({ "type": "text" })),
    ] {
        let error = reader.read(&bad);
        assert!(
            matches!(error, Err(ProviderError::MalformedReply(_))),
            "{bad} cannot be understood; readers::read() said {error:?}"
        );
    }
    let events = [
        readers::begin(0, json!({ "type": "text", "text": "Hi." })),
        readers::delta(0, json!({ "type": "thinking_delta", "thinking": "x" })),
        readers::delta(0, json!({ "type": "signature_delta", "signature": "c2ln" })),
        readers::end("end_turn"),
    ];
    let (reply, pieces) = readers::read(MessagesReader::default(), &events);
    assert_eq!(
        (reply.expect("a whole reply").content, pieces),
        (
            vec![Content::Text { text: "Hi.".into() }],
            vec![readers::said("Hi.")]
        ),
        "a delta of another kind than its block is passed over"
    );
    let broken = readers::begin(0, json!({ "type": "tool_use", "id": "t", "input": {} }));
    let error = reader.read(&broken);
    assert!(
        matches!(&error, Err(ProviderError::MalformedReply(why)) if why.contains("field `name`")),
        "the error names the field that a block lacks, `name`: {error:?}"
    );
    let (reply, _) = readers::read(
        MessagesReader::default(),
        &[
            readers::begin(
                0,
                json!({ "type": "server_tool_use", "id": "s", "name": "web_search", "input": {} }),
            ),
            readers::delta(
                0,
                json!({ "type": "input_json_delta", "partial_json": "{}" }),
            ),
            readers::begin(1, json!({ "type": "text", "text": "" })),
            readers::end("solar_flare"),
        ],
    );
    let reply = reply.expect("a whole reply");
    assert_eq!(reply.content, [], "an empty text says nothing");
    assert!(
        reply
            .note
            .as_deref()
            .is_some_and(|note| note.contains("server_tool_use") && note.contains("solar_flare")),
        "the note says why the reply ended, and it names a block that cannot be kept: {:?}",
        reply.note
    );
}

#[test]
fn test_ch19_a_message_in_one_piece() {
    let mut reader = MessagesReader::default();
    let body = json!({
        "type": "message", "role": "assistant", "stop_reason": "tool_use",
        "content": [
            { "type": "thinking", "thinking": "t", "signature": "c2ln" },
            { "type": "text", "text": "Hi." },
            { "type": "tool_use", "id": "t", "name": "list", "input": { "path": "." } },
        ],
        "usage": { "input_tokens": 1, "output_tokens": 2 },
    });
    let pieces = reader.read_whole(&body.to_string()).expect("a message");
    assert_eq!(
        pieces,
        [
            readers::thinking("t"),
            readers::said("Hi."),
            readers::arguments("{\"path\":\".\"}")
        ]
    );
    let reply = reader.finish().expect("a whole reply");
    assert_json(
        "the same as from a stream",
        &to_json(&reply.content),
        &json!([
            { "type": "thinking", "thinking": "t", "signature": "c2ln" },
            { "type": "text", "text": "Hi." },
            { "type": "toolCall", "id": "t", "name": "list", "arguments": { "path": "." } },
        ]),
    );
    assert_eq!(reply.usage.total_tokens, 3);
    let none = MessagesReader::default().read_whole("{\"hello\":1}");
    assert!(
        matches!(none, Err(ProviderError::MalformedReply(_))),
        "an object without `content` is no message: {none:?}"
    );
}

// 19.9 A stream of the Responses API

#[test]
fn test_ch19_a_stream_of_items_is_a_reply() {
    let (reply, pieces) = readers::read(ResponsesReader::default(), &readers::whole_response(true));
    let reply = reply.expect("a whole reply");
    assert_json(
        "thoughts with their seal, words and a call, in their order",
        &to_json(&reply.content),
        &json!([
            { "type": "thinking", "thinking": "List first.", "signature": "rs_1|ENC==" },
            { "type": "text", "text": "Let me look." },
            { "type": "toolCall", "id": "call_1", "name": "list", "arguments": { "path": "src" } },
        ]),
    );
    assert_eq!(reply.stop_reason, StopReason::ToolUse);
    assert_eq!(reply.note, None, "nothing unusual has happened");
    assert_eq!(
        pieces,
        [
            readers::thinking("List first."),
            readers::said("Let me "),
            readers::said("look."),
            readers::arguments("{\"path\":\"src\"}"),
        ],
        "the pieces alone: events that say again what others said show nothing"
    );
    assert_eq!(
        reply.usage,
        Usage {
            input: 20,
            output: 40,
            reasoning: 30,
            cache_read: 1000,
            cache_write: 300,
            total_tokens: 1360
        },
        "here the tokens of the cache are among those that were read, and have to be taken out"
    );
}

#[test]
fn test_ch19_a_response_without_its_output() {
    let said = |text: &str| {
        json!({ "type": "message", "id": "msg_1", "role": "assistant",
                "content": [{ "type": "output_text", "text": text }] })
    };
    let events = [
        json!({ "type": "response.output_item.done", "output_index": 0, "item": said("Draft.") }),
        json!({ "type": "response.completed", "response": { "status": "completed", "output": [said("Done.")] } }),
    ];
    let events = events.map(|event| event.to_string());
    let (reply, _) = readers::read(ResponsesReader::default(), &events);
    assert_eq!(
        reply.expect("a whole reply").content,
        [Content::Text {
            text: "Done.".into()
        }],
        "what the response has at its end is the reply, where no item is missing in it"
    );
    let (reply, _) = readers::read(ResponsesReader::default(), &readers::whole_response(false));
    assert_eq!(
        reply.expect("a whole reply").content.len(),
        3,
        "some servers end with an empty `output`: then the items count that were done one by one"
    );
    let done = |index: u64, text: &str| json!({ "type": "response.output_item.done", "output_index": index, "item": said(text) });
    let events = [
        done(0, "One."),
        done(1, "Two."),
        json!({ "type": "response.completed", "response": { "status": "completed", "output": [said("Two.")] } }),
    ];
    let events = events.map(|event| event.to_string());
    let (reply, _) = readers::read(ResponsesReader::default(), &events);
    assert_json(
        "where fewer items are in the `output` than were done one by one, those that were done count",
        &to_json(&reply.expect("a whole reply").content),
        &json!([text("One."), text("Two.")]),
    );
}

#[test]
fn test_ch19_why_a_response_ended() {
    for (status, why, reason, note) in [
        ("completed", Value::Null, StopReason::Stop, ""),
        (
            "incomplete",
            json!("max_output_tokens"),
            StopReason::Length,
            "",
        ),
        (
            "incomplete",
            json!("content_filter"),
            StopReason::GuardRail,
            "content filter",
        ),
        (
            "incomplete",
            json!("solar_flare"),
            StopReason::Length,
            "solar_flare",
        ),
        ("queued", Value::Null, StopReason::Stop, "queued"),
    ] {
        let response = json!({ "status": status, "incomplete_details": { "reason": why },
            "output": [{ "type": "message", "id": "msg_1", "role": "assistant",
                         "content": [{ "type": "output_text", "text": "Hi." }] }] });
        let kind = if status == "incomplete" {
            "response.incomplete"
        } else {
            "response.completed"
        };
        let event = json!({ "type": kind, "response": response }).to_string();
        let (reply, _) = readers::read(ResponsesReader::default(), &[event]);
        let reply = reply.expect("a whole reply");
        assert_eq!(reply.stop_reason, reason, "status {status}, reason {why}");
        let found = reply.note.unwrap_or_default();
        assert!(
            found.contains(note) && found.is_empty() == note.is_empty(),
            "for {status}, {why} the note should speak of {note:?}, and say nothing where that is empty; it says {found:?}"
        );
    }
}

#[test]
fn test_ch19_a_call_that_was_cut_does_not_run() {
    for (written, kept) in [("", json!("")), ("{\"comm", json!("{\"comm"))] {
        let call = json!({ "type": "function_call", "call_id": "c", "name": "bash",
                           "arguments": written, "status": "incomplete" });
        let response = json!({ "status": "incomplete", "output": [call],
                               "incomplete_details": { "reason": "max_output_tokens" } });
        let event = json!({ "type": "response.incomplete", "response": response }).to_string();
        let (reply, _) = readers::read(ResponsesReader::default(), &[event]);
        assert_eq!(
            readers::arguments_of(&reply.expect("a whole reply").content),
            kept,
            "a call of which {written:?} had come: no tool may run with that"
        );
    }
    let call = |id: &str, status: &str| {
        json!({ "type": "function_call", "call_id": id, "name": "list",
                                                "arguments": "", "status": status })
    };
    let response = json!({ "status": "incomplete", "incomplete_details": { "reason": "max_output_tokens" },
                           "output": [call("a", "completed"), call("b", "incomplete")] });
    let event = json!({ "type": "response.incomplete", "response": response }).to_string();
    let (reply, _) = readers::read(ResponsesReader::default(), &[event]);
    assert_eq!(
        readers::arguments_of(&reply.expect("a whole reply").content),
        json!({}),
        "the call before the one that was cut is whole, and has no arguments"
    );
}

#[test]
fn test_ch19_a_refusal_says_that_it_is_one() {
    let event = |delta: &str| {
        json!({ "type": "response.refusal.delta", "output_index": 0, "content_index": 0, "delta": delta }).to_string()
    };
    let done = json!({ "type": "response.completed", "response": { "status": "completed", "output": [
        { "type": "message", "id": "msg_1", "role": "assistant",
          "content": [{ "type": "refusal", "refusal": "I can't." }] }] } });
    let (reply, pieces) = readers::read(
        ResponsesReader::default(),
        &[event("I "), event("can't."), done.to_string()],
    );
    let shown: String = pieces.iter().map(readers::text_of).collect();
    assert_eq!(
        shown, "[refusal] I can't.",
        "the mark is shown once, before the first piece"
    );
    assert_json(
        "and what is kept says the same",
        &to_json(&reply.expect("a whole reply").content),
        &json!([{ "type": "text", "text": "[refusal] I can't." }]),
    );
}

#[test]
fn test_ch19_items_without_an_index_follow_each_other() {
    let done = |index: Value, text: &str| {
        json!({ "type": "response.output_item.done", "output_index": index, "item": {
            "type": "message", "id": "msg_1", "role": "assistant",
            "content": [{ "type": "refusal", "refusal": text }] } })
    };
    let piece = |text: &str| json!({ "type": "response.refusal.delta", "delta": text });
    let events = [
        done(json!(4), "a"),
        piece("b"),
        done(Value::Null, "b"),
        piece("c"),
        piece("c"),
        done(Value::Null, "cc"),
        json!({ "type": "response.completed", "response": { "status": "completed", "output": [] } }),
    ];
    let (reply, pieces) = readers::read(
        ResponsesReader::default(),
        &events.map(|event| event.to_string()),
    );
    assert_json(
        "an item whose index the server leaves out is the next: it takes no other's place",
        &to_json(&reply.expect("a whole reply").content),
        &json!([
            text("[refusal] a"),
            text("[refusal] b"),
            text("[refusal] cc")
        ]),
    );
    let shown: String = pieces.iter().map(readers::text_of).collect();
    assert_eq!(
        shown, "[refusal] b[refusal] cc",
        "and so are pieces without one: each refusal has its mark, once"
    );
}

#[test]
fn test_ch19_deep_arguments_of_a_response_are_text() {
    for levels in [MAX_DEPTH, MAX_DEPTH + 1, 126, 5000] {
        let written = readers::nested(levels);
        let kept = match levels > MAX_DEPTH {
            true => json!(written),
            false => serde_json::from_str(&written).expect("JSON"),
        };
        let call = json!({ "type": "function_call", "call_id": "c", "name": "bash", "arguments": written });
        let event = json!({ "type": "response.completed",
                            "response": { "status": "completed", "output": [call] } });
        let (reply, _) = readers::read(ResponsesReader::default(), &[event.to_string()]);
        let content = reply.expect("a whole reply").content;
        assert!(
            readers::arguments_of(&content) == kept,
            "arguments of {levels} levels: those that are too deep are kept to the letter, as those that are not JSON"
        );
        let message = bodies::with_content(content);
        readers::assert_can_be_kept(&from_agent(
            std::slice::from_ref(&message),
            Api::Responses,
            "anthropic",
        ));
        readers::assert_can_be_kept(&message);
    }
}

#[test]
fn test_ch19_what_was_skipped_is_noted() {
    let response = json!({ "type": "response.completed", "response": { "status": "completed", "output": [
        { "type": "reasoning", "id": "rs_1", "summary": [{ "type": "summary_audio", "data": "UklG" }] },
        { "type": "message", "id": "msg_1", "role": "assistant", "content": [
            { "type": "output_audio", "data": "UklG" }, { "type": "output_text", "text": "Hi." } ] } ] } });
    let (reply, _) = readers::read(ResponsesReader::default(), &[response.to_string()]);
    let reply = reply.expect("one part that nobody knows does not take the rest away");
    assert!(
        reply
            .content
            .contains(&Content::Text { text: "Hi.".into() }),
        "what is known is kept: {:?}",
        reply.content
    );
    let note = reply.note.unwrap_or_default();
    assert!(
        note.contains("summary_audio") && note.contains("output_audio"),
        "and the note names what is not: {note:?}"
    );
}

#[test]
fn test_ch19_a_stream_of_items_that_breaks_off() {
    let whole = readers::whole_response(true);
    for events in 0..whole.len() {
        let (reply, _) = readers::read(ResponsesReader::default(), &whole[..events]);
        let is_whole = events == whole.len();
        assert!(
            is_whole
                || matches!(&reply, Err(ProviderError::Network(why)) if why.contains("broke off")),
            "after {events} events of {} the reply is not whole: {reply:?}",
            whole.len()
        );
    }
    let (reply, _) = readers::read(ResponsesReader::default(), &whole[..whole.len() - 1]);
    assert!(
        matches!(&reply, Err(ProviderError::Network(why)) if why.contains("12 characters") && why.contains("1 tool call")),
        "it says how much had come, `Let me look.` and a call: {reply:?}"
    );
}

#[test]
fn test_ch19_odd_events_of_responses() {
    let mut reader = ResponsesReader::default();
    let fine = json!({ "type": "response.brand_new.delta", "delta": "x" });
    assert_eq!(
        reader.read(&fine.to_string()),
        Ok(vec![]),
        "{fine} is passed over"
    );
    for (event, kind) in [
        (
            json!({ "type": "error", "code": "rate_limit_exceeded", "message": "slow down" }),
            "rate limit",
        ),
        (
            json!({ "type": "error", "error": { "type": "server_error", "message": "x" } }),
            "overloaded",
        ),
        (
            json!({ "type": "response.failed", "response": { "status": "failed",
                    "error": { "code": "server_error", "message": "x" } } }),
            "overloaded",
        ),
        (
            json!({ "type": "response.failed", "response": { "error": { "code": "context_length_exceeded", "message": "x" } } }),
            "overflow",
        ),
    ] {
        let error = reader.read(&event.to_string());
        let found = match &error {
            Err(ProviderError::RateLimited { .. }) => "rate limit",
            Err(ProviderError::Overloaded { .. }) => "overloaded",
            Err(ProviderError::ContextOverflow(_)) => "overflow",
            _ => "another",
        };
        assert_eq!(found, kind, "{event} gave {error:?}");
    }
    for bad in [
        "{\"type\":".to_string(),
        "{}".to_string(),
        json!({ "type": "response.output_item.done", "item": { "type": "message" } }).to_string(),
    ] {
        let error = reader.read(&bad);
        assert!(
            matches!(error, Err(ProviderError::MalformedReply(_))),
            "{bad} cannot be understood; readers::read() said {error:?}"
        );
    }
    let search = json!({ "type": "response.completed", "response": { "status": "solar_flare",
        "output": [{ "type": "web_search_call", "id": "ws_1" }] } });
    let (reply, _) = readers::read(ResponsesReader::default(), &[search.to_string()]);
    let note = reply.expect("a whole reply").note;
    assert!(
        note.as_deref()
            .is_some_and(|note| note.contains("web_search_call") && note.contains("solar_flare")),
        "the note says how the response ended, and it names an item that cannot be kept: {note:?}"
    );
}

#[test]
fn test_ch19_a_response_in_one_piece() {
    let whole = readers::whole_response(true);
    let (streamed, _) = readers::read(ResponsesReader::default(), &whole);
    let last: Value = serde_json::from_str(&whole[whole.len() - 1]).expect("the last event");
    let mut reader = ResponsesReader::default();
    let pieces = reader.read_whole(&last["response"].to_string());
    assert_eq!(
        pieces.expect("a response"),
        [
            readers::thinking("List first."),
            readers::said("Let me look."),
            readers::arguments("{\"path\":\"src\"}")
        ]
    );
    assert_eq!(reader.finish(), streamed, "the same as from a stream");
    let hidden = json!({ "status": "completed", "output": [
        { "type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "ENC==" } ] });
    assert_eq!(
        ResponsesReader::default().read_whole(&hidden.to_string()),
        Ok(vec![]),
        "of thoughts that are not shown there is no piece to show"
    );
    let none = ResponsesReader::default().read_whole("{\"hello\":1}");
    assert!(
        matches!(none, Err(ProviderError::MalformedReply(_))),
        "an object without `output` is no response: {none:?}"
    );
}

// 19.10 Over TCP

#[tokio::test]
async fn test_ch19_both_models_stream_a_reply() {
    for api in wire::APIS {
        let server = wire::server(Script::new().reply(wire::full())).await;
        let model = wire::model(api, &server, |config| {
            config.api_key = Some(" sk-test\n".into());
        });
        let (reply, pieces) = wire::asked(model.as_ref(), &[Message::user("Hi.")]).await;
        let reply = reply.unwrap_or_else(|error| panic!("{api}: {error}"));
        let seal = wire::signature(&reply);
        assert!(
            seal == "c2ln+/==" || seal.ends_with("|c2ln+/=="),
            "{api}: the thoughts keep their seal: {seal}"
        );
        let shown: String = pieces
            .iter()
            .map(|piece| match piece {
                StreamDelta::Text { delta } => delta.as_str(),
                _ => "",
            })
            .collect();
        assert_eq!(shown, "Hello ä🦀", "{api}: the pieces are the text");
        assert!(
            pieces.contains(&StreamDelta::Thinking {
                delta: "plan".into()
            }) || pieces
                .iter()
                .any(|it| matches!(it, StreamDelta::Thinking { .. })),
            "{api}: thoughts are shown as thoughts: {pieces:?}"
        );
        let Message::Assistant {
            stop_reason,
            model,
            provider,
            usage,
            ..
        } = &reply
        else {
            panic!("{api}: a reply is an assistant's message: {reply:?}");
        };
        assert_eq!(
            (*stop_reason, model.as_str()),
            (StopReason::ToolUse, "small-model")
        );
        assert_eq!(
            provider,
            if api == "messages" {
                "anthropic"
            } else {
                "openai"
            }
        );
        assert_eq!(
            (
                usage.input,
                usage.output,
                usage.cache_read,
                usage.total_tokens
            ),
            (20, 7, 100, 127),
            "{api}: tokens of the cache are counted beside the others"
        );
        let request = &server.requests()[0];
        let key = if api == "messages" {
            "x-api-key"
        } else {
            "authorization"
        };
        let sent = if api == "messages" {
            "sk-test"
        } else {
            "Bearer sk-test"
        };
        assert_eq!(
            request.header(key),
            Some(sent),
            "{api}: the key, without white space around it"
        );
        let has_bearer = request.header("authorization").is_some();
        assert_eq!(
            has_bearer,
            api == "responses",
            "{api}: the key goes into the one header that the API wants, and into no other"
        );
        let version = request.header("anthropic-version");
        assert_eq!(
            version.is_some(),
            api == "messages",
            "{api}: the version's header"
        );
        let path = if api == "messages" {
            "/v1/messages"
        } else {
            "/v1/responses"
        };
        assert_eq!(request.path, path);
    }
}

#[tokio::test]
async fn test_ch19_seals_go_back_untouched() {
    for api in wire::APIS {
        let script = Script::new()
            .reply(wire::full())
            .reply(Scripted::text("Done."));
        let server = wire::server(script).await;
        let mut agent = Agent::builder(wire::Shared(wire::model(api, &server, |_| {})))
            .tools(ToolSet::new().with(wire::List(ToolDefinition::new("list", "Lists."))))
            .thinking(ThinkingLevel::Low)
            .build();
        let end = wire::in_time(agent.run("Hi.")).await;
        let said: Vec<Value> = agent.messages().iter().map(to_json).collect();
        assert_eq!(
            end,
            StopReason::Stop,
            "{api}: the server refuses thoughts that do not come back as it sent them: {said:#?}"
        );
        let body = &server.requests()[1].body;
        let expected = match api {
            "messages" => json!([
                { "type": "thinking", "thinking": "plan", "signature": "c2ln+/==" },
                { "type": "redacted_thinking", "data": "DATA==" },
            ]),
            _ => {
                json!([{ "type": "reasoning", "id": body["input"][1]["id"], "encrypted_content": "c2ln+/==",
                          "summary": [{ "type": "summary_text", "text": "plan" }] }])
            }
        };
        let sent = match api {
            "messages" => json!(body["messages"][1]["content"].as_array().map(|it| &it[..2])),
            _ => json!([body["input"][1]]),
        };
        assert_json(
            &format!("{api}: in the second request, before what was said"),
            &sent,
            &expected,
        );
    }
}

#[tokio::test]
async fn test_ch19_any_split_is_the_same_reply() {
    for api in wire::APIS {
        let server = wire::server(Script::new().reply(wire::full()).chunk(1)).await;
        let (split, _) = wire::asked(
            wire::model(api, &server, |_| {}).as_ref(),
            &[Message::user("Hi.")],
        )
        .await;
        let whole = wire::server(Script::new().reply(wire::full())).await;
        let (whole, _) = wire::asked(
            wire::model(api, &whole, |_| {}).as_ref(),
            &[Message::user("Hi.")],
        )
        .await;
        assert_eq!(
            split.map(wire::timeless),
            whole.map(wire::timeless),
            "{api}: a reply that comes byte by byte is the reply"
        );
    }
}

#[tokio::test]
async fn test_ch19_a_cut_stream_is_no_reply() {
    for api in wire::APIS {
        let cuts = [0, 1, 300, 900];
        let script = cuts.into_iter().fold(Script::new(), |script, bytes| {
            script.fault_in(Fault::CutAfter { bytes }, wire::full())
        });
        let server = wire::server(script).await;
        let model = wire::model(api, &server, |_| {});
        for bytes in cuts {
            let (reply, _) = wire::asked(model.as_ref(), &[Message::user("Hi.")]).await;
            assert!(
                matches!(reply, Err(ProviderError::Network(_))),
                "{api}: cut after {bytes} bytes, this is half a reply at most: {reply:?}"
            );
        }
    }
}

#[tokio::test]
async fn test_ch19_after_its_reason_to_stop_a_reply_may_break_off() {
    let events = [
        json!({ "type": "message_start", "message": { "usage": { "input_tokens": 3, "output_tokens": 1 } } }),
        json!({ "type": "content_block_start", "index": 0, "content_block": text("Hi.") }),
        json!({ "type": "content_block_stop", "index": 0 }),
        json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" }, "usage": { "output_tokens": 2 } }),
    ];
    let events = events.map(|event| format!("data: {event}\n\n")).concat();
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("has an address");
    let serve = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.expect("somebody asks");
        let mut request = vec![0; 64 * 1024];
        let _ = stream.read(&mut request).await;
        // More is promised than comes.
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: {}\r\n\r\n",
            events.len() + 1
        );
        let _ = stream.write_all((head + &events).as_bytes()).await;
    });
    let server = wire::server(Script::new()).await;
    let model = wire::model("messages", &server, |config| {
        config.base_url = format!("http://{address}");
    });
    let (reply, _) = wire::asked(model.as_ref(), &[Message::user("Hi.")]).await;
    serve.await.expect("nothing panics there");
    assert!(
        matches!(
            &reply,
            Ok(Message::Assistant {
                stop_reason: StopReason::Stop,
                ..
            })
        ),
        "it has its blocks and its reason: that `message_stop` is missing costs nobody anything: {reply:?}"
    );
}

#[tokio::test]
async fn test_ch19_refusals_are_errors_by_what_to_do() {
    let error = |kind: &str, words: &str| json!({ "error": { "type": kind, "message": words } });
    let cases = [
        (
            401,
            None,
            error("authentication_error", "invalid x-api-key"),
            "authentication",
        ),
        (
            429,
            Some("7"),
            error("rate_limit_error", "slow down"),
            "rate limit of 7 s",
        ),
        (
            529,
            None,
            error("overloaded_error", "Overloaded"),
            "overloaded",
        ),
        (
            400,
            None,
            error("invalid_request_error", "prompt is too long: 9 tokens"),
            "overflow",
        ),
        (
            400,
            None,
            error("invalid_request_error", "no"),
            "bad request",
        ),
    ];
    for api in wire::APIS {
        let script = cases
            .iter()
            .fold(Script::new(), |script, (status, wait, body, _)| {
                script.fault(Fault::Status {
                    status: *status,
                    retry_after: wait.map(str::to_string),
                    body: body.to_string(),
                })
            });
        let server = wire::server(script).await;
        let model = wire::model(api, &server, |_| {});
        for (status, _, body, kind) in &cases {
            let (reply, _) = wire::asked(model.as_ref(), &[Message::user("Hi.")]).await;
            let found = match &reply {
                Err(ProviderError::Authentication(_)) => "authentication".to_string(),
                Err(ProviderError::RateLimited { retry_after, .. }) => {
                    format!(
                        "rate limit of {} s",
                        retry_after.unwrap_or_default().as_secs()
                    )
                }
                Err(ProviderError::Overloaded { .. }) => "overloaded".to_string(),
                Err(ProviderError::ContextOverflow(_)) => "overflow".to_string(),
                Err(ProviderError::BadRequest(_)) => "bad request".to_string(),
                _ => "another".to_string(),
            };
            assert_eq!(
                &found, kind,
                "{api}: status {status} with {body} gave {reply:?}"
            );
        }
    }
}

#[tokio::test]
async fn test_ch19_answers_of_another_kind() {
    let raw = |content_type: &str, body: String| Fault::Raw {
        status: 200,
        content_type: content_type.into(),
        body: body.into_bytes(),
    };
    let overloaded = json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" } });
    for api in wire::APIS {
        let script = Script::new()
            .fault(raw("text/html", "<html>Welcome</html>".into()))
            .fault(raw(
                "text/event-stream",
                format!("event: error\ndata: {overloaded}\n\n"),
            ))
            .fault(Fault::GarbageEvent)
            .fault(Fault::InvalidUtf8)
            .fault(Fault::OversizedEvent { bytes: 200_000 });
        let server = wire::server(script).await;
        let model = wire::model(api, &server, |_| {});
        let error = wire::failure(model.as_ref()).await;
        let ProviderError::MalformedReply(why) = &error else {
            panic!("{api}: a web page is no reply: {error}");
        };
        assert!(
            why.contains("text/html") && why.contains("base URL"),
            "{api}: the error should name what came and ask about the base URL: {why}"
        );
        let error = wire::failure(model.as_ref()).await;
        assert!(
            matches!(error, ProviderError::Overloaded { .. }),
            "{api}: an error inside a stream is the error that it names: {error}"
        );
        for what in [
            "an event that is not JSON",
            "bytes that are not UTF-8",
            "an event beyond the limit",
        ] {
            let error = wire::failure(model.as_ref()).await;
            assert!(
                matches!(error, ProviderError::MalformedReply(_)),
                "{api}: {what} cannot be understood: {error}"
            );
        }
    }
}

#[tokio::test]
async fn test_ch19_a_stall_ends_by_time_or_by_hand() {
    for api in wire::APIS {
        let stall = || Script::new().fault_in(Fault::Stall { after_bytes: 1400 }, wire::full());
        let waiting = wire::server(stall()).await;
        let patient = wire::model(api, &waiting, |config| {
            config.idle_timeout = Duration::from_millis(20)
        });
        let (reply, _) = wire::asked(patient.as_ref(), &[Message::user("Hi.")]).await;
        assert!(
            matches!(&reply, Err(ProviderError::Network(why)) if why.contains("stopped")),
            "{api}: a stream that stalls ends with the idle timeout: {reply:?}"
        );
        let whole = Fault::Stall {
            after_bytes: usize::MAX,
        };
        let waiting = wire::server(Script::new().fault_in(whole, wire::full())).await;
        let model = wire::model(api, &waiting, |_| {});
        let (reply, _) = wire::asked(model.as_ref(), &[Message::user("Hi.")]).await;
        assert!(
            reply.is_ok(),
            "{api}: with the last event the reply is there, and the connection need not end: {reply:?}"
        );
        let waiting = wire::server(stall()).await;
        let model = wire::model(api, &waiting, |_| {});
        let (sender, mut pieces) = mpsc::channel(64);
        let request = wire::Asked::new(vec![Message::user("Hi.")]);
        let cancelled = wire::in_time(async {
            tokio::select! {
                reply = request.stream(model.as_ref(), &sender) => Some(reply),
                _ = pieces.recv() => None,
            }
        })
        .await;
        assert!(
            cancelled.is_none(),
            "{api}: the first piece is shown while the rest is awaited; then the request can be dropped: {cancelled:?}"
        );
    }
}

#[tokio::test]
async fn test_ch19_a_reader_that_has_gone_does_not_end_a_reply() {
    for api in wire::APIS {
        let server = wire::server(Script::new().reply(wire::full())).await;
        let (sender, pieces) = mpsc::channel(1);
        drop(pieces);
        let request = wire::Asked::new(vec![Message::user("Hi.")]);
        let model = wire::model(api, &server, |_| {});
        let reply = wire::in_time(request.stream(model.as_ref(), &sender)).await;
        assert!(
            reply.is_ok(),
            "{api}: nobody looks, and the reply comes all the same: {reply:?}"
        );
    }
}

#[tokio::test]
async fn test_ch19_a_sender_that_is_kept_holds_nobody_up() {
    struct Keeps(std::sync::Mutex<Vec<DeltaSender>>);

    #[async_trait::async_trait]
    impl LanguageModel for Keeps {
        fn provider(&self) -> &str {
            "test"
        }

        fn model(&self) -> &str {
            "m"
        }

        async fn stream(
            &self,
            _: &ModelRequest<'_>,
            deltas: &DeltaSender,
        ) -> Result<Message, ProviderError> {
            let _ = deltas.send(readers::said("Hi.")).await;
            self.0.lock().expect("not poisoned").push(deltas.clone());
            Ok(Message::Assistant {
                content: vec![Content::Text { text: "Hi.".into() }],
                stop_reason: StopReason::Stop,
                model: "m".into(),
                provider: "test".into(),
                usage: Usage::default(),
                timestamp: 0,
                error_message: None,
            })
        }
    }

    let model = RetryingModel::new(Keeps(Default::default()), RetryPolicy::default());
    let (reply, pieces) = wire::asked(&model, &[Message::user("Hi.")]).await;
    assert!(reply.is_ok(), "the reply is there: {reply:?}");
    assert_eq!(
        pieces,
        [readers::said("Hi.")],
        "what was sent is passed on, and nobody waits for more"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch19_a_wait_is_told_before_it_begins() {
    struct Busy(std::sync::atomic::AtomicUsize);

    #[async_trait::async_trait]
    impl LanguageModel for Busy {
        fn provider(&self) -> &str {
            "test"
        }

        fn model(&self) -> &str {
            "m"
        }

        async fn stream(
            &self,
            _: &ModelRequest<'_>,
            _: &DeltaSender,
        ) -> Result<Message, ProviderError> {
            let before = self.0.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            match before {
                0 => Err(ProviderError::Overloaded {
                    retry_after: Some(Duration::from_secs(1)),
                    message: "busy".into(),
                }),
                _ => Ok(reply("test", StopReason::ToolUse)),
            }
        }
    }

    let begin = tokio::time::Instant::now();
    let told = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let tell = told.clone();
    let model = RetryingModel::new(Busy(Default::default()), RetryPolicy::default())
        .telling(move |_, _| tell.lock().expect("not poisoned").push(begin.elapsed()));
    let (reply, _) = wire::asked(&model, &[Message::user("Hi.")]).await;
    assert!(reply.is_ok(), "the second attempt succeeds: {reply:?}");
    assert!(
        begin.elapsed() >= Duration::from_secs(1),
        "the wait is as long as the server asks for: {:?}",
        begin.elapsed()
    );
    assert_eq!(
        *told.lock().expect("not poisoned"),
        [Duration::ZERO],
        "it is told before the wait, since nobody wants to hear of one that is over"
    );
}

#[tokio::test]
async fn test_ch19_asked_again_only_before_anything_was_shown() {
    let overloaded = || Fault::Status {
        status: 529,
        retry_after: None,
        body: "{}".into(),
    };
    let refused = || Fault::Status {
        status: 401,
        retry_after: None,
        body: "{}".into(),
    };
    let policy = RetryPolicy {
        max_retries: 3,
        base: Duration::from_millis(1),
        cap: Duration::from_millis(1),
        longest_wait: Duration::from_secs(1),
    };
    for api in wire::APIS {
        let script = Script::new()
            .fault(overloaded())
            .fault(overloaded())
            .reply(wire::full())
            .fault_in(Fault::CutAfter { bytes: 1400 }, wire::full())
            .fault(refused());
        let script = (0..5).fold(script, |script, _| script.fault(overloaded()));
        let server = wire::server(script).await;
        let told = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
        let tell = told.clone();
        let again = RetryingModel::new(
            wire::Shared(wire::model(api, &server, |_| {})),
            policy.clone(),
        )
        .telling(move |error, delay| {
            let is_short = delay <= Duration::from_millis(1);
            let mut told = tell.lock().expect("not poisoned");
            told.push((matches!(error, ProviderError::Overloaded { .. }), is_short));
        });
        let (reply, pieces) = wire::asked(&again, &[Message::user("Hi.")]).await;
        assert!(
            reply.is_ok(),
            "{api}: the third attempt succeeds: {reply:?}"
        );
        assert_eq!(
            (again.provider(), again.model()),
            (
                match api {
                    "messages" => "anthropic",
                    _ => "openai",
                },
                "small-model"
            ),
            "it is the same model, asked again"
        );
        assert!(!pieces.is_empty(), "{api}: and its pieces are passed on");
        assert_eq!(
            server.requests().len(),
            3,
            "{api}: one request, and two retries"
        );
        assert_eq!(
            *told.lock().expect("not poisoned"),
            [(true, true), (true, true)],
            "{api}: before each wait it is told why, and for how long"
        );

        let (reply, pieces) = wire::asked(&again, &[Message::user("Hi.")]).await;
        assert!(!pieces.is_empty(), "{api}: some of the reply was shown");
        assert!(
            matches!(reply, Err(ProviderError::Network(_))) && server.requests().len() == 4,
            "{api}: what was shown would be shown twice, so there is no retry ({} requests): {reply:?}",
            server.requests().len() - 3
        );

        let (reply, _) = wire::asked(&again, &[Message::user("Hi.")]).await;
        assert!(
            matches!(reply, Err(ProviderError::Authentication(_))) && server.requests().len() == 5,
            "{api}: no retry mends a wrong key: {reply:?}"
        );

        let (reply, _) = wire::asked(&again, &[Message::user("Hi.")]).await;
        assert!(
            matches!(reply, Err(ProviderError::Overloaded { .. })) && server.requests().len() == 9,
            "{api}: three retries, and no more ({} requests): {reply:?}",
            server.requests().len() - 5
        );
    }
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

fn input_text(text: &str) -> Value {
    json!({ "type": "input_text", "text": text })
}

fn input_png() -> Value {
    json!({ "type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo=", "detail": "auto" })
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
