//! Section 2.2: The Provider trait and MockProvider

use claw_code::provider::*;
use claw_code::types::*;
use serde_json::json;
use tokio::sync::mpsc;

use super::support::*;

#[tokio::test]
async fn test_ch2_mock_returns_replies_in_order() {
    let script = [Ok(reply("one")), Err(connection_lost()), Ok(reply("two"))];
    let mock = MockProvider::new(script.clone());
    for expected in script {
        assert_eq!(
            mock.chat(&[user("hello")], &[]).await,
            expected,
            "the mock returns the script's replies and errors from first to last"
        );
    }
}

#[tokio::test]
async fn test_ch2_mock_records_every_request() {
    let mock = MockProvider::new([Ok(reply("one")), Ok(reply("two"))]);
    assert!(mock.requests().is_empty(), "there was no request yet");
    let (sender, _receiver) = mpsc::channel(64);
    let first = vec![user("one?")];
    let answer = Message::Assistant(reply("one"));
    let second = vec![user("one?"), answer, user("two?")];
    let tools = [&tool("read"), &tool("bash")];

    let provider: &dyn Provider = &mock;
    provider.chat(&first, &tools).await.expect("a reply");
    let streamed = provider.stream(&second, &[], &sender).await;
    streamed.expect("a reply");

    let tools = vec!["read".to_string(), "bash".to_string()];
    let expected = [(first, tools), (second, Vec::new())];
    assert_eq!(
        mock.requests(),
        expected.map(|(messages, tools)| RecordedRequest { messages, tools }),
        "the mock records each request once, complete and in order, for chat and for stream"
    );
}

#[tokio::test]
async fn test_ch2_mock_reports_an_exhausted_script() {
    let mock = MockProvider::new([Ok(reply("the only one"))]);
    let messages = [user("hello")];
    mock.chat(&messages, &[]).await.expect("the only reply");
    for number in [2, 3] {
        let error = mock.chat(&messages, &[]).await;
        let error = error.expect_err("the script has no reply left");
        assert_eq!(variant(&error), "BadRequest", "{error:?}");
        let text = error.to_string();
        assert!(
            text.contains("script") && text.contains(&number.to_string()),
            "the error should say that the script has no reply for request {number}; it reads: {text}"
        );
    }
    assert_eq!(
        mock.requests().len(),
        3,
        "the mock also records a request without a reply, since that is the one to look at"
    );
}

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
}

#[tokio::test]
async fn test_ch2_mock_stream_starts_each_call_once() {
    let (_, events) = stream_reply_with_calls().await;
    let expected = [(0, "call_1", "read"), (1, "call_2", "pwd")];
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
}

#[tokio::test]
async fn test_ch2_mock_stream_orders_its_events() {
    let (_, events) = stream_reply_with_calls().await;
    let ranks = events.iter().map(|event| match event {
        StreamEvent::TextDelta(_) => 0,
        StreamEvent::ToolCallStart { .. } | StreamEvent::ToolCallDelta { .. } => 1,
        StreamEvent::Usage(_) => 2,
        StreamEvent::Done(_) => 3,
    });
    let ranks: Vec<u8> = ranks.collect();
    assert!(
        ranks.is_sorted() && ranks.contains(&2),
        "the order is text, calls, usage, Done: {events:?}"
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
        ],
        stop_reason: StopReason::ToolUse,
        usage: Some(usage(10, 5, 0)),
        ..reply("Ein Gruß aus 中文 und 🦀🦀🦀 and more.")
    }
}
