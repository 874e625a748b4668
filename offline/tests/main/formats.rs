//! Each format, streamed and not, as its API has it.

use claw_offline::{Reply, Script, Server};
use serde_json::{Value, json};

use crate::common::{APIS, Answer, CHAT, MESSAGES, RESPONSES, ask, question, text_of};

/// A reply with everything in it.
fn full() -> Reply {
    Reply::pieces(["Hel", "lo ", "ä🦀"])
        .and_tool_calls([
            ("call_1", "list", json!({ "path": "src" })),
            ("call_2", "read", json!({ "path": "a" })),
        ])
        .usage(120, 7)
        .cached(100)
}

async fn answer(path: &str, reply: Reply, is_stream: bool) -> Answer {
    let server = Server::with(Script::new().reply(reply)).await.unwrap();
    let mut body = question(path, "hi", is_stream);
    if path == CHAT {
        body["stream_options"] = json!({ "include_usage": true });
    }
    let answer = ask(&server, path, &body).await;
    assert_eq!(answer.status, 200);
    answer
}

/// The pieces that `get` finds in the events, put together.
fn joined(events: &[Value], get: impl Fn(&Value) -> Option<&str>) -> String {
    events.iter().filter_map(get).collect()
}

#[tokio::test]
async fn chat_completions_in_one_body() {
    let body = answer(CHAT, full(), false).await.json();
    assert_eq!(body["object"], "chat.completion");
    let choice = &body["choices"][0];
    assert_eq!(choice["finish_reason"], "tool_calls");
    assert_eq!(
        choice["message"],
        json!({
            "role": "assistant",
            "content": "Hello ä🦀",
            "refusal": null,
            "tool_calls": [
                { "id": "call_1", "type": "function",
                  "function": { "name": "list", "arguments": "{\"path\":\"src\"}" } },
                { "id": "call_2", "type": "function",
                  "function": { "name": "read", "arguments": "{\"path\":\"a\"}" } },
            ],
        })
    );
    let usage = &body["usage"];
    assert_eq!(usage["prompt_tokens"], 120, "cached tokens are among them");
    assert_eq!(usage["completion_tokens"], 7);
    assert_eq!(usage["total_tokens"], 127);
    assert_eq!(usage["prompt_tokens_details"]["cached_tokens"], 100);
}

#[tokio::test]
async fn chat_completions_as_a_stream() {
    let answer = answer(CHAT, full(), true).await;
    assert!(
        answer.events().iter().all(|(name, _)| name.is_empty()),
        "no event has a name"
    );
    let mut chunks = answer.data();
    assert_eq!(chunks.pop(), Some(json!("[DONE]")));
    let usage = chunks.pop().unwrap();
    assert_eq!(usage["choices"], json!([]));
    assert_eq!(usage["usage"]["total_tokens"], 127);
    for chunk in &chunks {
        assert_eq!(chunk["object"], "chat.completion.chunk");
        assert_eq!(chunk["id"], chunks[0]["id"], "all chunks have the same id");
        assert_eq!(
            chunk.get("usage"),
            Some(&Value::Null),
            "until the end, usage is null"
        );
    }
    let choices: Vec<Value> = chunks.iter().map(|it| it["choices"][0].clone()).collect();
    assert_eq!(choices[0]["delta"]["role"], "assistant");
    let texts: Vec<&str> = (choices.iter())
        .filter_map(|it| it["delta"]["content"].as_str())
        .filter(|text| !text.is_empty())
        .collect();
    assert_eq!(texts, ["Hel", "lo ", "ä🦀"]);
    let deltas: Vec<&Value> = choices
        .iter()
        .map(|it| &it["delta"]["tool_calls"][0])
        .collect();
    for (index, name, arguments) in [
        (0, "list", r#"{"path":"src"}"#),
        (1, "read", r#"{"path":"a"}"#),
    ] {
        let own: Vec<&&Value> = deltas.iter().filter(|it| it["index"] == index).collect();
        assert_eq!(own[0]["id"], format!("call_{}", index + 1));
        assert_eq!(own[0]["type"], "function");
        assert_eq!(own[0]["function"]["name"], name);
        assert!(
            own[1..].iter().all(|it| it.get("id").is_none()),
            "the id comes once"
        );
        let pieces: Vec<&str> = (own.iter())
            .filter_map(|it| it["function"]["arguments"].as_str())
            .collect();
        assert!(
            pieces.len() > 2,
            "arguments come in several pieces: {pieces:?}"
        );
        assert_eq!(pieces.concat(), arguments);
    }
    let reasons: Vec<&Value> = choices.iter().map(|it| &it["finish_reason"]).collect();
    let (last, before) = reasons.split_last().unwrap();
    assert_eq!(*last, "tool_calls");
    assert!(
        before.iter().all(|it| it.is_null()),
        "the finish reason comes last"
    );
}

#[tokio::test]
async fn a_stream_of_chat_completions_has_usage_only_when_asked() {
    let server = Server::start().await.unwrap();
    let answer = ask(&server, CHAT, &question(CHAT, "hi", true)).await;
    for chunk in answer.data() {
        assert!(chunk.get("usage").is_none(), "{chunk}");
        assert_ne!(chunk["choices"], json!([]));
    }
}

#[tokio::test]
async fn responses_in_one_body() {
    let body = answer(RESPONSES, full().thinking("plan", "sig"), false)
        .await
        .json();
    assert_eq!(body["object"], "response");
    assert_eq!(body["status"], "completed");
    assert_eq!(body["incomplete_details"], Value::Null);
    let output = body["output"].as_array().unwrap();
    let kinds: Vec<&Value> = output.iter().map(|item| &item["type"]).collect();
    assert_eq!(
        kinds,
        ["reasoning", "message", "function_call", "function_call"]
    );
    assert_eq!(
        output[0]["summary"][0],
        json!({ "type": "summary_text", "text": "plan" })
    );
    assert_eq!(output[0]["encrypted_content"], "sig");
    assert_eq!(output[1]["content"][0]["type"], "output_text");
    assert_eq!(output[1]["content"][0]["text"], "Hello ä🦀");
    assert_eq!(output[2]["call_id"], "call_1");
    assert_eq!(output[2]["name"], "list");
    assert_eq!(output[2]["arguments"], r#"{"path":"src"}"#);
    assert_ne!(
        output[2]["id"], output[3]["id"],
        "each item has an id of its own"
    );
    assert_eq!(body["usage"]["input_tokens"], 120);
    assert_eq!(body["usage"]["input_tokens_details"]["cached_tokens"], 100);
    assert_eq!(body["usage"]["output_tokens"], 7);
}

#[tokio::test]
async fn responses_as_a_stream() {
    let reply = || full().thinking("plan", "sig");
    let streamed = answer(RESPONSES, reply(), true).await;
    let events = streamed.data();
    for ((name, _), data) in streamed.events().iter().zip(&events) {
        assert_eq!(
            data["type"],
            name.as_str(),
            "an event's name is its data's type"
        );
    }
    let numbers: Vec<u64> = events
        .iter()
        .filter_map(|it| it["sequence_number"].as_u64())
        .collect();
    assert_eq!(numbers, (0..events.len() as u64).collect::<Vec<_>>());
    let mut kinds: Vec<&str> = events.iter().filter_map(|it| it["type"].as_str()).collect();
    kinds.dedup();
    assert_eq!(
        kinds,
        [
            "response.created",
            "response.in_progress",
            "response.output_item.added",
            "response.reasoning_summary_part.added",
            "response.reasoning_summary_text.delta",
            "response.reasoning_summary_text.done",
            "response.reasoning_summary_part.done",
            "response.output_item.done",
            "response.output_item.added",
            "response.content_part.added",
            "response.output_text.delta",
            "response.output_text.done",
            "response.content_part.done",
            "response.output_item.done",
            "response.output_item.added",
            "response.function_call_arguments.delta",
            "response.function_call_arguments.done",
            "response.output_item.done",
            "response.output_item.added",
            "response.function_call_arguments.delta",
            "response.function_call_arguments.done",
            "response.output_item.done",
            "response.completed",
        ]
    );
    let deltas = |kind: &'static str| {
        joined(&events, move |it| {
            (it["type"] == kind).then(|| it["delta"].as_str())?
        })
    };
    assert_eq!(deltas("response.output_text.delta"), "Hello ä🦀");
    assert_eq!(deltas("response.reasoning_summary_text.delta"), "plan");
    assert_eq!(
        deltas("response.function_call_arguments.delta"),
        r#"{"path":"src"}{"path":"a"}"#
    );
    let first = &events[0]["response"];
    assert_eq!(first["status"], "in_progress");
    assert_eq!(first["output"], json!([]));
    assert_eq!(first["usage"], Value::Null);
    let done = events
        .iter()
        .filter(|it| it["type"] == "response.output_item.done");
    let done: Vec<&Value> = done.map(|it| &it["item"]).collect();
    let last = &events.last().unwrap()["response"];
    assert_eq!(
        json!(done),
        last["output"],
        "what was done is what the response holds"
    );
    let body = answer(RESPONSES, reply(), false).await.json();
    assert_eq!(last["output"][1]["content"], body["output"][1]["content"]);
    assert_eq!(last["usage"], body["usage"]);
}

#[tokio::test]
async fn messages_in_one_body() {
    let body = answer(MESSAGES, full().thinking("plan", "sig"), false)
        .await
        .json();
    assert_eq!(body["type"], "message");
    assert_eq!(body["role"], "assistant");
    assert_eq!(body["stop_reason"], "tool_use");
    assert_eq!(
        body["content"],
        json!([
            { "type": "thinking", "thinking": "plan", "signature": "sig" },
            { "type": "text", "text": "Hello ä🦀" },
            { "type": "tool_use", "id": "call_1", "name": "list", "input": { "path": "src" } },
            { "type": "tool_use", "id": "call_2", "name": "read", "input": { "path": "a" } },
        ])
    );
    let usage = &body["usage"];
    assert_eq!(
        usage["input_tokens"], 20,
        "cached tokens are not among them"
    );
    assert_eq!(usage["cache_read_input_tokens"], 100);
    assert_eq!(usage["output_tokens"], 7);
}

#[tokio::test]
async fn messages_as_a_stream() {
    let streamed = answer(MESSAGES, full().thinking("plan", "sig"), true).await;
    let events = streamed.data();
    for ((name, _), data) in streamed.events().iter().zip(&events) {
        assert_eq!(
            data["type"],
            name.as_str(),
            "an event's name is its data's type"
        );
    }
    let mut kinds: Vec<&str> = events.iter().filter_map(|it| it["type"].as_str()).collect();
    kinds.dedup();
    let block = [
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
    ];
    let first = [
        "content_block_start",
        "ping",
        "content_block_delta",
        "content_block_stop",
    ];
    let expected = [
        &["message_start"],
        &first[..],
        &block,
        &block,
        &block,
        &["message_delta", "message_stop"],
    ];
    assert_eq!(kinds, expected.concat());
    let start = &events[0]["message"];
    assert_eq!(start["content"], json!([]));
    assert_eq!(start["stop_reason"], Value::Null);
    assert_eq!(start["usage"]["input_tokens"], 20);
    let of_block = |index: u64, field: &'static str| {
        joined(&events, move |it| {
            (it["index"] == index).then(|| it["delta"][field].as_str())?
        })
    };
    assert_eq!(of_block(0, "thinking"), "plan");
    assert_eq!(of_block(0, "signature"), "sig");
    assert_eq!(of_block(1, "text"), "Hello ä🦀");
    assert_eq!(of_block(2, "partial_json"), r#"{"path":"src"}"#);
    assert_eq!(of_block(3, "partial_json"), r#"{"path":"a"}"#);
    let starts: Vec<&Value> = (events.iter())
        .filter(|it| it["type"] == "content_block_start")
        .map(|it| &it["content_block"])
        .collect();
    assert_eq!(
        starts[2],
        &json!({ "type": "tool_use", "id": "call_1", "name": "list", "input": {} })
    );
    let delta = events
        .iter()
        .find(|it| it["type"] == "message_delta")
        .unwrap();
    assert_eq!(delta["delta"]["stop_reason"], "tool_use");
    assert_eq!(delta["usage"]["output_tokens"], 7);
}

#[tokio::test]
async fn a_reply_of_text_says_why_it_ended() {
    let text = || Reply::text("hi");
    let cases = [
        (CHAT, "/choices/0/finish_reason", "stop", "length"),
        (RESPONSES, "/status", "completed", "incomplete"),
        (MESSAGES, "/stop_reason", "end_turn", "max_tokens"),
    ];
    for (path, pointer, ended, cut_short) in cases {
        let body = answer(path, text(), false).await.json();
        assert_eq!(body.pointer(pointer).unwrap(), ended, "{path}");
        let body = answer(path, text().cut_short(), false).await.json();
        assert_eq!(body.pointer(pointer).unwrap(), cut_short, "{path}");
    }
    let cut = answer(RESPONSES, text().cut_short(), true).await.data();
    let last = cut.last().unwrap();
    assert_eq!(last["type"], "response.incomplete");
    assert_eq!(
        last["response"]["incomplete_details"]["reason"],
        "max_output_tokens"
    );
    let cut = answer(MESSAGES, text().cut_short(), true).await.data();
    assert_eq!(cut[cut.len() - 2]["delta"]["stop_reason"], "max_tokens");
}

#[tokio::test]
async fn a_reply_without_text_has_none() {
    let reply = || Reply::tool_calls([("call_1", "list", json!({}))]);
    let body = answer(CHAT, reply(), false).await.json();
    assert_eq!(body["choices"][0]["message"]["content"], Value::Null);
    let body = answer(RESPONSES, reply(), false).await.json();
    assert_eq!(body["output"].as_array().unwrap().len(), 1);
    let body = answer(MESSAGES, reply(), false).await.json();
    assert_eq!(body["content"].as_array().unwrap().len(), 1);
    for path in APIS {
        let body = answer(path, Reply::empty(), false).await;
        assert_eq!(text_of(path, &body), "");
        let stream = answer(path, Reply::empty(), true).await;
        assert_eq!(text_of(path, &stream), "");
    }
}

#[tokio::test]
async fn arguments_that_are_not_json_arrive_as_they_are() {
    let reply = || Reply::empty().and_raw_call("call_1", "list", "{\"path\": oh");
    let chunks = answer(CHAT, reply(), true).await.data();
    let pieces = joined(&chunks, |it| {
        it["choices"][0]["delta"]["tool_calls"][0]["function"]["arguments"].as_str()
    });
    assert_eq!(pieces, "{\"path\": oh");
    let events = answer(MESSAGES, reply(), true).await.data();
    let pieces = joined(&events, |it| it["delta"]["partial_json"].as_str());
    assert_eq!(pieces, "{\"path\": oh");
    let body = answer(RESPONSES, reply(), false).await.json();
    assert_eq!(body["output"][0]["arguments"], "{\"path\": oh");
}

#[tokio::test]
async fn text_comes_in_pieces_of_up_to_twelve_characters() {
    for (text, pieces) in [
        ("", vec![]),
        ("h", vec!["h"]),
        ("hi", vec!["h", "i"]),
        ("🦀äö", vec!["🦀ä", "ö"]),
        (
            "twelve chars and more than that",
            vec!["twelve chars", " and more th", "an that"],
        ),
    ] {
        let events = answer(MESSAGES, Reply::text(text), true).await.data();
        let came: Vec<&str> = events
            .iter()
            .filter_map(|it| it["delta"]["text"].as_str())
            .collect();
        assert_eq!(came, pieces);
    }
}

#[tokio::test]
async fn tokens_are_counted_by_four_bytes() {
    let server = Server::with(Script::new().reply(Reply::text("12345")))
        .await
        .unwrap();
    let body = ask(&server, CHAT, &question(CHAT, "123456789", false))
        .await
        .json();
    assert_eq!(body["usage"]["prompt_tokens"], 3);
    assert_eq!(body["usage"]["completion_tokens"], 2);
}

#[tokio::test]
async fn tools_and_calls_count_too() {
    let reply = || Reply::text("1234").and_raw_call("c", "four", "{}");
    let mut body = question(CHAT, "1234", false);
    let definition = json!({ "name": "f", "parameters": { "type": "object" } });
    body["tools"] = json!([{ "type": "function", "function": definition }]);
    body["messages"].as_array_mut().unwrap().extend([
        json!({ "role": "assistant", "content": "5678", "tool_calls": [
            { "id": "c", "type": "function", "function": { "name": "four", "arguments": "{  }" } },
        ] }),
        json!({ "role": "tool", "tool_call_id": "c", "content": "123456789" }),
    ]);
    let server = Server::with(Script::new().reply(reply())).await.unwrap();
    let usage = ask(&server, CHAT, &body).await.json()["usage"].clone();
    let read = 4 + 4 + 4 + 4 + 9 + definition.to_string().len();
    assert_eq!(usage["prompt_tokens"], read.div_ceil(4));
    assert_eq!(usage["completion_tokens"], (4 + 4 + 2_usize).div_ceil(4));
}

#[tokio::test]
async fn the_same_conversation_means_the_same_in_every_format() {
    let server = Server::start().await.unwrap();
    let list = json!({ "type": "object", "properties": { "path": { "type": "string" } } });
    let chat = json!({
        "model": "m",
        "messages": [
            { "role": "system", "content": "be brief" },
            { "role": "user", "content": [{ "type": "text", "text": "list src" }] },
            { "role": "assistant", "content": null, "tool_calls": [
                { "id": "c", "type": "function",
                  "function": { "name": "list", "arguments": "{\"path\":\"src\"}" } },
            ] },
            { "role": "tool", "tool_call_id": "c", "content": "a.rs\nb.rs" },
        ],
        "tools": [{ "type": "function", "function": { "name": "list", "parameters": list } }],
    });
    let responses = json!({
        "model": "m",
        "instructions": "be brief",
        "input": [
            { "role": "user", "content": [{ "type": "input_text", "text": "list src" }] },
            { "type": "reasoning", "id": "rs_1", "summary": [] },
            { "type": "function_call", "call_id": "c", "name": "list",
              "arguments": "{\"path\":\"src\"}" },
            { "type": "function_call_output", "call_id": "c", "output": "a.rs\nb.rs" },
        ],
        "tools": [{ "type": "function", "name": "list", "parameters": list }],
    });
    let messages = json!({
        "model": "m",
        "max_tokens": 100,
        "system": [{ "type": "text", "text": "be brief" }],
        "messages": [
            { "role": "user", "content": "list src" },
            { "role": "assistant", "content": [
                { "type": "thinking", "thinking": "hm", "signature": "s" },
                { "type": "tool_use", "id": "c", "name": "list", "input": { "path": "src" } },
            ] },
            { "role": "user", "content": [
                { "type": "tool_result", "tool_use_id": "c",
                  "content": [{ "type": "text", "text": "a.rs\nb.rs" }] },
            ] },
        ],
        "tools": [{ "name": "list", "input_schema": list }],
    });
    for (path, body) in [(CHAT, chat), (RESPONSES, responses), (MESSAGES, messages)] {
        let answer = ask(&server, path, &body).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        assert_eq!(
            text_of(path, &answer),
            "`src` holds 2 entries: a.rs, b.rs.",
            "{path}"
        );
    }
}

#[tokio::test]
async fn a_failed_result_of_messages_is_known_by_its_field() {
    let server = Server::start().await.unwrap();
    let body = json!({
        "model": "m",
        "max_tokens": 100,
        "messages": [
            { "role": "user", "content": "list src" },
            { "role": "assistant", "content": [
                { "type": "tool_use", "id": "c", "name": "list", "input": { "path": "src" } },
            ] },
            { "role": "user", "content": [
                { "type": "tool_result", "tool_use_id": "c", "is_error": true,
                  "content": "no such directory" },
            ] },
        ],
    });
    let answer = ask(&server, MESSAGES, &body).await;
    assert_eq!(
        text_of(MESSAGES, &answer),
        "The `list` tool failed: no such directory."
    );
}
