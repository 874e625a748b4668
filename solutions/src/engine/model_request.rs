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
        let mut definitions = self.dispatcher.tools.definitions();
        definitions.sort_by_key(|definition| definition.name);
        definitions
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
        let (sender, mut stream) = mpsc::channel(STREAM_CAPACITY);
        let definitions = self.definitions();
        // `move` drops the sender when the reply is complete, which closes the channel.
        let request = async move { self.provider.stream(history, &definitions, &sender).await };
        let forward = async {
            while let Some(event) = stream.recv().await {
                if let StreamEvent::TextDelta(text) = event {
                    events.send(QueryEvent::Text(text.clone())).await;
                    shown.push_str(&text);
                }
            }
        };
        let (reply, ()) = tokio::join!(request, forward);
        if let Ok(AssistantMessage {
            usage: Some(usage), ..
        }) = &reply
        {
            events.send(QueryEvent::Usage(usage.clone())).await;
        }
        reply
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
        let mut shown = String::new();
        let request = self.stream_reply(history, events, &mut shown);
        match cancel.run_until_cancelled(request).await {
            Some(reply) => {
                let mut reply = reply?;
                make_ids_unique(&mut reply.tool_calls);
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

    /// Runs the calls of a reply. Appends the reply to the history, and after it one result
    /// for each call, including the calls that a cancel leaves unfinished.
    pub async fn answer_calls(
        &self,
        reply: AssistantMessage,
        history: &mut Vec<Message>,
        events: &QueryEventSender,
        cancel: &CancellationToken,
    ) -> Result<(), QueryError> {
        let limit = self.dispatcher.max_result_bytes;
        let mut open = OpenReply::new(history, reply, limit, events);
        let dispatch = self.dispatcher.dispatch(&mut open.calls, events);
        let finished = cancel.run_until_cancelled(dispatch).await;
        finished.ok_or(QueryError::Cancelled)
    }
}
