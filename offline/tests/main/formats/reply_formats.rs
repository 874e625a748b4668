//! What holds for a reply in every format.

use claw_offline::Reply;
use serde_json::{Value, json};

use crate::support::{
    APIS, CHAT, MESSAGES, RESPONSES, ask, joined, prompt, server_with, text_of, written,
};

/// For each API where its stop reason is, the reason of a complete reply, and the reason of
/// one that reached the token limit.
const STOP_REASONS: [(&str, &str, &str, &str); 3] = [
    (CHAT, "/choices/0/finish_reason", "stop", "length"),
    (RESPONSES, "/status", "completed", "incomplete"),
    (MESSAGES, "/stop_reason", "end_turn", "max_tokens"),
];

#[tokio::test]
async fn a_body_has_a_stop_reason() {
    for (path, pointer, complete, cut_short) in STOP_REASONS {
        let body = written(path, Reply::text("hi"), false).await.json();
        assert_eq!(body.pointer(pointer), Some(&json!(complete)), "{path}");
        let reply = Reply::text("hi").cut_short();
        let body = written(path, reply, false).await.json();
        assert_eq!(body.pointer(pointer), Some(&json!(cut_short)), "{path}");
    }
}

#[tokio::test]
async fn a_stream_that_reached_the_token_limit_says_so() {
    let reply = || Reply::text("hi").cut_short();
    let events = written(RESPONSES, reply(), true).await.data();
    let last = events.last().expect("events");
    assert_eq!(last["type"], "response.incomplete");
    let details = &last["response"]["incomplete_details"];
    assert_eq!(details["reason"], "max_output_tokens");
    let events = written(MESSAGES, reply(), true).await.data();
    let delta = &events[events.len() - 2]["delta"];
    assert_eq!(delta["stop_reason"], "max_tokens");
}

#[tokio::test]
async fn a_reply_of_calls_alone_has_no_text() {
    let reply = || Reply::tool_calls([("call_1", "list", json!({}))]);
    let body = written(CHAT, reply(), false).await.json();
    assert_eq!(body["choices"][0]["message"]["content"], Value::Null);
    let body = written(RESPONSES, reply(), false).await.json();
    assert_eq!(body["output"].as_array().map(Vec::len), Some(1));
    let body = written(MESSAGES, reply(), false).await.json();
    assert_eq!(body["content"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn an_empty_reply_has_no_text() {
    for path in APIS {
        for is_stream in [false, true] {
            let answer = written(path, Reply::empty(), is_stream).await;
            assert_eq!(text_of(path, &answer), "");
        }
    }
}

#[tokio::test]
async fn arguments_that_are_not_json_arrive_unchanged() {
    let arguments = "{\"path\": oh";
    let reply = || Reply::empty().and_raw_call("call_1", "list", arguments);
    let chunks = written(CHAT, reply(), true).await.data();
    let pieces = joined(&chunks, |it| {
        it["choices"][0]["delta"]["tool_calls"][0]["function"]["arguments"].as_str()
    });
    assert_eq!(pieces, arguments);
    let events = written(MESSAGES, reply(), true).await.data();
    let pieces = joined(&events, |it| it["delta"]["partial_json"].as_str());
    assert_eq!(pieces, arguments);
    let body = written(RESPONSES, reply(), false).await.json();
    assert_eq!(body["output"][0]["arguments"], arguments);
}

#[tokio::test]
async fn a_stream_sends_text_in_pieces_of_up_to_twelve_characters() {
    let cases: [(&str, &[&str]); 5] = [
        ("", &[]),
        ("h", &["h"]),
        ("hi", &["h", "i"]),
        ("🦀äö", &["🦀ä", "ö"]),
        (
            "twelve chars and more than that",
            &["twelve chars", " and more th", "an that"],
        ),
    ];
    for (text, pieces) in cases {
        let events = written(MESSAGES, Reply::text(text), true).await.data();
        let texts = events.iter().filter_map(|it| it["delta"]["text"].as_str());
        assert_eq!(texts.collect::<Vec<_>>(), pieces);
    }
}

#[tokio::test]
async fn a_token_is_four_bytes_or_part_of_them() {
    let server = server_with(Reply::text("12345")).await;
    let body = prompt(CHAT, "123456789", false);
    let usage = ask(&server, CHAT, &body).await.json()["usage"].clone();
    assert_eq!(usage["prompt_tokens"], 3);
    assert_eq!(usage["completion_tokens"], 2);
}

#[tokio::test]
async fn tools_and_calls_count_as_tokens() {
    let mut body = prompt(CHAT, "1234", false);
    let definition = json!({ "name": "f", "parameters": { "type": "object" } });
    body["tools"] = json!([{ "type": "function", "function": definition }]);
    body["messages"].as_array_mut().unwrap().extend([
        json!({ "role": "assistant", "content": "5678", "tool_calls": [
            { "id": "c", "type": "function", "function": { "name": "four", "arguments": "{  }" } },
        ] }),
        json!({ "role": "tool", "tool_call_id": "c", "content": "123456789" }),
    ]);
    let server = server_with(Reply::text("1234").and_raw_call("c", "four", "{}")).await;
    let usage = ask(&server, CHAT, &body).await.json()["usage"].clone();
    let input = 4 + 4 + 4 + 4 + 9 + definition.to_string().len();
    assert_eq!(usage["prompt_tokens"], input.div_ceil(4));
    assert_eq!(usage["completion_tokens"], (4 + 4 + 2_usize).div_ceil(4));
}
