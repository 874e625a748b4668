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
        match (delta, self.content.last_mut()) {
            (StreamDelta::Text { delta }, Some(Content::Text { text })) => text.push_str(delta),
            (StreamDelta::Thinking { delta }, Some(Content::Thinking { thinking, .. })) => {
                thinking.push_str(delta);
            }
            (StreamDelta::Text { delta }, _) => self.content.push(Content::Text {
                text: delta.clone(),
            }),
            (StreamDelta::Thinking { delta }, _) => self.content.push(Content::Thinking {
                thinking: delta.clone(),
                signature: None,
            }),
            (StreamDelta::ToolCallDelta { .. }, _) => {}
        }
    }

    /// The content so far as an assistant message.
    pub fn message(
        &self,
        stop_reason: StopReason,
        error_message: Option<String>,
        timestamp: u64,
    ) -> Message {
        Message::Assistant {
            content: self.content.clone(),
            stop_reason,
            model: self.model.clone(),
            provider: self.provider.clone(),
            usage: Usage::default(),
            timestamp,
            error_message,
        }
    }
}
