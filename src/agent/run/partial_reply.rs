//! A reply that is still streaming.

use crate::agent::{Content, Message, StopReason, StreamDelta, Usage};

/// The content of a reply that has arrived so far.
#[derive(Debug, Clone, PartialEq)]
pub struct PartialReply {
    model: String,
    provider: String,
    content: Vec<Content>,
}

impl PartialReply {
    /// An empty reply.
    pub fn new(provider: &str, model: &str) -> Self {
        Self {
            model: model.to_string(),
            provider: provider.to_string(),
            content: Vec::new(),
        }
    }

    /// Adds a delta: to the last block if that has the same kind, otherwise as a new block.
    /// Deltas of a call's arguments add nothing, because an incomplete call must not be kept.
    pub fn push(&mut self, delta: &StreamDelta) {
        todo!("partial-replies: write PartialReply::push")
    }

    /// The content so far as an assistant message.
    pub fn message(
        &self,
        stop_reason: StopReason,
        error_message: Option<String>,
        timestamp: u64,
    ) -> Message {
        todo!("partial-replies: write PartialReply::message")
    }
}
