//! A model, as an agent sees it.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

use super::{CacheConfig, Message, ThinkingLevel};
use crate::prompt::SystemPrompt;
use crate::provider::ProviderError;
use crate::types::ToolDefinition;

/// Everything that a model is asked with.
#[derive(Debug, Clone)]
pub struct ModelRequest<'a> {
    /// What it is told first, and how much of that stays the same.
    pub system: &'a SystemPrompt,
    /// The conversation. Every call in it has its result directly behind its reply.
    pub messages: &'a [Message],
    /// The tools that it may call, by name.
    pub tools: &'a [&'a ToolDefinition],
    /// How much it is to think.
    pub thinking: ThinkingLevel,
    /// Whether and how the request is cached.
    pub cache: CacheConfig,
    /// How many tokens the reply may have; `None` for as many as the model can.
    pub max_tokens: Option<u64>,
}

/// One piece of a reply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum StreamDelta {
    /// More of the text.
    Text {
        /// The piece.
        delta: String,
    },
    /// More of the thoughts.
    Thinking {
        /// The piece.
        delta: String,
    },
    /// More of a call's arguments, as a piece of JSON text.
    ToolCallDelta {
        /// The piece.
        delta: String,
    },
}

/// Where a model sends the pieces of a reply. Bounded, so that a slow reader slows the
/// model down; a reader that has gone away does not end the reply.
pub type DeltaSender = mpsc::Sender<StreamDelta>;

/// A model that speaks this module's messages.
///
/// It may be asked by any number of agents at the same time. Dropping the future of
/// [`stream`](Self::stream) ends the request.
#[async_trait]
pub trait LanguageModel: Send + Sync {
    /// The provider's name, such as `anthropic`.
    fn provider(&self) -> &str;

    /// The model's name.
    fn model(&self) -> &str;

    /// Asks the model, passes the pieces of its reply on as they arrive, and returns the
    /// whole: a [`Message::Assistant`] with everything that the pieces said, the calls,
    /// and what it cost.
    ///
    /// An `Err` is a reply that did not come, or did not come to its end. It is never
    /// half a reply: a call that is not whole must not run.
    async fn stream(
        &self,
        request: &ModelRequest<'_>,
        deltas: &DeltaSender,
    ) -> Result<Message, ProviderError>;
}
