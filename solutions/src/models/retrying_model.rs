//! Asking a model again, with patience and only while nobody has seen anything.

use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::mpsc;
use tokio::time::sleep;

use crate::agent::{DeltaSender, LanguageModel, Message, ModelRequest};
use crate::provider::{ProviderError, RetryPolicy};

/// A model that asks another one, again if need be: what `RetryingProvider` is to a provider.
pub struct RetryingModel<M> {
    model: M,
    policy: RetryPolicy,
    tell: Option<Box<Tell>>,
}

/// Hears of a failed attempt, and how long it is to the next one.
type Tell = dyn Fn(&ProviderError, Duration) + Send + Sync;

impl<M: LanguageModel> RetryingModel<M> {
    /// Asks `model`, under this policy.
    pub fn new(model: M, policy: RetryPolicy) -> Self {
        Self {
            model,
            policy,
            tell: None,
        }
    }

    /// Has `tell` hear of each failed attempt that is followed by another, and how long it is
    /// until then.
    pub fn telling(
        mut self,
        tell: impl Fn(&ProviderError, Duration) + Send + Sync + 'static,
    ) -> Self {
        self.tell = Some(Box::new(tell));
        self
    }

    /// Tells of a failed attempt, if somebody wants to hear it.
    fn tell(&self, error: &ProviderError, delay: Duration) {
        if let Some(tell) = &self.tell {
            tell(error, delay);
        }
    }

    /// One attempt, and whether it passed any piece on. It is over with the reply: whoever
    /// still holds a sender then is not waited for.
    async fn attempt(
        &self,
        request: &ModelRequest<'_>,
        deltas: &DeltaSender,
    ) -> (Result<Message, ProviderError>, bool) {
        let (sender, mut receiver) = mpsc::channel(1);
        let mut stream = self.model.stream(request, &sender);
        let mut shown = false;
        let outcome = loop {
            tokio::select! {
                biased;
                Some(piece) = receiver.recv() => {
                    shown = true;
                    let _ = deltas.send(piece).await;
                }
                outcome = &mut stream => break outcome,
            }
        };
        while let Ok(piece) = receiver.try_recv() {
            shown = true;
            let _ = deltas.send(piece).await;
        }
        (outcome, shown)
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
    /// passed on: thoughts count, since somebody may have read them. Before each wait it
    /// tells why, and for how long, whoever [wants to hear it](Self::telling).
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
                    self.tell(&error, delay);
                    sleep(delay).await;
                }
                None => return Err(error),
            }
            retry += 1;
        }
    }
}
