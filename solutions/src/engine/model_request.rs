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
        let mut definitions = self.dispatcher.tools.definitions();
        definitions.sort_by_key(|definition| definition.name);
        definitions
    }

    /// Sends the history to the model and passes its text on as it arrives, to the
    /// reader and to the end of `shown`. Tells the reader what the reply cost, if it says.
    pub async fn request(
        &self,
        history: &[Message],
        events: &Events,
        shown: &mut String,
    ) -> Result<AssistantMessage, ProviderError> {
        let (sender, mut pieces) = mpsc::channel(PIECES);
        let definitions = self.definitions();
        // `move` takes the sender along, so that the channel closes with the reply.
        let asking = async move { self.provider.stream(history, &definitions, &sender).await };
        let showing = async {
            while let Some(piece) = pieces.recv().await {
                if let StreamEvent::TextDelta(text) = piece {
                    shown.push_str(&text);
                    events.send(QueryEvent::Text(text)).await;
                }
            }
        };
        let (reply, ()) = tokio::join!(asking, showing);
        if let Ok(AssistantMessage {
            usage: Some(usage), ..
        }) = &reply
        {
            events.send(QueryEvent::Usage(usage.clone())).await;
        }
        reply
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
        let mut shown = String::new();
        let request = self.request(history, events, &mut shown);
        match cancel.run_until_cancelled(request).await {
            Some(reply) => {
                let mut reply = reply?;
                unique_ids(&mut reply.tool_calls);
                Ok(reply)
            }
            None => {
                if !shown.is_empty() {
                    history.push(Message::assistant(
                        Some(shown),
                        Vec::new(),
                        StopReason::Stop,
                        None,
                    ));
                }
                Err(QueryError::Cancelled)
            }
        }
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
        let limit = self.dispatcher.max_result_bytes;
        let mut open = OpenReply::new(history, reply, limit, events);
        let dispatch = self.dispatcher.dispatch(&mut open.calls, events);
        let finished = cancel.run_until_cancelled(dispatch).await;
        finished.ok_or(QueryError::Cancelled)
    }
}
