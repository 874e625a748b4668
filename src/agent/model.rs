//! The model interface of an agent.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

use super::{CacheConfig, Message, ThinkingLevel};
use crate::prompt::SystemPrompt;
use crate::provider::ProviderError;
use crate::types::ToolDefinition;

/// One request to a model.
#[derive(Debug, Clone)]
pub struct ModelRequest<'a> {
    /// The system prompt and its cache boundary.
    pub system: &'a SystemPrompt,
    /// The conversation. The results of a reply's calls follow the reply directly.
    pub messages: &'a [Message],
    /// The definitions of the tools that the model may call, sorted by name.
    pub tools: &'a [&'a ToolDefinition],
    /// How much the model should think.
    pub thinking: ThinkingLevel,
    /// Whether and how the request uses the prompt cache.
    pub cache: CacheConfig,
    /// The maximum number of tokens in the reply; `None` for the model's own limit.
    pub max_tokens: Option<u64>,
}

/// One piece of a streamed reply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum StreamDelta {
    /// More of the text.
    Text {
        /// The piece.
        delta: String,
    },
    /// More of the thinking.
    Thinking {
        /// The piece.
        delta: String,
    },
    /// More of a tool call's arguments: a piece of JSON text.
    ToolCallDelta {
        /// The piece.
        delta: String,
    },
}

/// The channel for the pieces of a reply. It is bounded, so a slow reader slows the model
/// down. A reader that drops its end does not end the reply.
pub type DeltaSender = mpsc::Sender<StreamDelta>;

/// A model that takes and returns this module's messages.
///
/// Any number of agents may use it at the same time. Dropping the future of
/// [`stream`](Self::stream) cancels the request.
#[async_trait]
pub trait LanguageModel: Send + Sync {
    /// The provider's name, such as `anthropic`.
    fn provider(&self) -> &str;

    /// The model's name.
    fn model(&self) -> &str;

    /// Sends the request, forwards the pieces of the reply as they arrive, and returns the
    /// complete reply: a [`Message::Assistant`] with the content of all pieces, the tool
    /// calls and the usage.
    ///
    /// An `Err` means that no complete reply arrived. An incomplete reply is never returned,
    /// because an incomplete call must not run.
    async fn stream(
        &self,
        request: &ModelRequest<'_>,
        deltas: &DeltaSender,
    ) -> Result<Message, ProviderError>;
}
