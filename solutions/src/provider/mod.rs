//! Talking to a model: one trait, a scripted stand-in, and a client over HTTP.

mod accumulate;
mod chunk;
mod error;
mod http;
mod mock;
mod openai;
mod request;
mod retry;
mod sse;

#[cfg(feature = "ch19")]
mod anthropic;
#[cfg(feature = "ch19")]
mod native;
#[cfg(feature = "ch19")]
mod responses;
#[cfg(feature = "ch19")]
mod retrying_model;

pub use accumulate::*;
pub use chunk::*;
pub use error::*;
pub use http::OpenAiConfig;
pub use mock::*;
pub use openai::*;
pub use request::*;
pub use retry::*;
pub use sse::*;

#[cfg(feature = "ch19")]
pub use {
    anthropic::*,
    native::{Reply, ReplyReader},
    responses::*,
    retrying_model::*,
};

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
