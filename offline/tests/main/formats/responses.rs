//! Replies in the format of Responses.

use claw_offline::Reply;
use serde_json::{Value, json};

use crate::support::{Answer, RESPONSES, full_reply, joined, written};

fn reply() -> Reply {
    full_reply().thinking("plan", "sig")
}

async fn body() -> Value {
    written(RESPONSES, reply(), false).await.json()
}

async fn stream() -> Answer {
    written(RESPONSES, reply(), true).await
}

#[tokio::test]
async fn a_body_has_an_item_for_the_thought_the_text_and_each_call() {
    let body = body().await;
    assert_eq!(body["object"], "response");
    assert_eq!(body["status"], "completed");
    assert_eq!(body["incomplete_details"], Value::Null);
    let output = body["output"].as_array().expect("output");
    let types: Vec<&Value> = output.iter().map(|item| &item["type"]).collect();
    assert_eq!(
        types,
        ["reasoning", "message", "function_call", "function_call"]
    );
}

#[tokio::test]
async fn a_reasoning_item_has_a_summary_and_encrypted_content() {
    let item = &body().await["output"][0];
    let part = json!({ "type": "summary_text", "text": "plan" });
    assert_eq!(item["summary"], json!([part]));
    assert_eq!(item["encrypted_content"], "sig");
}

#[tokio::test]
async fn a_message_item_has_the_text() {
    let part = &body().await["output"][1]["content"][0];
    assert_eq!(part["type"], "output_text");
    assert_eq!(part["text"], "Hello ä🦀");
}

#[tokio::test]
async fn a_function_call_item_has_its_own_id() {
    let output = &body().await["output"];
    assert_eq!(output[2]["call_id"], "call_1");
    assert_eq!(output[2]["name"], "list");
    assert_eq!(output[2]["arguments"], r#"{"path":"src"}"#);
    assert_ne!(output[2]["id"], output[3]["id"]);
}

#[tokio::test]
async fn input_tokens_include_cached_tokens() {
    let usage = &body().await["usage"];
    assert_eq!(usage["input_tokens"], 120);
    assert_eq!(usage["input_tokens_details"]["cached_tokens"], 100);
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
async fn events_are_numbered_from_0() {
    let events = stream().await.data();
    for (number, event) in events.iter().enumerate() {
        assert_eq!(event["sequence_number"], number, "{event}");
    }
}

const EVENT_TYPES: [&str; 23] = [
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
];

#[tokio::test]
async fn a_stream_opens_and_closes_each_item_in_order() {
    let events = stream().await.data();
    let types = events.iter().filter_map(|it| it["type"].as_str());
    let mut types: Vec<&str> = types.collect();
    types.dedup();
    assert_eq!(types, EVENT_TYPES);
}

#[tokio::test]
async fn the_deltas_of_a_stream_make_up_the_items() {
    let events = stream().await.data();
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
}

#[tokio::test]
async fn a_stream_starts_with_an_empty_response() {
    let events = stream().await.data();
    let response = &events[0]["response"];
    assert_eq!(response["status"], "in_progress");
    assert_eq!(response["output"], json!([]));
    assert_eq!(response["usage"], Value::Null);
}

#[tokio::test]
async fn a_stream_ends_with_the_full_response() {
    let events = stream().await.data();
    let done = events
        .iter()
        .filter(|it| it["type"] == "response.output_item.done");
    let items: Vec<&Value> = done.map(|it| &it["item"]).collect();
    let response = &events.last().expect("events")["response"];
    assert_eq!(response["output"], json!(items));
    let body = body().await;
    assert_eq!(
        response["output"][1]["content"],
        body["output"][1]["content"]
    );
    assert_eq!(response["usage"], body["usage"]);
}
