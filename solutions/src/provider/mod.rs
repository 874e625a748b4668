//! Talks to a model: the [`Provider`] trait, a scripted mock, and an HTTP client for Chat
//! Completions.

mod accumulator;
mod api_keys;
mod chunk_reader;
mod error;
pub mod http;
mod mock;
mod openai;
mod request_body;
mod retry;
mod sse;

pub use accumulator::*;
pub use api_keys::*;
pub use chunk_reader::*;
pub use error::*;
pub use http::OpenAiConfig;
pub use mock::*;
pub use openai::*;
pub use request_body::*;
pub use retry::*;
pub use sse::*;

use async_trait::async_trait;
use tokio::sync::mpsc;

use crate::types::{AssistantMessage, Message, StopReason, TokenUsage, ToolDefinition};

/// One part of a streamed reply.
#[derive(Debug, Clone, PartialEq)]
pub enum StreamEvent {
    /// More of the reply's text.
    TextDelta(String),
    /// A tool call begins.
    ToolCallStart {
        /// The call's position among the calls of this reply, from 0.
        index: usize,
        /// The call's id.
        id: String,
        /// The tool's name.
        name: String,
    },
    /// More of a tool call's arguments.
    ToolCallDelta {
        /// The `index` of the call's [`ToolCallStart`](Self::ToolCallStart).
        index: usize,
        /// The next part of the arguments' JSON text. It need not be JSON by itself.
        arguments: String,
    },
    /// The tokens that the reply used.
    Usage(TokenUsage),
    /// The reply is complete. This event is sent once and last.
    Done(StopReason),
}

/// The channel to which a provider sends the events of a reply. It is bounded, so a slow
/// receiver slows the provider down. A dropped receiver does not end the reply.
pub type EventSender = mpsc::Sender<StreamEvent>;

/// A model that replies to conversations.
#[async_trait]
pub trait Provider: Send + Sync {
    /// Sends the conversation and returns the complete reply.
    async fn chat(
        &self,
        messages: &[Message],
        tools: &[&ToolDefinition],
    ) -> Result<AssistantMessage, ProviderError>;

    /// Sends the conversation, forwards the reply's events as they arrive, and returns the
    /// complete reply. When it returns an error, it has not sent `Done`.
    async fn stream(
        &self,
        messages: &[Message],
        tools: &[&ToolDefinition],
        events: &EventSender,
    ) -> Result<AssistantMessage, ProviderError>;
}
