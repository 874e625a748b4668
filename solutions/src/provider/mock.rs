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
        lock(&self.requests).clone()
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
        let count = {
            let mut requests = lock(&self.requests);
            requests.push(RecordedRequest {
                messages: messages.to_vec(),
                tools: tools.iter().map(|tool| tool.name.to_string()).collect(),
            });
            requests.len()
        };
        lock(&self.replies).pop_front().unwrap_or_else(|| {
            Err(ProviderError::BadRequest(format!(
                "the script of this MockProvider has no reply for request {count}; pass one more to `new`"
            )))
        })
    }

    /// Like [`chat`](Self::chat), but sends the reply's [events](reply_events) first.
    async fn stream(
        &self,
        messages: &[Message],
        tools: &[&ToolDefinition],
        events: &EventSender,
    ) -> Result<AssistantMessage, ProviderError> {
        let reply = self.chat(messages, tools).await?;
        for event in reply_events(&reply) {
            // A dropped receiver does not end the reply.
            let _ = events.send(event).await;
        }
        Ok(reply)
    }
}

/// The events of a complete reply, as if it had been streamed: the [split](split_text)
/// text, for each call a start and the split JSON of its arguments, the usage if there is
/// one, and `Done`.
pub fn reply_events(reply: &AssistantMessage) -> Vec<StreamEvent> {
    let text = reply.text.iter().flat_map(|text| split_text(text));
    let mut events: Vec<_> = text.map(StreamEvent::TextDelta).collect();
    for (index, call) in reply.tool_calls.iter().enumerate() {
        events.push(StreamEvent::ToolCallStart {
            index,
            id: call.id.clone(),
            name: call.name.clone(),
        });
        let arguments = split_text(&call.arguments.to_string()).into_iter();
        events.extend(arguments.map(|arguments| StreamEvent::ToolCallDelta { index, arguments }));
    }
    events.extend(reply.usage.clone().map(StreamEvent::Usage));
    events.push(StreamEvent::Done(reply.stop_reason.clone()));
    events
}

/// Splits `text` into pieces of eight characters. The last piece can be shorter. An empty
/// text has no pieces.
pub fn split_text(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let pieces = characters.chunks(8);
    pieces.map(|piece| piece.iter().collect()).collect()
}

/// Locks a mutex, even one that a panic has poisoned: a push or a pop is never half done.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
