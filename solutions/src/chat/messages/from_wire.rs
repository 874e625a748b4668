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
    let mut unified = Vec::with_capacity(input.messages.len() + 1);
    if !input.system.is_empty() {
        unified.push(UnifiedMessage {
            role: UnifiedRole::System,
            content: unified_blocks(&input.system),
        });
    }
    unified.extend(input.messages.iter().map(|turn| UnifiedMessage {
        role: turn.role,
        content: match &turn.content {
            MessagesContent::Text(text) => vec![UnifiedContentBlock::Text { text: text.clone() }],
            MessagesContent::List(blocks) => unified_blocks(blocks),
        },
    }));
    from_unified(&unified)
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
    let others = blocks.iter().filter_map(|block| match block {
        MessagesBlock::Other(block) => Some(block["type"].as_str().unwrap_or("no type")),
        _ => None,
    });
    others.collect()
}

fn unified_block(block: &MessagesBlock) -> Option<UnifiedContentBlock> {
    Some(match block {
        MessagesBlock::Text { text } => UnifiedContentBlock::Text { text: text.clone() },
        MessagesBlock::Image { source } => UnifiedContentBlock::Image {
            source: source.clone(),
            detail: None,
        },
        MessagesBlock::Document { source, title } => UnifiedContentBlock::Document {
            source: source.clone().into(),
            title: title.clone(),
        },
        MessagesBlock::Thinking {
            thinking,
            signature,
        } => UnifiedContentBlock::Thinking {
            thinking: thinking.clone(),
            signature: Some(signature.clone()),
            encrypted_content: None,
            id: None,
            redacted: false,
        },
        MessagesBlock::RedactedThinking { data } => UnifiedContentBlock::Thinking {
            thinking: String::new(),
            signature: None,
            encrypted_content: Some(data.clone()),
            id: None,
            redacted: true,
        },
        MessagesBlock::ToolUse { id, name, input } => UnifiedContentBlock::ToolUse {
            id: id.clone(),
            name: name.clone(),
            input: match exceeds_max_depth(input) {
                true => Value::String(input.to_string()),
                false => input.clone(),
            },
        },
        MessagesBlock::ToolResult {
            tool_use_id,
            content,
            is_error,
        } => UnifiedContentBlock::ToolResult {
            tool_use_id: tool_use_id.clone(),
            content: match content {
                MessagesContent::Text(text) => ToolResultContent::Text(text.clone()),
                MessagesContent::List(blocks) => ToolResultContent::Blocks(unified_blocks(blocks)),
            },
            is_error: *is_error,
        },
        MessagesBlock::Other(_) => return None,
    })
}
