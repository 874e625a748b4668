//! One request to the model, and the events of its streamed reply.

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::agent::run::panic_guard::{ScopedReceiver, catch_panic};
use crate::agent::{
    AgentEvent, AgentLoop, AgentMessage, Content, EventSink, Message, ModelRequest, PartialReply,
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
    /// connection, it holds what had arrived, the stop reason and, for the last two, the
    /// error message. The reply has the time at which it ended, and its calls have unique
    /// ids.
    pub async fn ask(&mut self) -> Message {
        todo!("one-model-request: write AgentLoop::ask")
    }
}

/// Sends the events of one streamed reply.
struct ReplyEvents<'a> {
    partial: PartialReply,
    is_started: bool,
    start_time: u64,
    turn_id: TurnId,
    sink: &'a mut EventSink,
}

impl ReplyEvents<'_> {
    /// Sends `MessageStart` with `message` if it has not been sent.
    async fn start(&mut self, message: &Message) {
        todo!("one-model-request: write ReplyEvents::start")
    }

    /// Adds a delta to the reply and sends it.
    async fn push(&mut self, delta: StreamDelta) {
        todo!("one-model-request: write ReplyEvents::push")
    }

    fn agent_message(&self, message: Message) -> AgentMessage {
        AgentMessage::from(message).with_turn_id(Some(self.turn_id.clone()))
    }
}

/// The reply as the history keeps it: with the time at which it ended, and a unique id for
/// each call. `None` if the message is not an assistant message.
fn finish_reply(mut reply: Message, now: u64) -> Option<Message> {
    todo!("one-model-request: write finish_reply")
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
