//! The two steps of the loop: one request to the model, and the results of its calls.

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::{OpenReply, QueryEngine, QueryError, QueryEvent, QueryEventSender, make_ids_unique};
use crate::provider::{ProviderError, StreamEvent};
use crate::types::{AssistantMessage, Message, StopReason, ToolDefinition};

/// How many stream events of a reply may wait for a slow reader.
const STREAM_CAPACITY: usize = 64;

impl QueryEngine {
    /// The definitions of all tools, sorted by name. Every request sends the same list,
    /// because a prompt cache needs a prefix that is the same byte for byte.
    pub fn definitions(&self) -> Vec<&ToolDefinition> {
        todo!("model-request: write QueryEngine::definitions")
    }

    /// Sends the history to the model and returns its reply. Each piece of text is sent as
    /// an event as soon as it arrives, and appended to `shown` once it is sent. After the
    /// reply, its usage is sent once, if it has one.
    pub async fn stream_reply(
        &self,
        history: &[Message],
        events: &QueryEventSender,
        shown: &mut String,
    ) -> Result<AssistantMessage, ProviderError> {
        todo!("model-request: write QueryEngine::stream_reply")
    }

    /// One request that can be cancelled at any moment. The calls of the reply have unique
    /// ids. The reply is not in the history yet.
    ///
    /// An error leaves the history as it is. A cancel appends the text that was shown, if
    /// any, as a reply without calls: the user has read it and may refer to it.
    pub async fn ask_model(
        &self,
        history: &mut Vec<Message>,
        events: &QueryEventSender,
        cancel: &CancellationToken,
    ) -> Result<AssistantMessage, QueryError> {
        todo!("cancellation: write QueryEngine::ask_model")
    }

    /// Runs the calls of a reply. Appends the reply to the history, and after it one result
    /// for each call, including the calls that a cancel leaves unfinished.
    pub async fn answer_calls(
        &self,
        reply: AssistantMessage,
        history: &mut Vec<Message>,
        events: &QueryEventSender,
        cancel: &CancellationToken,
    ) -> Result<(), QueryError> {
        todo!("cancellation: write QueryEngine::answer_calls")
    }
}
