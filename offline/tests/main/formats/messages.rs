//! Replies in the format of Messages.

use claw_offline::Reply;
use serde_json::{Value, json};

use crate::support::{Answer, MESSAGES, full_reply, joined, written};

fn reply() -> Reply {
    full_reply().thinking("plan", "sig")
}

async fn stream() -> Answer {
    written(MESSAGES, reply(), true).await
}

#[tokio::test]
async fn a_body_has_a_block_for_the_thought_the_text_and_each_call() {
    let body = written(MESSAGES, reply(), false).await.json();
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
}

#[tokio::test]
async fn input_tokens_do_not_include_cached_tokens() {
    let body = written(MESSAGES, reply(), false).await.json();
    let usage = &body["usage"];
    assert_eq!(usage["input_tokens"], 20);
    assert_eq!(usage["cache_read_input_tokens"], 100);
    assert_eq!(usage["output_tokens"], 7);
}

#[tokio::test]
async fn the_name_of_an_event_is_the_type_of_its_data() {
    let stream = stream().await;
    for ((name, _), data) in stream.events().iter().zip(stream.data()) {
        assert_eq!(data["type"], name.as_str());
    }
}

#[tokio::test]
async fn a_stream_opens_and_closes_each_block_in_order() {
    let events = stream().await.data();
    let types = events.iter().filter_map(|it| it["type"].as_str());
    let mut types: Vec<&str> = types.collect();
    types.dedup();
    let (start, delta, stop) = (
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
    );
    let block = [start, delta, stop];
    let expected = [
        &["message_start"],
        &[start, "ping", delta, stop][..],
        &block,
        &block,
        &block,
        &["message_delta", "message_stop"],
    ];
    assert_eq!(types, expected.concat());
}

#[tokio::test]
async fn a_stream_starts_with_an_empty_message() {
    let events = stream().await.data();
    let message = &events[0]["message"];
    assert_eq!(message["content"], json!([]));
    assert_eq!(message["stop_reason"], Value::Null);
    assert_eq!(message["usage"]["input_tokens"], 20);
}

#[tokio::test]
async fn the_deltas_of_a_stream_make_up_the_blocks() {
    let events = stream().await.data();
    let deltas = |index: u64, field: &'static str| {
        joined(&events, move |it| {
            (it["index"] == index).then(|| it["delta"][field].as_str())?
        })
    };
    assert_eq!(deltas(0, "thinking"), "plan");
    assert_eq!(deltas(0, "signature"), "sig");
    assert_eq!(deltas(1, "text"), "Hello ä🦀");
    assert_eq!(deltas(2, "partial_json"), r#"{"path":"src"}"#);
    assert_eq!(deltas(3, "partial_json"), r#"{"path":"a"}"#);
}

#[tokio::test]
async fn a_tool_use_block_starts_with_an_empty_input() {
    let events = stream().await.data();
    let mut starts = events.iter().map(|it| &it["content_block"]);
    assert_eq!(
        starts.find(|it| it["type"] == "tool_use"),
        Some(&json!({ "type": "tool_use", "id": "call_1", "name": "list", "input": {} }))
    );
}

#[tokio::test]
async fn the_message_delta_has_the_stop_reason_and_the_output_tokens() {
    let events = stream().await.data();
    let mut events = events.iter();
    let delta = events.find(|it| it["type"] == "message_delta");
    let delta = delta.expect("a message_delta event");
    assert_eq!(delta["delta"]["stop_reason"], "tool_use");
    assert_eq!(delta["usage"]["output_tokens"], 7);
}

#[tokio::test]
async fn a_redacted_thought_is_a_block_of_its_own() {
    let reply = || reply().redacted_thinking("DATA");
    let expected = json!({ "type": "redacted_thinking", "data": "DATA" });
    let body = written(MESSAGES, reply(), false).await.json();
    assert_eq!(body["content"][1], expected);
    let events = written(MESSAGES, reply(), true).await.data();
    let mut starts = events.iter().map(|it| &it["content_block"]);
    let block = starts.find(|it| it["type"] == "redacted_thinking");
    assert_eq!(block, Some(&expected), "the start event has all of it");
}
