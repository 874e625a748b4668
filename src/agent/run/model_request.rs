//! One request to the model, and the events of its streamed reply.

use crate::agent::message_so_far::SharedReply;
use crate::agent::run::panic_guard::{ScopedReceiver, catch_panic};
use crate::agent::{
    AgentEvent, AgentLoop, AgentMessage, Content, EventSink, LanguageModel, Message, PartialReply,
    StopReason, StreamDelta, TurnId,
};
use crate::provider::{ProviderError, unique_call_id};

/// How many deltas may wait for a slow reader.
const DELTAS: usize = 64;

impl AgentLoop {
    /// Asks the model, sends `MessageStart` and a `MessageUpdate` per delta, and returns the
    /// reply. It does not send `MessageEnd` and does not change the history.
    ///
    /// There is a reply in every case. After an abort, an error or a panic of the model's
    /// connection, or a message that is not an assistant message, it holds what had arrived,
    /// the stop reason and, except after an abort, the error message. The reply has the time
    /// at which it ended, and its calls have unique ids.
    pub async fn ask(&mut self) -> Message {
        todo!("one-model-request: write AgentLoop::ask")
    }
}

/// The reply that is streaming, and its events.
struct ReplyEvents<'a> {
    /// What has arrived.
    partial: SharedReply,
    /// Whether `MessageStart` was sent.
    is_started: bool,
    /// When the request began.
    start_time: u64,
    turn_id: TurnId,
    sink: &'a mut EventSink,
}

impl<'a> ReplyEvents<'a> {
    /// For a request to `model` that begins now.
    fn new(
        turn_id: TurnId,
        model: &dyn LanguageModel,
        start_time: u64,
        sink: &'a mut EventSink,
    ) -> Self {
        let empty = PartialReply::new(model.provider(), model.model());
        Self {
            partial: SharedReply::new(empty, start_time, turn_id.clone()),
            is_started: false,
            start_time,
            turn_id,
            sink,
        }
    }

    /// Pushes every delta until the request is done.
    async fn push_all(&mut self, deltas: &mut ScopedReceiver<StreamDelta>) {
        while let Some(delta) = deltas.next().await {
            self.push(delta).await;
        }
    }

    /// Sends `MessageStart` with `message` if it has not been sent.
    async fn start(&mut self, message: &Message) {
        todo!("one-model-request: write ReplyEvents::start")
    }

    /// Adds a delta to the reply and sends it as a `MessageUpdate` with the message so far.
    /// Before the first delta it sends `MessageStart`, with the message without that delta.
    /// Later deltas copy no earlier text.
    async fn push(&mut self, delta: StreamDelta) {
        todo!("one-model-request: write ReplyEvents::push")
    }

    /// The message so far. The stop reason is unknown while the reply streams, so `Stop` is a
    /// placeholder.
    fn message_so_far(&self) -> Message {
        self.partial
            .message(StopReason::Stop, None, self.start_time)
    }

    /// The message with this turn's id.
    fn agent_message(&self, message: Message) -> AgentMessage {
        AgentMessage::from(message).with_turn_id(Some(self.turn_id.clone()))
    }
}

/// The reply as the history keeps it: with the time at which it ended, and a unique id for
/// each call. `None` if the message is not an assistant message.
fn finish_reply(mut reply: Message, now: u64) -> Option<Message> {
    let Message::Assistant {
        content, timestamp, ..
    } = &mut reply
    else {
        return None;
    };
    *timestamp = now;
    let mut taken: Vec<String> = Vec::new();
    for block in content {
        let known = match block {
            Content::Other(block) => block.known.as_deref_mut(),
            block => Some(block),
        };
        if let Some(Content::ToolCall { id, .. }) = known {
            *id = unique_call_id(id, taken.iter().map(String::as_str));
            taken.push(id.clone());
        }
    }
    Some(reply)
}

/// The reply for a provider's error. The error message of a context overflow is one that
/// [`Message::is_context_overflow`] recognizes, whatever text the server sent.
fn error_reply(error: &ProviderError, failed: impl Fn(String) -> Message) -> Message {
    let reply = failed(error.to_string());
    match error {
        ProviderError::ContextOverflow(_) if !reply.is_context_overflow() => {
            failed(format!("context length exceeded: {error}"))
        }
        _ => reply,
    }
}
