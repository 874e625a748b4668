//! A provider that plays a script.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;

use super::{EventSender, Provider, ProviderError, StreamEvent};
use crate::types::{AssistantMessage, Message, ToolDefinition};

/// What a [`MockProvider`] was asked.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedRequest {
    /// The conversation it was sent.
    pub messages: Vec<Message>,
    /// The names of the tools it was told of, in the order given.
    pub tools: Vec<String>,
}

/// Answers with scripted replies, in their order, and remembers what it was asked.
pub struct MockProvider {
    // std's mutexes, not tokio's: neither is held across an await.
    replies: Mutex<VecDeque<Result<AssistantMessage, ProviderError>>>,
    asked: Mutex<Vec<RecordedRequest>>,
}

impl MockProvider {
    /// A provider with this script.
    pub fn new(replies: impl IntoIterator<Item = Result<AssistantMessage, ProviderError>>) -> Self {
        Self {
            replies: Mutex::new(replies.into_iter().collect()),
            asked: Mutex::new(Vec::new()),
        }
    }

    /// Everything it was asked so far, oldest first.
    pub fn requests(&self) -> Vec<RecordedRequest> {
        todo!("2.2: write MockProvider::requests")
    }
}

#[async_trait]
impl Provider for MockProvider {
    /// Records the request, then gives the next reply of the script. When there is none
    /// left, a [`ProviderError::BadRequest`] says that the script has no reply for this
    /// request, and the request's number, counted from 1.
    async fn chat(
        &self,
        messages: &[Message],
        tools: &[&ToolDefinition],
    ) -> Result<AssistantMessage, ProviderError> {
        todo!("2.2: write MockProvider::chat")
    }

    /// Like [`chat`](Self::chat), with the reply's [events](reply_events) sent first.
    async fn stream(
        &self,
        messages: &[Message],
        tools: &[&ToolDefinition],
        events: &EventSender,
    ) -> Result<AssistantMessage, ProviderError> {
        todo!("2.2: write MockProvider::stream")
    }
}

/// The events in which a whole reply would have arrived: its text in [`pieces`], then
/// for each call a start and its arguments' JSON in pieces, the usage if there is one,
/// and `Done`.
pub fn reply_events(reply: &AssistantMessage) -> Vec<StreamEvent> {
    todo!("2.2: write reply_events")
}

/// `text` cut into pieces of eight characters, the last one maybe shorter.
pub fn pieces(text: &str) -> Vec<String> {
    todo!("2.2: write pieces")
}

/// The lock, even if somebody panicked while holding it: a push or a pop is whole or
/// did not happen.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
