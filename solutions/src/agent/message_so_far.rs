//! The message so far, in the event of each delta.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::run::partial_reply::{Extent, PartialReply};
use super::{AgentMessage, Message, StopReason, StreamDelta, TurnId};

/// A reply as it was after one delta. It dereferences to an [`AgentMessage`].
///
/// While the reply streams, it shares the text with the loop and with the other events. A copy is made
/// when the message is read for the first time, so events that are not read cost the same
/// however long the reply is.
#[derive(Clone)]
pub struct MessageSoFar(Source);

/// Where the message is.
#[derive(Clone)]
enum Source {
    /// In the reply that streams, up to this extent. The first reader makes the copy.
    Shared {
        reply: Arc<Growing>,
        extent: Extent,
        copy: OnceLock<AgentMessage>,
    },
    /// Here: it comes from JSON.
    Own(AgentMessage),
}

impl MessageSoFar {
    /// Whether the message has a copy of its own: it was read, or it comes from JSON.
    pub fn is_copied(&self) -> bool {
        match &self.0 {
            Source::Shared { copy, .. } => copy.get().is_some(),
            Source::Own(_) => true,
        }
    }
}

impl Deref for MessageSoFar {
    type Target = AgentMessage;

    fn deref(&self) -> &AgentMessage {
        match &self.0 {
            Source::Shared {
                reply,
                extent,
                copy,
            } => copy.get_or_init(|| reply.message(lock(&reply.partial).cut_to(*extent))),
            Source::Own(message) => message,
        }
    }
}

impl From<AgentMessage> for MessageSoFar {
    fn from(message: AgentMessage) -> Self {
        Self(Source::Own(message))
    }
}

impl fmt::Debug for MessageSoFar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl PartialEq for MessageSoFar {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Serialize for MessageSoFar {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for MessageSoFar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        AgentMessage::deserialize(deserializer).map(Self::from)
    }
}

/// A reply that is streaming, and whose events share its text.
pub(in crate::agent) struct SharedReply(Arc<Growing>);

struct Growing {
    partial: Mutex<PartialReply>,
    start_time: u64,
    turn_id: TurnId,
}

impl SharedReply {
    /// An empty reply of a turn, for a request that begins at `start_time`.
    pub fn new(partial: PartialReply, start_time: u64, turn_id: TurnId) -> Self {
        Self(Arc::new(Growing {
            partial: Mutex::new(partial),
            start_time,
            turn_id,
        }))
    }

    /// Adds a delta, as [`PartialReply::push`], and returns the message so far.
    pub fn push(&self, delta: &StreamDelta) -> MessageSoFar {
        let mut partial = lock(&self.0.partial);
        partial.push(delta);
        MessageSoFar(Source::Shared {
            reply: self.0.clone(),
            extent: partial.extent(),
            copy: OnceLock::new(),
        })
    }

    /// The content so far as an assistant message; see [`PartialReply::message`].
    pub fn message(
        &self,
        stop_reason: StopReason,
        error_message: Option<String>,
        timestamp: u64,
    ) -> Message {
        lock(&self.0.partial).message(stop_reason, error_message, timestamp)
    }
}

impl Growing {
    /// The message that `partial` is. The stop reason is unknown while the reply streams, so
    /// `Stop` is a placeholder.
    fn message(&self, partial: PartialReply) -> AgentMessage {
        let message = partial.message(StopReason::Stop, None, self.start_time);
        AgentMessage::from(message).with_turn_id(Some(self.turn_id.clone()))
    }
}

/// Locks the reply, even if a reader has panicked: no reader changes it.
fn lock(partial: &Mutex<PartialReply>) -> MutexGuard<'_, PartialReply> {
    partial.lock().unwrap_or_else(PoisonError::into_inner)
}
