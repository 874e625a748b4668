//! Converts one message between flat fields and blocks.

use anyhow::{Result, bail};
use serde_json::Value;

use super::{ChatMessage, Role, ToolCall, ToolResultContent, UnifiedContentBlock};
use crate::chat::text_of_json;

impl ChatMessage {
    /// The message as blocks.
    ///
    /// On a message that is not a `Tool` message, `raw_content_blocks` are returned if there are
    /// any, and the other fields are ignored. If there are none, `reasoning` (unless it is
    /// empty), `content` and each of `tool_calls` become one block, in this order.
    ///
    /// A `Tool` message becomes one `tool_result` block with its `content`, marked as an error
    /// if `tool_metadata` says that the run failed. If it has raw blocks without a
    /// `tool_result`, they become the content of that block. Raw blocks with a `tool_result`
    /// are returned as they are. It is an error if the block needs a `tool_call_id` and the
    /// message has none or an empty one.
    pub fn to_blocks(&self) -> Result<Vec<UnifiedContentBlock>> {
        todo!("from-flat-fields-to-blocks: write ChatMessage::to_blocks")
    }

    /// The blocks of `reasoning`, `content` and `tool_calls`.
    fn flat_blocks(&self) -> Vec<UnifiedContentBlock> {
        todo!("from-flat-fields-to-blocks: write ChatMessage::flat_blocks")
    }

    /// A `Tool` message as one `tool_result`. `raw` is its content if it is not empty. An error if
    /// there is no `tool_call_id`.
    fn result_block(&self, raw: &[UnifiedContentBlock]) -> Result<UnifiedContentBlock> {
        todo!("from-chat-to-unified-messages: write ChatMessage::result_block")
    }

    /// A message with these blocks. Its flat fields are:
    ///
    /// - `content`: the text blocks, joined by newlines; on a `Tool` message also the text of
    ///   its `tool_result` blocks;
    /// - `reasoning`: the thinking blocks, joined by newlines, without redacted and empty ones;
    /// - `tool_calls`: the `tool_use` blocks, with their input as compact JSON;
    /// - `tool_call_id`, on a `Tool` message: that of its first `tool_result` block.
    ///
    /// A field without a block is `None`. `raw_content_blocks` holds the blocks only if
    /// [`to_blocks`](Self::to_blocks) could not restore them from the flat fields.
    pub fn from_blocks(role: Role, blocks: Vec<UnifiedContentBlock>) -> Self {
        todo!("from-blocks-to-flat-fields: write ChatMessage::from_blocks")
    }

    /// Adds to the flat fields the parts of `block` that they can hold. Unknown fields of the
    /// block are ignored.
    fn show(&mut self, block: &UnifiedContentBlock) {
        todo!("from-blocks-to-flat-fields: write ChatMessage::show")
    }
}

/// Whether `block` is the result of a call.
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

/// The call as a block. Its input is the arguments, parsed by
/// [`parse_arguments`](super::ToolCallFunction::parse_arguments), or a string with the
/// arguments if that fails.
pub(super) fn call_block(call: &ToolCall) -> UnifiedContentBlock {
    todo!("from-flat-fields-to-blocks: write call_block")
}

/// The arguments of a call with this input: the text of a string, which is what the model
/// wrote, otherwise compact JSON.
pub(super) fn arguments(input: &Value) -> String {
    todo!("from-blocks-to-flat-fields: write arguments")
}
