//! Section 19.19: Retries of a streamed request

use std::sync::{Arc, Mutex};
use std::time::Duration;

use claw_code::agent::*;
use claw_code::models::*;
use claw_code::provider::*;
use claw_offline::{Fault, Script, Server};

use super::readers;
use super::support::*;
use super::wire;

#[tokio::test]
async fn test_ch19_kept_sender_does_not_block_retry() {
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
    assert!(reply.is_ok(), "the reply should arrive: {reply:?}");
    assert_eq!(
        pieces,
        [readers::said("Hi.")],
        "sent deltas are forwarded, and the model does not wait for more"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch19_callback_runs_before_the_wait() {
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
    let reported = Arc::new(Mutex::new(Vec::new()));
    let report = reported.clone();
    let model = RetryingModel::new(Busy(Default::default()), RetryPolicy::default())
        .on_retry(move |_, _| report.lock().expect("not poisoned").push(begin.elapsed()));
    let (reply, _) = wire::asked(&model, &[Message::user("Hi.")]).await;
    assert!(reply.is_ok(), "the second attempt succeeds: {reply:?}");
    assert!(
        begin.elapsed() >= Duration::from_secs(1),
        "the delay is the one that the server asked for: {:?}",
        begin.elapsed()
    );
    assert_eq!(
        *reported.lock().expect("not poisoned"),
        [Duration::ZERO],
        "the callback runs before the wait, not after it"
    );
}

#[tokio::test]
async fn test_ch19_failed_requests_are_retried_and_reported() {
    for (api, name) in [("responses", "openai"), ("messages", "anthropic")] {
        let script = Script::new().fault(status(529)).fault(status(529));
        let server = wire::server(script.reply(wire::full())).await;
        let errors = Arc::new(Mutex::new(Vec::new()));
        let seen = errors.clone();
        let model = retrying(api, &server).on_retry(move |error, delay| {
            let is_overloaded = matches!(error, ProviderError::Overloaded { .. });
            let is_short = delay <= Duration::from_millis(1);
            seen.lock().unwrap().push((is_overloaded, is_short));
        });
        let (reply, deltas) = wire::asked(&model, &[Message::user("Hi.")]).await;
        assert!(
            reply.is_ok() && !deltas.is_empty(),
            "{api}: the third attempt succeeds, and its deltas are forwarded: {reply:?}"
        );
        assert_eq!(
            (model.provider(), model.model()),
            (name, "small-model"),
            "each attempt asks the same model"
        );
        assert_eq!(server.requests().len(), 3, "{api}: two retries");
        assert_eq!(
            *errors.lock().unwrap(),
            [(true, true), (true, true)],
            "{api}: before each wait, the callback gets the error and the delay"
        );
    }
}

#[tokio::test]
async fn test_ch19_retry_only_before_first_delta() {
    for api in wire::APIS.into_iter().rev() {
        let cut = Fault::CutAfter { bytes: 1400 };
        let script = Script::new().fault_in(cut, wire::full());
        let server = wire::server(script.reply(wire::full())).await;
        let model = retrying(api, &server);
        let (reply, deltas) = wire::asked(&model, &[Message::user("Hi.")]).await;
        assert!(!deltas.is_empty(), "{api}: some deltas should arrive");
        assert!(
            matches!(reply, Err(ProviderError::Network(_))) && server.requests().len() == 1,
            "{api}: a retry would show the first deltas twice, so there should be none ({} requests): {reply:?}",
            server.requests().len()
        );
    }
}

#[tokio::test]
async fn test_ch19_no_retry_after_a_wrong_key() {
    for api in wire::APIS.into_iter().rev() {
        let script = Script::new().fault(status(401));
        let server = wire::server(script.reply(wire::full())).await;
        let model = retrying(api, &server);
        let (reply, _) = wire::asked(&model, &[Message::user("Hi.")]).await;
        assert!(
            matches!(reply, Err(ProviderError::Authentication(_))) && server.requests().len() == 1,
            "{api}: a retry does not help with a wrong key: {reply:?}"
        );
    }
}

#[tokio::test]
async fn test_ch19_the_policy_limits_the_retries() {
    for api in wire::APIS.into_iter().rev() {
        let script = (0..5).fold(Script::new(), |script, _| script.fault(status(529)));
        let server = wire::server(script).await;
        let model = retrying(api, &server);
        let (reply, _) = wire::asked(&model, &[Message::user("Hi.")]).await;
        assert!(
            matches!(reply, Err(ProviderError::Overloaded { .. })) && server.requests().len() == 4,
            "{api}: three retries, and no more ({} requests): {reply:?}",
            server.requests().len()
        );
    }
}

/// An error response.
fn status(status: u16) -> Fault {
    Fault::Status {
        status,
        retry_after: None,
        body: "{}".into(),
    }
}

/// A model for this API and server that retries three times, after at most a millisecond.
fn retrying(api: &str, server: &Server) -> RetryingModel<wire::Shared> {
    let policy = RetryPolicy {
        max_retries: 3,
        base_delay: Duration::from_millis(1),
        max_delay: Duration::from_millis(1),
        max_retry_after: Duration::from_secs(1),
    };
    RetryingModel::new(wire::Shared(wire::model(api, server, |_| {})), policy)
}
