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
/// data of redacted thoughts stay unchanged. If the input of a call is
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
        } => thinking_block(thinking, Some(signature), None),
        MessagesBlock::RedactedThinking { data } => thinking_block("", None, Some(data)),
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

/// A thinking block without an id. With `data`, it is redacted, and the data is its encrypted
/// content.
fn thinking_block(
    thinking: &str,
    signature: Option<&String>,
    data: Option<&String>,
) -> UnifiedContentBlock {
    UnifiedContentBlock::Thinking {
        thinking: thinking.to_string(),
        signature: signature.cloned(),
        encrypted_content: data.cloned(),
        id: None,
        redacted: data.is_some(),
    }
}
