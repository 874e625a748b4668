//! One message: from flat fields to blocks, and back.

use anyhow::{Result, bail};
use serde_json::Value;

use super::{ChatMessage, Role, ToolCall, ToolResultContent, UnifiedContentBlock};
use crate::chat::text_of_json;

impl ChatMessage {
    /// The message as blocks.
    ///
    /// `raw_content_blocks` takes precedence: where there are any, they are the answer,
    /// whatever the other fields say. An empty list counts as none. Otherwise `reasoning`
    /// (unless it is empty), `content` and each of `tool_calls` make one block, in this
    /// order.
    ///
    /// A `Tool` message is one `tool_result` block with its `content`, marked as an error
    /// if `tool_metadata` says that the run failed. Raw blocks without a `tool_result` go
    /// inside it, and with one they are the answer, as on any other message. It is an error
    /// if there is no `tool_call_id` to make the block with, or an empty one.
    pub fn to_blocks(&self) -> Result<Vec<UnifiedContentBlock>> {
        todo!("18.7: write ChatMessage::to_blocks")
    }

    fn flat_blocks(&self) -> Vec<UnifiedContentBlock> {
        todo!("18.7: write ChatMessage::flat_blocks")
    }

    fn result_block(&self, raw: &[UnifiedContentBlock]) -> Result<UnifiedContentBlock> {
        todo!("18.8: write ChatMessage::result_block")
    }

    /// A message of these blocks, whose flat fields show what is in them:
    ///
    /// - `content` is the text blocks, joined with a newline; on a `Tool` message also the
    ///   text in its `tool_result` blocks;
    /// - `reasoning` is the thinking blocks, joined likewise, without those that are
    ///   redacted or empty;
    /// - `tool_calls` is the `tool_use` blocks, with their input as compact JSON;
    /// - `tool_call_id`, on a `Tool` message, is that of its first `tool_result` block.
    ///
    /// A field for which there is no block is `None`. `raw_content_blocks` keeps the blocks
    /// exactly when the flat fields alone would not make the same ones again.
    pub fn from_blocks(role: Role, blocks: Vec<UnifiedContentBlock>) -> Self {
        todo!("18.9: write ChatMessage::from_blocks")
    }

    /// Adds to the flat fields what they can show of `block`.
    fn show(&mut self, block: &UnifiedContentBlock) {
        todo!("18.9: write ChatMessage::show")
    }
}

/// Whether `block` answers a call.
pub(super) fn is_tool_result(block: &UnifiedContentBlock) -> bool {
    matches!(block.known(), Some(UnifiedContentBlock::ToolResult { .. }))
}

fn text_of(block: &UnifiedContentBlock) -> Option<&str> {
    match block.known()? {
        UnifiedContentBlock::Text { text } => Some(text),
        _ => None,
    }
}

fn add_line(to: &mut Option<String>, text: &str) {
    match to {
        Some(before) => {
            before.push('\n');
            before.push_str(text);
        }
        None => *to = Some(text.to_string()),
    }
}

/// The call as a block. Nothing but white space is an empty object, as in
/// [`parse_arguments`](super::ToolCallFunction::parse_arguments); other arguments that are no
/// JSON object stay what they are: a string.
pub(super) fn call_block(call: &ToolCall) -> UnifiedContentBlock {
    todo!("18.7: write call_block")
}

/// The other way: a string is what the model wrote, to the letter.
pub(super) fn arguments(input: &Value) -> String {
    todo!("18.9: write arguments")
}
