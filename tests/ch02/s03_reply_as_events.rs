//! Section 2.3: A reply as events

use claw_code::provider::*;
use claw_code::types::*;
use serde_json::json;
use tokio::sync::mpsc;

use super::support::*;

#[tokio::test]
async fn test_ch2_mock_stream_returns_the_reply() {
    let (outcome, events) = stream_reply_with_calls().await;
    assert_eq!(outcome, Ok(reply_with_calls()), "the unchanged reply");
    assert_eq!(
        (events.last(), count_done(&events)),
        (Some(&StreamEvent::Done(StopReason::ToolUse)), 1),
        "Done is the last event, is sent once, and has the reply's stop reason"
    );
}

#[tokio::test]
async fn test_ch2_mock_stream_records_its_request() {
    let mock = MockProvider::new([Ok(reply("one")), Ok(reply("two"))]);
    let (sender, _receiver) = mpsc::channel(64);
    let provider: &dyn Provider = &mock;
    let (first, second, read) = ([user("one?")], [user("two?")], tool("read"));
    let streamed = provider.stream(&first, &[&read], &sender).await;
    streamed.expect("a reply");
    provider.chat(&second, &[]).await.expect("a reply");

    let expected = [(first, vec!["read".to_string()]), (second, Vec::new())];
    assert_eq!(
        mock.requests(),
        expected.map(|(messages, tools)| RecordedRequest {
            messages: messages.to_vec(),
            tools
        }),
        "the mock records each request once, complete and in order, for stream and for chat"
    );
}

#[tokio::test]
async fn test_ch2_mock_stream_splits_the_text() {
    let (_, events) = stream_reply_with_calls().await;
    let deltas = events
        .iter()
        .filter(|e| matches!(e, StreamEvent::TextDelta(_)));
    assert!(
        deltas.count() > 1,
        "the text should arrive in several pieces: {events:?}"
    );
    assert_eq!(
        Some(text_of(&events)),
        reply_with_calls().text,
        "the text deltas, joined, are the text"
    );
    for (text, pieces) in [
        ("Let me look.", &["Let me l", "ook."][..]),
        (" a ", &[" a "]),
        ("Grüße, 中文🦀!", &["Grüße, 中", "文🦀!"]),
        ("", &[]),
    ] {
        assert_eq!(
            split_text(text),
            pieces,
            "{text:?} in pieces of eight characters, with all its white space"
        );
    }
}

#[tokio::test]
async fn test_ch2_mock_stream_starts_each_call_once() {
    let (_, events) = stream_reply_with_calls().await;
    let expected = [
        (0, "call_1", "read"),
        (1, "call_2", "pwd"),
        (2, "call_3", "bash"),
    ];
    assert_eq!(
        starts_of(&events),
        expected.map(|(index, id, name)| (index, id.to_string(), name.to_string())),
        "each call starts once, with its id and its name"
    );
    for (index, call) in reply_with_calls().tool_calls.iter().enumerate() {
        assert_eq!(
            arguments_of(&events, index),
            call.arguments.to_string(),
            "the deltas of call {index}, joined, are its arguments as JSON"
        );
    }
    let whole = reply_with_calls().tool_calls[0].arguments.to_string();
    assert!(
        !events.contains(&call_delta(0, &whole)),
        "arguments are split like text: {events:?}"
    );
}

#[tokio::test]
async fn test_ch2_mock_stream_orders_its_events() {
    let (_, events) = stream_reply_with_calls().await;
    let ranks = events.iter().map(|event| match event {
        StreamEvent::TextDelta(_) => (0, 0),
        StreamEvent::ToolCallStart { index, .. } => (1, 2 * index),
        StreamEvent::ToolCallDelta { index, .. } => (1, 2 * index + 1),
        StreamEvent::Usage(_) => (2, 0),
        StreamEvent::Done(_) => (3, 0),
    });
    let ranks: Vec<(u8, usize)> = ranks.collect();
    assert!(
        ranks.is_sorted() && ranks.contains(&(2, 0)),
        "the order is text, each call's start and arguments, usage, Done: {events:?}"
    );
    assert_eq!(
        reply_events(&reply("Hi.")),
        [text_delta("Hi."), StreamEvent::Done(StopReason::Stop)],
        "a reply whose usage is unknown has no Usage event"
    );
    let stopped = AssistantMessage {
        stop_reason: StopReason::Stop,
        ..reply_with_calls()
    };
    assert_eq!(
        reply_events(&stopped).last(),
        Some(&StreamEvent::Done(StopReason::Stop)),
        "Done has the reply's stop reason, whatever calls it has"
    );
}

#[tokio::test]
async fn test_ch2_mock_stream_error_sends_no_event() {
    let mock = MockProvider::new([Err(connection_lost())]);
    assert_eq!(
        stream(&mock, &[]).await,
        (Err(connection_lost()), vec![]),
        "an error is returned, and no event is sent, Done included"
    );
}

#[tokio::test]
async fn test_ch2_mock_stream_survives_a_dropped_receiver() {
    let mock = MockProvider::new([Ok(reply("unread"))]);
    let (sender, receiver) = mpsc::channel(1);
    drop(receiver);
    assert_eq!(
        in_time(mock.stream(&[], &[], &sender)).await,
        Ok(reply("unread")),
        "a dropped receiver does not end the reply"
    );
}

async fn stream_reply_with_calls() -> Streamed {
    let mock = MockProvider::new([Ok(reply_with_calls())]);
    stream(&mock, &[]).await
}

fn reply_with_calls() -> AssistantMessage {
    AssistantMessage {
        tool_calls: vec![
            tool_call("call_1", "read", json!({ "path": "src/lib.rs" })),
            tool_call("call_2", "pwd", json!({})),
            tool_call("call_3", "bash", json!("{\"command\": \"ls")),
        ],
        stop_reason: StopReason::ToolUse,
        usage: Some(usage(10, 5, 0)),
        ..reply("Ein Gruß aus 中文 und 🦀🦀🦀 and more.")
    }
}
