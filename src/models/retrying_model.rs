//! Retries for models, only while no delta has been forwarded.

use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::mpsc;
use tokio::time::sleep;

use crate::agent::{DeltaSender, LanguageModel, Message, ModelRequest};
use crate::provider::{ProviderError, RetryPolicy};

/// A model that repeats the failed requests of another model, as `RetryingProvider` does for
/// providers.
pub struct RetryingModel<M> {
    model: M,
    policy: RetryPolicy,
    on_retry: Option<Box<RetryCallback>>,
}

/// Receives the error of a failed attempt and the delay before the next one.
type RetryCallback = dyn Fn(&ProviderError, Duration) + Send + Sync;

impl<M: LanguageModel> RetryingModel<M> {
    /// Sends requests to `model` and repeats them by this policy.
    pub fn new(model: M, policy: RetryPolicy) -> Self {
        Self {
            model,
            policy,
            on_retry: None,
        }
    }

    /// Calls `callback` before each retry, with the error and the delay.
    pub fn on_retry(
        mut self,
        callback: impl Fn(&ProviderError, Duration) + Send + Sync + 'static,
    ) -> Self {
        self.on_retry = Some(Box::new(callback));
        self
    }

    /// Calls the callback, if there is one.
    fn report_retry(&self, error: &ProviderError, delay: Duration) {
        if let Some(callback) = &self.on_retry {
            callback(error, delay);
        }
    }

    /// Makes one attempt. Returns its outcome and whether it forwarded any delta. It ends with
    /// the reply and does not wait for tasks that still hold a sender.
    async fn attempt(
        &self,
        request: &ModelRequest<'_>,
        deltas: &DeltaSender,
    ) -> (Result<Message, ProviderError>, bool) {
        let (sender, mut receiver) = mpsc::channel(1);
        let mut stream = self.model.stream(request, &sender);
        let mut has_forwarded = false;
        let outcome = loop {
            tokio::select! {
                biased;
                Some(delta) = receiver.recv() => {
                    has_forwarded = true;
                    let _ = deltas.send(delta).await;
                }
                outcome = &mut stream => break outcome,
            }
        };
        while let Ok(delta) = receiver.try_recv() {
            has_forwarded = true;
            let _ = deltas.send(delta).await;
        }
        (outcome, has_forwarded)
    }
}

#[async_trait]
impl<M: LanguageModel> LanguageModel for RetryingModel<M> {
    fn provider(&self) -> &str {
        self.model.provider()
    }

    fn model(&self) -> &str {
        self.model.model()
    }

    /// Retries as long as [`RetryPolicy::delay`] allows, and only while no delta has been
    /// forwarded. Thinking counts as a delta, since the user may have read it. Before each
    /// wait, it calls the callback of [`on_retry`](Self::on_retry).
    async fn stream(
        &self,
        request: &ModelRequest<'_>,
        deltas: &DeltaSender,
    ) -> Result<Message, ProviderError> {
        let mut retry = 0;
        loop {
            let error = match self.attempt(request, deltas).await {
                (Err(error), false) => error,
                (outcome, _) => return outcome,
            };
            match self.policy.delay(retry, &error, fastrand::f64()) {
                Some(delay) => {
                    self.report_retry(&error, delay);
                    sleep(delay).await;
                }
                None => return Err(error),
            }
            retry += 1;
        }
    }
}
