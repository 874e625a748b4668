//! A provider for tests: it plays a script and records its requests.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;

use super::{EventSender, Provider, ProviderError, StreamEvent};
use crate::types::{AssistantMessage, Message, ToolDefinition};

/// A request that a [`MockProvider`] received.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedRequest {
    /// The conversation.
    pub messages: Vec<Message>,
    /// The names of the tools, in the order of the request.
    pub tools: Vec<String>,
}

/// Returns scripted replies in order and records each request.
pub struct MockProvider {
    // std's mutexes, not tokio's: neither is held across an await.
    replies: Mutex<VecDeque<Result<AssistantMessage, ProviderError>>>,
    requests: Mutex<Vec<RecordedRequest>>,
}

impl MockProvider {
    /// A provider that returns these replies, one for each request.
    pub fn new(replies: impl IntoIterator<Item = Result<AssistantMessage, ProviderError>>) -> Self {
        Self {
            replies: Mutex::new(replies.into_iter().collect()),
            requests: Mutex::new(Vec::new()),
        }
    }

    /// The requests so far, oldest first.
    pub fn requests(&self) -> Vec<RecordedRequest> {
        todo!("provider-trait-and-mock-provider: write MockProvider::requests")
    }
}

#[async_trait]
impl Provider for MockProvider {
    /// Records the request and returns the next reply of the script. When the script has no
    /// reply left, it returns a [`ProviderError::BadRequest`] that names the script and the
    /// number of the request, counted from 1.
    async fn chat(
        &self,
        messages: &[Message],
        tools: &[&ToolDefinition],
    ) -> Result<AssistantMessage, ProviderError> {
        todo!("provider-trait-and-mock-provider: write MockProvider::chat")
    }

    /// Like [`chat`](Self::chat), but sends the reply's [events](reply_events) first.
    async fn stream(
        &self,
        messages: &[Message],
        tools: &[&ToolDefinition],
        events: &EventSender,
    ) -> Result<AssistantMessage, ProviderError> {
        todo!("reply-as-events: write MockProvider::stream")
    }
}

/// The events of a complete reply, as if it had been streamed: the [split](split_text)
/// text, for each call a start and the split JSON of its arguments, the usage if there is
/// one, and `Done`.
pub fn reply_events(reply: &AssistantMessage) -> Vec<StreamEvent> {
    todo!("reply-as-events: write reply_events")
}

/// Splits `text` into pieces of eight characters. The last piece can be shorter. An empty
/// text has no pieces.
pub fn split_text(text: &str) -> Vec<String> {
    todo!("reply-as-events: write split_text")
}

/// Locks a mutex, even one that a panic has poisoned: a push or a pop is never half done.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
