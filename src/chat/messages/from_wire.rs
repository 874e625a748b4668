//! From the Messages API back to chat messages.

use serde_json::Value;

use super::{MessagesBlock, MessagesContent, MessagesInput};
use crate::chat::{
    ChatMessage, ToolResultContent, UnifiedContentBlock, UnifiedMessage, UnifiedRole, from_unified,
};
use crate::provider::exceeds_max_depth;

/// A conversation of this API as chat messages, made by [`from_unified`]; the system prompt
/// is the first. Blocks of other types are left out: [`skipped_blocks`] tells which.
pub fn from_messages(input: &MessagesInput) -> Vec<ChatMessage> {
    todo!("19.4: write from_messages")
}

/// The blocks of a turn or of a reply, those of other types left out. Thoughts keep their
/// signature, and withheld ones their data, to the byte. The input of a call that
/// [is too deep](exceeds_max_depth) is kept as text.
pub fn unified_blocks(blocks: &[MessagesBlock]) -> Vec<UnifiedContentBlock> {
    blocks.iter().filter_map(unified_block).collect()
}

/// The types of the blocks that [`unified_blocks`] leaves out, in their order. Those inside
/// a tool's result do not count.
pub fn skipped_blocks(blocks: &[MessagesBlock]) -> Vec<&str> {
    todo!("19.4: write skipped_blocks")
}

fn unified_block(block: &MessagesBlock) -> Option<UnifiedContentBlock> {
    todo!("19.4: write unified_block")
}
