//! Retries of a streamed request

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use claw_code::agent::*;
use claw_code::models::*;
use claw_code::provider::*;
use claw_offline::{Fault, Script, Server};
use tokio::sync::mpsc;

use super::readers;
use super::support::*;
use super::wire;

#[tokio::test]
async fn kept_sender_does_not_block_retry() {
    let model = RetryingModel::new(SenderKeeper::default(), RetryPolicy::default());
    let (reply, deltas) = wire::asked(&model, &[Message::user("Hi.")]).await;
    assert!(reply.is_ok(), "the reply should arrive: {reply:?}");
    assert_eq!(
        deltas,
        [readers::said("Hi.")],
        "sent deltas are forwarded, and the model does not wait for more"
    );
}

#[tokio::test(start_paused = true)]
async fn deltas_are_forwarded_while_the_model_runs() {
    let step = Step::says("Hi.").paused(Duration::from_secs(1));
    let model = RetryingModel::new(ScriptedModel::new([step]), RetryPolicy::default());
    let (sender, mut deltas) = mpsc::channel(64);
    let request = wire::Asked::new(vec![Message::user("Hi.")]);
    let reply = wire::in_time(async {
        tokio::select! {
            reply = request.stream(&model, &sender) => Some(reply),
            _ = deltas.recv() => None,
        }
    })
    .await;
    assert!(
        reply.is_none(),
        "a delta is forwarded while the model runs, before the reply is complete: {reply:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn slow_receiver_gets_every_delta() {
    let steps = [Step::says("one two three four")];
    let model = RetryingModel::new(ScriptedModel::new(steps), RetryPolicy::default());
    let (sender, mut deltas) = mpsc::channel(1);
    let request = wire::Asked::new(vec![Message::user("Hi.")]);
    let stream = async move { request.stream(&model, &sender).await };
    let show = async move {
        let mut shown = String::new();
        while let Some(delta) = deltas.recv().await {
            tokio::time::sleep(Duration::from_millis(100)).await;
            shown += readers::text_of(&delta);
        }
        shown
    };
    let (reply, shown) = wire::in_time(async { tokio::join!(stream, show) }).await;
    assert_eq!(
        (reply.is_ok(), shown.as_str()),
        (true, "one two three four"),
        "the attempt forwards what arrives: while the receiver is slow, it waits and loses no delta"
    );
}

#[tokio::test]
async fn reply_arrives_without_a_receiver() {
    let steps = [Step::says("Hi.")];
    let model = RetryingModel::new(ScriptedModel::new(steps), RetryPolicy::default());
    let (sender, receiver) = mpsc::channel(4);
    drop(receiver);
    let request = wire::Asked::new(vec![Message::user("Hi.")]);
    let reply = wire::in_time(request.stream(&model, &sender)).await;
    assert!(
        reply.is_ok(),
        "the receiver of the deltas is gone, and the attempt goes on: {reply:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn callback_runs_before_the_wait() {
    let begin = tokio::time::Instant::now();
    let reported = Arc::new(Mutex::new(Vec::new()));
    let report = reported.clone();
    let model = RetryingModel::new(busy_for_a_second(), RetryPolicy::default())
        .on_retry(move |_, _| report.lock().unwrap().push(begin.elapsed()));
    let (reply, _) = wire::asked(&model, &[Message::user("Hi.")]).await;
    assert!(reply.is_ok(), "the second attempt succeeds: {reply:?}");
    assert_eq!(
        *reported.lock().unwrap(),
        [Duration::ZERO],
        "the callback runs before the wait, not after it"
    );
}

#[tokio::test(start_paused = true)]
async fn retry_waits_as_the_server_asks() {
    let begin = tokio::time::Instant::now();
    let model = RetryingModel::new(busy_for_a_second(), RetryPolicy::default());
    let (reply, _) = wire::asked(&model, &[Message::user("Hi.")]).await;
    assert!(reply.is_ok(), "the second attempt succeeds: {reply:?}");
    assert!(
        begin.elapsed() >= Duration::from_secs(1),
        "the delay is the one that the server asked for: {:?}",
        begin.elapsed()
    );
}

#[tokio::test]
async fn failed_requests_are_retried() {
    for api in wire::APIS.into_iter().rev() {
        let server = failing(2, status(529)).await;
        let model = retrying(api, &server);
        let (reply, deltas) = wire::asked(&model, &[Message::user("Hi.")]).await;
        assert!(
            reply.is_ok() && !deltas.is_empty(),
            "{api}: the third attempt succeeds, and its deltas are forwarded: {reply:?}"
        );
        assert_eq!(server.requests().len(), 3, "{api}: two retries");
    }
}

#[tokio::test]
async fn each_retry_is_reported() {
    for api in wire::APIS.into_iter().rev() {
        let server = failing(2, status(529)).await;
        let reports = Arc::new(Mutex::new(Vec::new()));
        let report = reports.clone();
        let model = retrying(api, &server).on_retry(move |error, delay| {
            let is_short = delay <= Duration::from_millis(1);
            report.lock().unwrap().push((wire::kind(error), is_short));
        });
        let (reply, _) = wire::asked(&model, &[Message::user("Hi.")]).await;
        assert!(
            reply.is_ok(),
            "{api}: the third attempt succeeds: {reply:?}"
        );
        assert_eq!(
            *reports.lock().unwrap(),
            [("Overloaded", true), ("Overloaded", true)],
            "{api}: before each wait, the callback gets the error and the delay"
        );
    }
}

#[tokio::test]
async fn retrying_model_has_the_names_of_its_model() {
    for (api, provider) in [("responses", "openai"), ("messages", "anthropic")] {
        let server = failing(1, status(529)).await;
        let model = retrying(api, &server);
        let (reply, _) = wire::asked(&model, &[Message::user("Hi.")]).await;
        assert!(
            reply.is_ok(),
            "{api}: the second attempt succeeds: {reply:?}"
        );
        assert_eq!(
            (model.provider(), model.model()),
            (provider, "small-model"),
            "{api}: each attempt asks the same model"
        );
    }
}

#[tokio::test]
async fn retry_only_before_first_delta() {
    for api in wire::APIS.into_iter().rev() {
        let server = failing(1, Fault::CutAfter { bytes: 1400 }).await;
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

#[tokio::test(start_paused = true)]
async fn no_retry_after_a_delta_just_before_the_error() {
    let model = RetryingModel::new(LateFailure, RetryPolicy::default());
    let (reply, deltas) = wire::asked(&model, &[Message::user("Hi.")]).await;
    assert!(reply.is_err(), "the model should fail: {reply:?}");
    assert_eq!(
        deltas,
        [readers::said("Hi.")],
        "the model sends a delta and fails at once: the delta is forwarded, and there is no retry"
    );
}

#[tokio::test(start_paused = true)]
async fn no_retry_after_a_delta_without_a_receiver() {
    let retries = Arc::new(Mutex::new(0));
    let count = retries.clone();
    let model = RetryingModel::new(LateFailure, RetryPolicy::default())
        .on_retry(move |_, _| *count.lock().unwrap() += 1);
    let (sender, receiver) = mpsc::channel(4);
    drop(receiver);
    let request = wire::Asked::new(vec![Message::user("Hi.")]);
    let reply = wire::in_time(request.stream(&model, &sender)).await;
    assert!(reply.is_err(), "the model should fail: {reply:?}");
    assert_eq!(
        *retries.lock().unwrap(),
        0,
        "a delta counts as forwarded even if the receiver is gone, so there is no retry"
    );
}

#[tokio::test]
async fn no_retry_after_a_wrong_key() {
    for api in wire::APIS.into_iter().rev() {
        let server = failing(1, status(401)).await;
        let model = retrying(api, &server);
        let (reply, _) = wire::asked(&model, &[Message::user("Hi.")]).await;
        assert!(
            matches!(reply, Err(ProviderError::Authentication(_))) && server.requests().len() == 1,
            "{api}: a retry does not help with a wrong key: {reply:?}"
        );
    }
}

#[tokio::test]
async fn the_policy_limits_the_retries() {
    for api in wire::APIS.into_iter().rev() {
        let server = failing(5, status(529)).await;
        let model = retrying(api, &server);
        let (reply, _) = wire::asked(&model, &[Message::user("Hi.")]).await;
        assert!(
            matches!(reply, Err(ProviderError::Overloaded { .. })) && server.requests().len() == 4,
            "{api}: three retries, and no more ({} requests): {reply:?}",
            server.requests().len()
        );
    }
}

/// A model that fails once, asks for a wait of a second, and then replies.
fn busy_for_a_second() -> ScriptedModel {
    let busy = ProviderError::Overloaded {
        retry_after: Some(Duration::from_secs(1)),
        message: "busy".into(),
    };
    ScriptedModel::new([Step::new(End::Fail(busy)), Step::says("Hi.")])
}

/// A server that sends a complete reply after this many responses with `fault`.
async fn failing(times: usize, fault: Fault) -> Server {
    let script = (0..times).fold(Script::new(), |script, _| {
        script.fault_in(fault.clone(), wire::full())
    });
    wire::server(script.reply(wire::full())).await
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

/// A model that keeps the sender of its deltas after its reply.
#[derive(Default)]
struct SenderKeeper(Mutex<Vec<DeltaSender>>);

#[async_trait]
impl LanguageModel for SenderKeeper {
    fn provider(&self) -> &str {
        "test"
    }

    fn model(&self) -> &str {
        "m-1"
    }

    async fn stream(
        &self,
        _: &ModelRequest<'_>,
        deltas: &DeltaSender,
    ) -> Result<Message, ProviderError> {
        let _ = deltas.send(text_delta("Hi.")).await;
        self.0.lock().unwrap().push(deltas.clone());
        Ok(model_reply("Hi.", &[], StopReason::Stop))
    }
}

/// A model that sends a delta and fails at once.
struct LateFailure;

#[async_trait]
impl LanguageModel for LateFailure {
    fn provider(&self) -> &str {
        "test"
    }

    fn model(&self) -> &str {
        "m-1"
    }

    async fn stream(
        &self,
        _: &ModelRequest<'_>,
        deltas: &DeltaSender,
    ) -> Result<Message, ProviderError> {
        let _ = deltas.send(text_delta("Hi.")).await;
        Err(ProviderError::Network("cut".into()))
    }
}
