//! Any [`Provider`] as a [`LanguageModel`].

use std::sync::Arc;

use async_trait::async_trait;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::agent::run::panic_guard::News;
use crate::agent::{
    Content, DeltaSender, LanguageModel, Message, ModelRequest, StopReason, StreamDelta, Usage,
    now_ms, to_types,
};
use crate::provider::{Provider, ProviderError, StreamEvent};
use crate::types::{AssistantMessage, StopReason as ReplyReason};

/// How many pieces may wait for whoever reads the deltas.
const PIECES: usize = 64;

/// A provider of chapter 2, spoken to in this module's messages.
///
/// What a provider has no words for is lost on the way, as [`to_types`] says. How much to
/// think, how to cache and how long the reply may be are not passed on: a provider is
/// configured once. What comes back has no thoughts and no images.
pub struct ProviderModel {
    provider: Arc<dyn Provider>,
    name: String,
    model: String,
}

impl ProviderModel {
    /// The provider, and the names that its replies are to bear.
    pub fn new(
        provider: impl Provider + 'static,
        name: impl Into<String>,
        model: impl Into<String>,
    ) -> Self {
        Self::shared(Arc::new(provider), name, model)
    }

    /// The same for a provider that is shared.
    pub fn shared(
        provider: Arc<dyn Provider>,
        name: impl Into<String>,
        model: impl Into<String>,
    ) -> Self {
        Self {
            provider,
            name: name.into(),
            model: model.into(),
        }
    }

    /// A provider's reply in this module's words: its text, if there is any, and behind it
    /// its calls. Without a count of tokens they are all 0.
    pub fn reply(&self, reply: AssistantMessage) -> Message {
        todo!("16.4: write ProviderModel::reply")
    }
}

/// The piece that a reader of deltas gets; `None` for what only the whole reply says.
pub fn delta_of(event: StreamEvent) -> Option<StreamDelta> {
    todo!("16.4: write delta_of")
}

#[async_trait]
impl LanguageModel for ProviderModel {
    fn provider(&self) -> &str {
        &self.name
    }

    fn model(&self) -> &str {
        &self.model
    }

    async fn stream(
        &self,
        request: &ModelRequest<'_>,
        deltas: &DeltaSender,
    ) -> Result<Message, ProviderError> {
        todo!("16.4: write ProviderModel::stream")
    }
}
