//! Converts messages of the Messages API to chat messages.

use serde_json::Value;

use super::{MessagesBlock, MessagesContent, MessagesInput};
use crate::chat::{
    ChatMessage, ToolResultContent, UnifiedContentBlock, UnifiedMessage, UnifiedRole, from_unified,
};
use crate::provider::exceeds_max_depth;

/// Converts a conversation of this API to chat messages, by [`from_unified`]. The system prompt
/// comes first. Blocks of unknown types are left out; [`skipped_blocks`] lists them.
pub fn from_messages(input: &MessagesInput) -> Vec<ChatMessage> {
    todo!("messages-api-both-ways: write from_messages")
}

/// Converts the blocks of a turn or a reply, without those of unknown types. Signatures and the
/// data of withheld thoughts stay unchanged. If the input of a call is
/// [nested too deeply](exceeds_max_depth), it becomes a string with its JSON.
pub fn unified_blocks(blocks: &[MessagesBlock]) -> Vec<UnifiedContentBlock> {
    blocks.iter().filter_map(unified_block).collect()
}

/// The types of the blocks that [`unified_blocks`] leaves out, in order, except for blocks
/// inside a tool's result.
pub fn skipped_blocks(blocks: &[MessagesBlock]) -> Vec<&str> {
    todo!("messages-api-both-ways: write skipped_blocks")
}

fn unified_block(block: &MessagesBlock) -> Option<UnifiedContentBlock> {
    todo!("messages-api-both-ways: write unified_block")
}
