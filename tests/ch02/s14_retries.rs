//! Section 2.14: Retries

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use claw_code::provider::*;
use claw_code::types::*;
use claw_offline::{Fault, Reply, Script};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::support::*;

#[test]
fn test_ch2_delay_doubles_up_to_the_maximum_with_jitter() {
    let policy = policy();
    for (retry, most) in [(0, 100), (1, 200), (2, 400), (3, 800), (4, 1000), (9, 1000)] {
        for (random, expected) in [(0.0, 0), (0.25, most / 4), (1.0, most)] {
            assert_eq!(
                policy.delay(retry, &connection_lost(), random),
                Some(Duration::from_millis(expected)),
                "retry {retry} waits up to {most} ms; with the random number {random} it is {expected} ms"
            );
        }
    }
    let endless = RetryPolicy {
        max_retries: u32::MAX,
        ..policy
    };
    assert_eq!(
        endless.delay(4_000_000, &connection_lost(), 1.0),
        Some(Duration::from_millis(1000)),
        "the backoff never exceeds the maximum, however often it doubles"
    );
}

#[test]
fn test_ch2_delay_adds_jitter_to_retry_after() {
    let policy = policy();
    for (retry, retry_after, random, expected) in [
        (0, Some(0), 1.0, Some(100)),
        (0, Some(3000), 0.0, Some(3000)),
        (0, Some(3000), 1.0, Some(3100)),
        (2, Some(3000), 1.0, Some(3400)),
        (9, Some(3000), 1.0, Some(4000)),
        (10, Some(3000), 0.0, None),
        (0, Some(60_000), 0.5, Some(60_050)),
        (0, Some(60_001), 0.0, None),
        (0, None, 0.5, Some(50)),
    ] {
        let wait = retry_after.map(Duration::from_millis);
        for error in [rate_limited(wait), overloaded(wait)] {
            assert_eq!(
                policy.delay(retry, &error, random),
                expected.map(Duration::from_millis),
                "retry {retry}, Retry-After {retry_after:?} ms with the random number {random}: the server's wait plus the random part of the backoff, never less, and None above {:?} and from retry {} on",
                policy.max_retry_after,
                policy.max_retries
            );
        }
    }
}

#[test]
fn test_ch2_delay_is_none_after_the_last_retry() {
    let policy = policy();
    let last = policy.max_retries - 1;
    assert!(
        policy.delay(last, &connection_lost(), 0.5).is_some(),
        "retry {last} is the last one, counted from 0"
    );
    assert_eq!(
        policy.delay(policy.max_retries, &connection_lost(), 0.5),
        None,
        "{} retries are used up",
        policy.max_retries
    );
}

#[test]
fn test_ch2_delay_is_none_for_permanent_errors() {
    for error in [
        ProviderError::Authentication("no".into()),
        ProviderError::ContextOverflow("no".into()),
        ProviderError::BadRequest("no".into()),
        ProviderError::MalformedReply("no".into()),
    ] {
        assert_eq!(policy().delay(0, &error, 0.5), None, "{error:?}");
    }
}

/// The request with the message `hello` and the tool `read`.
fn hello_request() -> RecordedRequest {
    RecordedRequest {
        messages: vec![user("hello")],
        tools: vec!["read".to_string()],
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch2_chat_retries_until_it_succeeds() {
    let limited = rate_limited(Some(Duration::from_secs(5)));
    let provider = retrying([Err(limited), Err(connection_lost()), Ok(reply("at last"))]);
    let start = Instant::now();
    let outcome = provider.chat(&[user("hello")], &[&tool("read")]).await;
    let waited = start.elapsed();

    assert_eq!(outcome, Ok(reply("at last")));
    assert_eq!(
        provider.inner().requests(),
        vec![hello_request(); 3],
        "two errors make two retries, and each of the three attempts sends the same request"
    );
    let range = Duration::from_millis(5000)..=Duration::from_millis(5310);
    assert!(
        range.contains(&waited),
        "the waits are 5 s and up to 0.1 s, then up to 0.2 s; it waited {waited:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch2_chat_returns_the_last_error_when_retries_are_used_up() {
    let provider = retrying((1..=100).map(numbered_error));
    assert_eq!(
        provider.chat(&[], &[]).await,
        numbered_error(11),
        "the last error is returned unchanged"
    );
    assert_eq!(
        provider.inner().requests().len(),
        11,
        "one attempt and ten retries"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch2_chat_returns_a_permanent_error_at_once() {
    let refused = ProviderError::Authentication("wrong key".into());
    let provider = retrying([Err(refused.clone())]);
    let start = Instant::now();
    assert_eq!(provider.chat(&[], &[]).await, Err(refused));
    assert_eq!(provider.inner().requests().len(), 1);
    assert_eq!(
        start.elapsed(),
        Duration::ZERO,
        "waiting does not help with this error"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch2_chat_waits_differ_from_client_to_client() {
    let mut waits = Vec::new();
    for _ in 0..20 {
        let provider = retrying([Err(connection_lost()), Ok(reply("hi"))]);
        let start = Instant::now();
        provider.chat(&[], &[]).await.expect("the second reply");
        waits.push(start.elapsed());
    }
    waits.dedup();
    assert!(
        waits.len() > 1,
        "clients that one outage has cut off should not return all at once, but twenty of them waited {:?} each",
        waits[0]
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch2_stream_retries_before_the_first_event() {
    let text = &"one two three four ".repeat(20);
    let errors = [Err(connection_lost()), Err(overloaded(None))];
    let provider = retrying(errors.into_iter().chain([Ok(reply(text))]));
    let (outcome, events) = stream(&provider, &[user("hello")]).await;
    assert_eq!(outcome, Ok(reply(text)));
    assert_eq!(
        provider.inner().requests(),
        vec![hello_request(); 3],
        "each of the three attempts sends the same request"
    );
    assert_eq!(
        &text_of(&events),
        text,
        "the failed attempts sent no text, and all of the reply is sent on"
    );
    assert_eq!(events.last(), Some(&StreamEvent::Done(StopReason::Stop)));
}

#[tokio::test(start_paused = true)]
async fn test_ch2_stream_gives_up_like_chat() {
    let refused = ProviderError::BadRequest("no such model".into());
    assert_eq!(
        stream(&retrying([Err(refused.clone())]), &[]).await,
        (Err(refused), vec![]),
        "a permanent error is returned at once"
    );
    assert_eq!(
        stream(&retrying((1..=100).map(numbered_error)), &[]).await,
        (numbered_error(11), vec![]),
        "one attempt and ten retries, as with `chat`"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch2_stream_never_retries_after_the_first_event() {
    for event in [
        text_delta("He"),
        call_start(0, "call_1", "bash"),
        StreamEvent::Usage(usage(1, 0, 0)),
    ] {
        let provider = retrying_after(event.clone(), false);
        let (outcome, events) = stream(&provider, &[]).await;
        assert_eq!(
            outcome,
            Err(connection_lost()),
            "the error is returned after one attempt"
        );
        assert_eq!(
            events,
            [event],
            "the user has seen the beginning, and a second attempt would show it twice"
        );
        assert_eq!(provider.inner().attempts.load(Ordering::SeqCst), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch2_retrying_stream_forwards_events_as_they_arrive() {
    let provider = retrying_after(text_delta("He"), true);
    let (sender, mut receiver) = mpsc::channel(1);
    let event = in_time(async {
        tokio::select! {
            outcome = provider.stream(&[], &[], &sender) => {
                panic!("the reply is incomplete, so `stream` should still wait: {outcome:?}")
            }
            event = receiver.recv() => event,
        }
    });
    assert_eq!(
        event.await,
        Some(text_delta("He")),
        "an event is sent on while the attempt still runs"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch2_retrying_stream_waits_for_a_slow_receiver() {
    let provider = RetryingProvider::new(CountingProvider::default(), policy());
    let (sender, _stalled_receiver) = mpsc::channel(1);
    let stream = provider.stream(&[], &[], &sender);
    let outcome = tokio::time::timeout(SHORT_TIMEOUT, stream).await;
    assert!(outcome.is_err(), "`stream` waits while the channel is full");
    let sent = provider.inner().0.load(Ordering::SeqCst);
    assert!(
        sent <= 3,
        "one event is in the receiver's channel, one waits to be forwarded, and one is in the attempt's channel of capacity 1, but the provider has sent {sent}"
    );
}

/// Counts the events that it could send.
#[derive(Default)]
struct CountingProvider(AtomicUsize);

#[async_trait]
impl Provider for CountingProvider {
    async fn chat(&self, _: &[Message], _: &[&ToolDefinition]) -> Outcome {
        unreachable!("the test calls only `stream`")
    }

    async fn stream(&self, _: &[Message], _: &[&ToolDefinition], events: &EventSender) -> Outcome {
        for _ in 0..100 {
            let _ = events.send(text_delta("x")).await;
            self.0.fetch_add(1, Ordering::SeqCst);
        }
        Err(connection_lost())
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch2_retrying_stream_survives_a_dropped_receiver() {
    let text = &"All of this is kept, word for word. ".repeat(100);
    let provider = retrying([Err(connection_lost()), Ok(reply(text))]);
    let (sender, receiver) = mpsc::channel(1);
    drop(receiver);
    assert_eq!(
        in_time(provider.stream(&[], &[], &sender)).await,
        Ok(reply(text)),
        "a dropped receiver does not end the reply"
    );
    let provider = retrying_after(text_delta("He"), false);
    let outcome = in_time(provider.stream(&[], &[], &sender)).await;
    assert_eq!(
        (outcome, provider.inner().attempts.load(Ordering::SeqCst)),
        (Err(connection_lost()), 1),
        "an event counts as forwarded even if nobody receives it, so there is no second attempt"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch2_dropped_retrying_stream_sends_no_more_events() {
    let provider = retrying([Ok(reply("one two three four five"))]);
    let (sender, mut receiver) = mpsc::channel(1);
    let stream = provider.stream(&[], &[], &sender);
    let outcome = tokio::time::timeout(SHORT_TIMEOUT, stream).await;
    assert!(outcome.is_err(), "`stream` waits while the channel is full");
    drop(sender);
    let mut events = Vec::new();
    while let Some(event) = in_time(receiver.recv()).await {
        events.push(event);
    }
    assert_eq!(
        events,
        [text_delta("one two ")],
        "dropping the future of `stream` stops the attempt and the forwarding, so nothing follows the event that was in the channel"
    );
}

#[tokio::test]
async fn test_ch2_stream_retries_over_a_real_connection() {
    let overloaded = Fault::Status {
        status: 529,
        retry_after: Some("0".into()),
        body: "overloaded".into(),
    };
    let script = Script::new()
        .fault(overloaded)
        .fault(Fault::CutAfter { bytes: 0 });
    let server = start_server(script.reply(Reply::text("At last."))).await;
    let policy = RetryPolicy {
        base_delay: Duration::from_millis(1),
        ..policy()
    };
    let provider = RetryingProvider::new(provider_for(&server, |_| {}), policy);
    let (outcome, events) = stream(&provider, &[user("Hello?")]).await;
    let text = outcome.expect("the third attempt succeeds").text;
    assert_eq!(text.as_deref(), Some("At last."));
    assert_eq!(text_of(&events), "At last.");
    assert_eq!(server.requests().len(), 3);
}

fn policy() -> RetryPolicy {
    RetryPolicy {
        max_retries: 10,
        base_delay: Duration::from_millis(100),
        max_delay: Duration::from_millis(1000),
        max_retry_after: Duration::from_secs(60),
    }
}

type Outcome = Result<AssistantMessage, ProviderError>;

/// A mock with this script, and retries by [`policy`].
fn retrying(script: impl IntoIterator<Item = Outcome>) -> RetryingProvider<MockProvider> {
    RetryingProvider::new(MockProvider::new(script), policy())
}

fn rate_limited(retry_after: Option<Duration>) -> ProviderError {
    ProviderError::RateLimited {
        message: "slow down".into(),
        retry_after,
    }
}

fn overloaded(retry_after: Option<Duration>) -> ProviderError {
    ProviderError::Overloaded {
        message: "busy".into(),
        retry_after,
    }
}

fn numbered_error(number: usize) -> Outcome {
    Err(ProviderError::Network(format!("connection lost {number}")))
}

/// Retries by [`policy`] around a [`BreakingProvider`].
fn retrying_after(event: StreamEvent, stalls: bool) -> RetryingProvider<BreakingProvider> {
    let attempts = AtomicUsize::new(0);
    let breaking = BreakingProvider {
        event,
        stalls,
        attempts,
    };
    RetryingProvider::new(breaking, policy())
}

/// Sends one event of a reply, and then stalls or loses its connection.
struct BreakingProvider {
    event: StreamEvent,
    stalls: bool,
    attempts: AtomicUsize,
}

#[async_trait]
impl Provider for BreakingProvider {
    async fn chat(&self, _: &[Message], _: &[&ToolDefinition]) -> Outcome {
        unreachable!("the tests call only `stream`")
    }

    async fn stream(
        &self,
        _messages: &[Message],
        _tools: &[&ToolDefinition],
        events: &EventSender,
    ) -> Outcome {
        self.attempts.fetch_add(1, Ordering::SeqCst);
        let sent = events.send(self.event.clone()).await;
        sent.expect("the receiver exists");
        if self.stalls {
            std::future::pending::<()>().await;
        }
        Err(connection_lost())
    }
}
