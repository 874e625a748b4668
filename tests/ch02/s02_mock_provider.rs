//! Section 2.2: The Provider trait and MockProvider

use claw_code::provider::*;
use claw_code::types::*;
use serde_json::json;
use tokio::sync::mpsc;

use super::support::*;

#[tokio::test]
async fn test_ch2_mock_replies_in_order() {
    let lost = ProviderError::Network("cut".into());
    let mock = MockProvider::new([Ok(said("one")), Err(lost.clone()), Ok(said("two"))]);
    let ask = [Message::User(user("hello"))];
    for expected in [Ok(said("one")), Err(lost), Ok(said("two"))] {
        assert_eq!(
            mock.chat(&ask, &[]).await,
            expected,
            "a script is played from its first reply to its last, errors included"
        );
    }
}

#[tokio::test]
async fn test_ch2_mock_records_requests() {
    let mock = MockProvider::new([Ok(said("one")), Ok(said("two"))]);
    let provider: &dyn Provider = &mock;
    assert!(
        mock.requests().is_empty(),
        "nothing was asked, so nothing is recorded"
    );
    let tools = [tool("read"), tool("bash")];
    let tools: Vec<&ToolDefinition> = tools.iter().collect();
    let first = vec![Message::User(user("one?"))];
    let second = vec![
        Message::User(user("one?")),
        Message::Assistant(said("one")),
        Message::User(user("two?")),
    ];
    let (sender, _receiver) = mpsc::channel(64);
    provider.chat(&first, &tools).await.expect("a reply");
    provider
        .stream(&second, &[], &sender)
        .await
        .expect("a reply");
    assert_eq!(
        mock.requests(),
        [
            RecordedRequest {
                messages: first,
                tools: vec!["read".into(), "bash".into()],
            },
            RecordedRequest {
                messages: second,
                tools: Vec::new(),
            },
        ],
        "every request is recorded once, whole and in order, chat and stream alike"
    );
}

#[tokio::test]
async fn test_ch2_mock_says_when_its_script_is_over() {
    let mock = MockProvider::new([Ok(said("only one"))]);
    let ask = [Message::User(user("hello"))];
    mock.chat(&ask, &[]).await.expect("the one reply");
    for count in [2, 3] {
        let error = mock.chat(&ask, &[]).await.expect_err("nothing is left");
        assert_eq!(kind(&error), "BadRequest", "{error:?}");
        let said = error.to_string();
        assert!(
            said.contains("script") && said.contains(&count.to_string()),
            "the error should say that the script is over, and that request {count} came too much; it reads: {said}"
        );
    }
    assert_eq!(
        mock.requests().len(),
        3,
        "a request without a reply is recorded too: it is the one to look at"
    );
}

#[tokio::test]
async fn test_ch2_mock_streams_its_reply() {
    let mut reply = said("Ein Gruß aus 中文 und 🦀🦀🦀 and more.");
    reply.tool_calls = vec![
        call("call_1", "read", json!({ "path": "src/lib.rs" })),
        call("call_2", "pwd", json!({})),
    ];
    reply.stop_reason = StopReason::ToolUse;
    reply.usage = Some(usage(10, 5, 0));
    let mock = MockProvider::new([Ok(reply.clone())]);
    let (outcome, events) = streamed(&mock, &[], &[]).await;
    assert_eq!(
        outcome,
        Ok(reply.clone()),
        "the reply is given back as it is"
    );
    let texts: Vec<&str> = events.iter().filter_map(text_of).collect();
    assert!(
        texts.len() > 1,
        "a reply arrives in pieces; this one came as {texts:?}"
    );
    assert_eq!(
        Some(texts.concat()),
        reply.text,
        "the pieces make up the text"
    );
    for (index, call) in reply.tool_calls.iter().enumerate() {
        assert_eq!(
            starts(&events).get(index),
            Some(&(index, call.id.clone(), call.name.clone())),
            "call {index} begins once, with its id and its name"
        );
        assert_eq!(
            arguments_of(&events, index),
            call.arguments.to_string(),
            "the argument pieces of call {index} make up its arguments as JSON"
        );
    }
    let order: Vec<u8> = events.iter().map(rank).collect();
    assert!(
        order.is_sorted() && order.contains(&2),
        "text comes before calls, calls before the usage, and Done is last: {events:?}"
    );
    assert_eq!(
        events
            .iter()
            .filter(|event| matches!(event, StreamEvent::Done(_)))
            .collect::<Vec<_>>(),
        [&StreamEvent::Done(StopReason::ToolUse)],
        "Done is sent once, with the reply's stop reason"
    );
}

#[tokio::test]
async fn test_ch2_mock_streams_an_error_without_done() {
    let error = ProviderError::Network("cut".into());
    let mock = MockProvider::new([Err(error.clone()), Ok(said("unheard"))]);
    let (outcome, events) = streamed(&mock, &[], &[]).await;
    assert_eq!(outcome, Err(error));
    assert_eq!(events, [], "an error has no events, and Done least of all");

    let (sender, receiver) = mpsc::channel(1);
    drop(receiver);
    let outcome = in_time(mock.stream(&[], &[], &sender)).await;
    assert_eq!(
        outcome,
        Ok(said("unheard")),
        "a reader that has gone away does not end the reply"
    );
}

/// Where an event stands in a reply.
fn rank(event: &StreamEvent) -> u8 {
    match event {
        StreamEvent::TextDelta(_) => 0,
        StreamEvent::ToolCallStart { .. } | StreamEvent::ToolCallDelta { .. } => 1,
        StreamEvent::Usage(_) => 2,
        StreamEvent::Done(_) => 3,
    }
}
