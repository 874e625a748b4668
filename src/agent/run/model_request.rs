//! One request to the model, and the reply as it grows.

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::agent::run::panic_guard::{News, caught};
use crate::agent::{
    AgentEvent, AgentLoop, AgentMessage, Content, EventSink, Message, ModelRequest, PartialReply,
    StopReason, StreamDelta, TurnId,
};
use crate::provider::{ProviderError, unique_call_id};

/// How many pieces of a reply may wait for a reader who is behind.
const PIECES: usize = 64;

impl AgentLoop {
    /// Asks the model, tells of its reply as it grows, up to but not including its end, and
    /// returns it. The history is not changed.
    ///
    /// There is a reply in any case. What had come before an abort, an error or a panic of
    /// the model's connection is kept, with the reason to stop that fits and, for the last
    /// two, what went wrong. A reply has the time at which it ended, and its calls have
    /// ids of their own.
    pub async fn ask(&mut self) -> Message {
        todo!("16.8: write AgentLoop::ask")
    }
}

/// A reply on its way to the reader.
struct Growing<'a> {
    partial: PartialReply,
    is_told: bool,
    began: u64,
    turn_id: TurnId,
    sink: &'a mut EventSink,
}

impl Growing<'_> {
    /// Tells the start of a reply with `message`, if it was not told yet.
    async fn begin(&mut self, message: &Message) {
        todo!("16.8: write Growing::begin")
    }

    /// Takes in a piece and tells of it.
    async fn grow(&mut self, delta: StreamDelta) {
        todo!("16.8: write Growing::grow")
    }

    fn entry(&self, message: Message) -> AgentMessage {
        AgentMessage::from(message).with_turn_id(Some(self.turn_id.clone()))
    }
}

/// A model's reply as the history gets it: with the time at which it ended, and an id of
/// its own for each call. `None` for a message that is no reply.
fn own(mut reply: Message, now: u64) -> Option<Message> {
    todo!("16.8: write own")
}

/// The reply that a provider's error leaves, so that [`Message::is_context_overflow`] finds
/// an overflow whatever words the server had for it.
fn failure(error: &ProviderError, failed: impl Fn(String) -> Message) -> Message {
    let reply = failed(error.to_string());
    match error {
        ProviderError::ContextOverflow(_) if !reply.is_context_overflow() => {
            failed(format!("context length exceeded: {error}"))
        }
        _ => reply,
    }
}
