//! A reply that is still streaming.

use crate::agent::{Content, Message, StopReason, StreamDelta, Usage};

/// The content of a reply that has arrived so far.
#[derive(Debug, Clone, PartialEq)]
pub struct PartialReply {
    model: String,
    provider: String,
    content: Vec<Content>,
}

/// How much of a reply has arrived. A reply only grows, so this identifies an earlier state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::agent) struct Extent {
    blocks: usize,
    /// The bytes of the last block.
    bytes: usize,
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

    /// How much has arrived so far.
    pub(in crate::agent) fn extent(&self) -> Extent {
        let bytes = match self.content.last() {
            Some(Content::Text { text: last } | Content::Thinking { thinking: last, .. }) => {
                last.len()
            }
            _ => 0,
        };
        Extent {
            blocks: self.content.len(),
            bytes,
        }
    }

    /// A copy of the reply as it was when it had this extent.
    pub(in crate::agent) fn cut_to(&self, extent: Extent) -> Self {
        let mut content = self.content[..extent.blocks].to_vec();
        if let Some(Content::Text { text: last } | Content::Thinking { thinking: last, .. }) =
            content.last_mut()
        {
            last.truncate(extent.bytes);
        }
        Self {
            model: self.model.clone(),
            provider: self.provider.clone(),
            content,
        }
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
