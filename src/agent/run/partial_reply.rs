//! A reply that is still being written.

use crate::agent::{Content, Message, StopReason, StreamDelta, Usage};

/// What there is of a reply so far.
#[derive(Debug, Clone, PartialEq)]
pub struct PartialReply {
    model: String,
    provider: String,
    content: Vec<Content>,
}

impl PartialReply {
    /// A reply of which nothing has come.
    pub fn new(provider: &str, model: &str) -> Self {
        Self {
            model: model.to_string(),
            provider: provider.to_string(),
            content: Vec::new(),
        }
    }

    /// Takes in the next piece: it goes to the end of the last block if that is of its
    /// kind, and into a new block otherwise. Pieces of a call's arguments are for the
    /// screen only, since a call that is not whole is no call.
    pub fn push(&mut self, delta: &StreamDelta) {
        todo!("16.3: write PartialReply::push")
    }

    /// The message that it makes if nothing more comes: what has come, for this reason.
    pub fn message(
        &self,
        stop_reason: StopReason,
        error_message: Option<String>,
        timestamp: u64,
    ) -> Message {
        todo!("16.3: write PartialReply::message")
    }
}
