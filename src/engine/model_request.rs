//! The two halves of a round: one request to the model, and the answers to its calls.

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::{Events, OpenReply, QueryEngine, QueryError, QueryEvent, unique_ids};
use crate::provider::{ProviderError, StreamEvent};
use crate::types::{AssistantMessage, Message, StopReason, ToolDefinition};

/// How many pieces of a reply may wait for a reader who is behind.
const PIECES: usize = 64;

impl QueryEngine {
    /// The tools that the model is told of, by name: the same list with every request,
    /// since a prompt cache holds only what is repeated byte for byte.
    pub fn definitions(&self) -> Vec<&ToolDefinition> {
        todo!("4.9: write QueryEngine::definitions")
    }

    /// Sends the history to the model and passes its text on as it arrives, to the
    /// reader and to the end of `shown`. Tells the reader what the reply cost, if it says.
    pub async fn request(
        &self,
        history: &[Message],
        events: &Events,
        shown: &mut String,
    ) -> Result<AssistantMessage, ProviderError> {
        todo!("4.9: write QueryEngine::request")
    }

    /// One request that can be cancelled at any moment. A reply's calls have ids of
    /// their own.
    ///
    /// An error leaves the history as it is. A cancel appends the text that was shown,
    /// if any, as a reply without calls: the user has read it and may refer to it.
    pub async fn ask(
        &self,
        history: &mut Vec<Message>,
        events: &Events,
        cancel: &CancellationToken,
    ) -> Result<AssistantMessage, QueryError> {
        todo!("4.10: write QueryEngine::ask")
    }

    /// Puts a reply into the history and behind it a result for each of its calls, also
    /// for those that a cancel leaves unfinished.
    pub async fn answer(
        &self,
        reply: AssistantMessage,
        history: &mut Vec<Message>,
        events: &Events,
        cancel: &CancellationToken,
    ) -> Result<(), QueryError> {
        todo!("4.10: write QueryEngine::answer")
    }
}
