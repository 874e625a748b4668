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

/// Converts the blocks of a turn or a reply, without those of unknown types. Signatures and the
/// data of withheld thoughts stay unchanged. If the input of a call is
/// [nested too deeply](exceeds_max_depth), it becomes a string with its JSON.
pub fn unified_blocks(blocks: &[MessagesBlock]) -> Vec<UnifiedContentBlock> {
    blocks.iter().filter_map(unified_block).collect()
}

/// The types of the blocks that [`unified_blocks`] leaves out, in order, except for blocks
/// inside a tool's result.
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
