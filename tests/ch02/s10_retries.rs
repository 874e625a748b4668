//! Section 2.10: Trying again

use std::sync::Mutex;
use std::time::Duration;

use async_trait::async_trait;
use claw_code::provider::*;
use claw_code::types::*;
use claw_offline::{Fault, Reply, Script};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::support::*;

#[test]
fn test_ch2_retry_delay_grows_with_jitter() {
    let policy = policy();
    let error = ProviderError::Network("cut".into());
    for (retry, most) in [(0, 100), (1, 200), (2, 400), (3, 800), (4, 1000), (9, 1000)] {
        for (random, share) in [(0.0, 0), (0.25, most / 4), (1.0, most)] {
            assert_eq!(
                policy.delay(retry, &error, random),
                Some(Duration::from_millis(share)),
                "retry {retry} waits up to {most} ms; with the random number {random} it is {share} ms"
            );
        }
    }
    let endless = RetryPolicy {
        max_retries: u32::MAX,
        ..policy
    };
    assert_eq!(
        endless.delay(4_000_000, &error, 1.0),
        Some(Duration::from_millis(1000)),
        "doubling any number of times ends at the cap"
    );
}

#[test]
fn test_ch2_retry_delay_honours_the_server() {
    let policy = policy();
    for (asked, random, expected) in [
        (Some(0), 1.0, Some(100)),
        (Some(3000), 0.0, Some(3000)),
        (Some(3000), 1.0, Some(3100)),
        (Some(60_000), 0.5, Some(60_050)),
        (Some(60_001), 0.0, None),
        (None, 0.5, Some(50)),
    ] {
        let retry_after = asked.map(Duration::from_millis);
        for error in [
            ProviderError::RateLimited {
                message: "slow down".into(),
                retry_after,
            },
            ProviderError::Overloaded {
                message: "busy".into(),
                retry_after,
            },
        ] {
            assert_eq!(
                policy.delay(0, &error, random),
                expected.map(Duration::from_millis),
                "asked to wait {asked:?} ms, with the random number {random}: never less, and not at all beyond {:?}",
                policy.max_retry_after
            );
        }
    }
}

#[test]
fn test_ch2_retry_delay_gives_up() {
    let policy = policy();
    let lost = ProviderError::Network("cut".into());
    let last = policy.max_retries - 1;
    assert!(
        policy.delay(last, &lost, 0.5).is_some(),
        "retry {last} is the last, counted from 0"
    );
    assert_eq!(
        policy.delay(policy.max_retries, &lost, 0.5),
        None,
        "{} retries were used up",
        policy.max_retries
    );
    for error in [
        ProviderError::Authentication("no".into()),
        ProviderError::ContextOverflow("no".into()),
        ProviderError::BadRequest("no".into()),
        ProviderError::MalformedReply("no".into()),
    ] {
        assert_eq!(policy.delay(0, &error, 0.5), None, "{error:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch2_retry_chat_until_it_works() {
    let slow = ProviderError::RateLimited {
        message: "slow down".into(),
        retry_after: Some(Duration::from_secs(5)),
    };
    let lost = ProviderError::Network("cut".into());
    let mock = MockProvider::new([Err(slow), Err(lost), Ok(said("at last"))]);
    let provider = RetryingProvider::new(mock, policy());
    let ask = [Message::User(user("hello"))];
    let tools = [tool("read")];
    let tools: Vec<&ToolDefinition> = tools.iter().collect();
    let start = Instant::now();
    let reply = provider.chat(&ask, &tools).await;
    assert_eq!(reply, Ok(said("at last")));
    let asked = provider.inner().requests();
    assert_eq!(asked.len(), 3, "two errors, two retries");
    assert!(
        asked.iter().all(|request| *request == asked[0]),
        "the same request each time: {asked:?}"
    );
    let waited = start.elapsed();
    let range = Duration::from_millis(5000)..=Duration::from_millis(5310);
    assert!(
        range.contains(&waited),
        "5 s as asked and up to 0.1 s, then up to 0.2 s; it waited {waited:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch2_retry_chat_gives_up() {
    let lost = |n: usize| Err(ProviderError::Network(format!("cut {n}")));
    let mock = MockProvider::new((1..=100).map(lost));
    let provider = RetryingProvider::new(mock, policy());
    assert_eq!(
        provider.chat(&[], &[]).await,
        lost(11),
        "the last error is handed on as it is"
    );
    assert_eq!(
        provider.inner().requests().len(),
        11,
        "one attempt and ten retries"
    );

    let refused = ProviderError::Authentication("wrong key".into());
    let provider = RetryingProvider::new(MockProvider::new([Err(refused.clone())]), policy());
    let start = Instant::now();
    assert_eq!(provider.chat(&[], &[]).await, Err(refused));
    assert_eq!(provider.inner().requests().len(), 1);
    assert_eq!(
        start.elapsed(),
        Duration::ZERO,
        "an error that waiting does not mend is handed on at once"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch2_retry_waits_differ() {
    let mut waits = Vec::new();
    for _ in 0..20 {
        let lost = ProviderError::Network("cut".into());
        let mock = MockProvider::new([Err(lost), Ok(said("hi"))]);
        let provider = RetryingProvider::new(mock, policy());
        let start = Instant::now();
        provider.chat(&[], &[]).await.expect("the second reply");
        waits.push(start.elapsed());
    }
    waits.dedup();
    assert!(
        waits.len() > 1,
        "clients that were cut off together must not come back together, and yet twenty of them waited {:?} each",
        waits[0]
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch2_retry_stream_before_anything_was_shown() {
    let lost = ProviderError::Network("cut".into());
    let busy = ProviderError::Overloaded {
        message: "busy".into(),
        retry_after: None,
    };
    let mock = MockProvider::new([Err(lost), Err(busy), Ok(said("one two three four"))]);
    let provider = RetryingProvider::new(mock, policy());
    let (reply, events) = streamed(&provider, &[], &[]).await;
    assert_eq!(reply, Ok(said("one two three four")));
    assert_eq!(provider.inner().requests().len(), 3);
    let text: String = events.iter().filter_map(text_of).collect();
    assert_eq!(
        text, "one two three four",
        "the attempts that failed leave no trace"
    );
    assert_eq!(events.last(), Some(&StreamEvent::Done(StopReason::Stop)));

    let refused = ProviderError::BadRequest("no such model".into());
    let provider = RetryingProvider::new(MockProvider::new([Err(refused.clone())]), policy());
    let (reply, events) = streamed(&provider, &[], &[]).await;
    assert_eq!((reply, events), (Err(refused), vec![]));

    let lost = |n: usize| Err(ProviderError::Network(format!("cut {n}")));
    let provider = RetryingProvider::new(MockProvider::new((1..=100).map(lost)), policy());
    let (reply, events) = streamed(&provider, &[], &[]).await;
    assert_eq!(
        (reply, events),
        (lost(11), vec![]),
        "one attempt and ten retries, as with `chat`"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch2_retry_stream_never_after_the_first_event() {
    for first in [
        StreamEvent::TextDelta("He".into()),
        start(0, "call_1", "bash"),
    ] {
        let torn = Torn {
            first: first.clone(),
            attempts: Mutex::new(0),
        };
        let provider = RetryingProvider::new(torn, policy());
        let (outcome, events) = streamed(&provider, &[], &[]).await;
        assert_eq!(
            outcome,
            Err(ProviderError::Network("cut in attempt 1".into())),
            "the error is handed on"
        );
        assert_eq!(
            events,
            [first],
            "the user has seen the beginning: a second attempt would show it twice"
        );
        assert_eq!(*provider.inner().attempts.lock().expect("not poisoned"), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch2_retry_stream_outlives_its_reader() {
    let lost = ProviderError::Network("cut".into());
    let mock = MockProvider::new([Err(lost), Ok(said("All of this is kept, word for word."))]);
    let provider = RetryingProvider::new(mock, policy());
    let (sender, receiver) = mpsc::channel(1);
    drop(receiver);
    let reply = in_time(provider.stream(&[], &[], &sender)).await;
    assert_eq!(
        reply,
        Ok(said("All of this is kept, word for word.")),
        "a reader that has gone away does not end the reply"
    );
}

#[tokio::test]
async fn test_ch2_retry_over_a_real_connection() {
    let server = server(
        Script::new()
            .fault(Fault::Status {
                status: 529,
                retry_after: Some("0".into()),
                body: "overloaded".into(),
            })
            .fault(Fault::CutAfter { bytes: 0 })
            .reply(Reply::text("At last.")),
    )
    .await;
    let policy = RetryPolicy {
        base_delay: Duration::from_millis(1),
        ..policy()
    };
    let provider = RetryingProvider::new(provider(&server, |_| {}), policy);
    let (reply, events) = streamed(&provider, &[Message::User(user("Hello?"))], &[]).await;
    assert_eq!(
        reply.map(|reply| reply.text),
        Ok(Some("At last.".to_string()))
    );
    let text: String = events.iter().filter_map(text_of).collect();
    assert_eq!(text, "At last.");
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

/// Sends one event of a reply, and then the line is cut.
struct Torn {
    first: StreamEvent,
    attempts: Mutex<usize>,
}

#[async_trait]
impl Provider for Torn {
    async fn chat(
        &self,
        _messages: &[Message],
        _tools: &[&ToolDefinition],
    ) -> Result<AssistantMessage, ProviderError> {
        unreachable!("only `stream` is called")
    }

    async fn stream(
        &self,
        _messages: &[Message],
        _tools: &[&ToolDefinition],
        events: &EventSender,
    ) -> Result<AssistantMessage, ProviderError> {
        let attempt = {
            let mut attempts = self.attempts.lock().expect("not poisoned");
            *attempts += 1;
            *attempts
        };
        events.send(self.first.clone()).await.expect("a reader");
        Err(ProviderError::Network(format!("cut in attempt {attempt}")))
    }
}
