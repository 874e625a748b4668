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
        todo!("19.10: write RetryingModel::attempt")
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
        todo!("19.10: write RetryingModel::stream")
    }
}
