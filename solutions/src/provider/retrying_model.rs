//! Asking a model again, with patience and only while nobody has seen anything.

use async_trait::async_trait;
use tokio::sync::mpsc;
use tokio::time::sleep;

use super::{ProviderError, RetryPolicy};
use crate::agent::{DeltaSender, LanguageModel, Message, ModelRequest};

/// A model that asks another one, again if need be: what `Retrying` is to a provider.
pub struct RetryingModel<M> {
    model: M,
    policy: RetryPolicy,
}

impl<M: LanguageModel> RetryingModel<M> {
    /// Asks `model`, under this policy.
    pub fn new(model: M, policy: RetryPolicy) -> Self {
        Self { model, policy }
    }

    /// One attempt, and whether it passed any piece on.
    async fn attempt(
        &self,
        request: &ModelRequest<'_>,
        deltas: &DeltaSender,
    ) -> (Result<Message, ProviderError>, bool) {
        let (sender, mut receiver) = mpsc::channel(1);
        // The block owns the sender, so the receiver ends when the attempt does.
        let stream = async move { self.model.stream(request, &sender).await };
        let pass_on = async {
            let mut shown = false;
            while let Some(piece) = receiver.recv().await {
                shown = true;
                let _ = deltas.send(piece).await;
            }
            shown
        };
        tokio::join!(stream, pass_on)
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

    /// Tries again as long as [`RetryPolicy::delay`] says, and only while no piece was
    /// passed on: thoughts count, since somebody may have read them.
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
                Some(delay) => sleep(delay).await,
                None => return Err(error),
            }
            retry += 1;
        }
    }
}
