//! Talking to a model: one trait, a scripted stand-in, and a client over HTTP.

mod accumulator;
mod api_keys;
mod chunk_reader;
mod error;
pub(crate) mod http;
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

/// One piece of a reply, as it arrives.
#[derive(Debug, Clone, PartialEq)]
pub enum StreamEvent {
    /// More of the reply's text.
    TextDelta(String),
    /// A tool call begins. `index` tells the calls of one reply apart.
    ToolCallStart {
        /// Which of the reply's calls this is, from 0.
        index: usize,
        /// The call's id.
        id: String,
        /// The tool's name.
        name: String,
    },
    /// More of a tool call's arguments, as a piece of JSON text.
    ToolCallDelta {
        /// Which of the reply's calls this belongs to.
        index: usize,
        /// The piece.
        arguments: String,
    },
    /// What the reply cost.
    Usage(TokenUsage),
    /// The reply is complete. Always the last event of a reply, and sent once.
    Done(StopReason),
}

/// Where a provider sends the pieces of a reply. Bounded, so that a slow reader slows
/// the provider down; a reader that has gone away does not end the reply.
pub type EventSender = mpsc::Sender<StreamEvent>;

/// A model that answers conversations.
#[async_trait]
pub trait Provider: Send + Sync {
    /// Sends the conversation and waits for the whole reply.
    async fn chat(
        &self,
        messages: &[Message],
        tools: &[&ToolDefinition],
    ) -> Result<AssistantMessage, ProviderError>;

    /// Sends the conversation, passes on the reply's pieces as they arrive, and returns
    /// the whole. After an error no `Done` has been sent.
    async fn stream(
        &self,
        messages: &[Message],
        tools: &[&ToolDefinition],
        events: &EventSender,
    ) -> Result<AssistantMessage, ProviderError>;
}
