//! Conversion to and from the Messages API.

mod block;
mod from_wire;

pub use block::*;
pub use from_wire::*;

use anyhow::Result;
use serde_json::{Value, json};

use super::{ChatMessage, ToolResultContent, UnifiedContentBlock, UnifiedRole, to_unified};
use crate::chat::shared::as_text;
use crate::chat::text_of_json;

/// The field that holds arguments which are not a JSON object.
pub const RAW_ARGUMENTS: &str = "raw_arguments";

/// Converts a conversation for this API: its [unified messages](to_unified), each block by
/// [`wire_block`].
///
/// All instructions move to the front. In a user's turn, the results come first. Blank text,
/// empty turns and thinking at the end of a turn are left out, because the API rejects them.
///
/// | part of a message | in the request |
/// | --- | --- |
/// | `role` | `system` and `developer` as the system prompt, `tool` as `user` |
/// | `name`, `timestamp`, `id`, `status` | no |
/// | `tool_call_id` | yes |
/// | `content` | yes, unless it is blank |
/// | `tool_calls` | yes; arguments that are not an object are wrapped in one, as [`RAW_ARGUMENTS`] |
/// | `reasoning` | no: it has no signature |
/// | `raw_content_blocks` | text, calls and results; images without `detail`, and documents; outside a user's turn, a text document as its text and the others as notes; thinking with a `signature`, or redacted with `encrypted_content`, without its `id`; calls and thinking only of an assistant |
/// | `tool_metadata` | a failed run: `is_error` |
pub fn to_messages(messages: &[ChatMessage]) -> Result<MessagesInput> {
    todo!("messages-turns: write to_messages")
}

/// The turn with these blocks: in a user's turn results first, the other blocks in their order,
/// and no thinking at the end. `None` if no block is left.
fn turn(role: UnifiedRole, mut blocks: Vec<MessagesBlock>) -> Option<MessagesTurn> {
    todo!("messages-turns: write turn")
}

/// Converts a block for this API. `None` if the API would reject it, such as thinking or a call
/// in a turn that is not the model's, or if only another provider can read it.
///
/// Of the model's thinking, a redacted block becomes `redacted_thinking` with its
/// `encrypted_content` as `data`. Any other needs a `signature` that is not empty. Text, signature
/// and data stay unchanged to the last byte. A call's input is an object (`input_object`). The
/// other blocks become what `shown_or_result` or `text_block` makes of them.
pub fn wire_block(role: UnifiedRole, block: &UnifiedContentBlock) -> Option<MessagesBlock> {
    todo!("messages-blocks: write wire_block")
}

/// A call's arguments as an object: an object unchanged, and any other value as
/// [`RAW_ARGUMENTS`] of one.
fn input_object(input: &Value) -> Value {
    todo!("messages-blocks: write input_object")
}

/// An image or a document in a user's turn, or a tool's result; `None` for any other block.
fn shown_or_result(role: UnifiedRole, block: &UnifiedContentBlock) -> Option<MessagesBlock> {
    Some(match block {
        UnifiedContentBlock::Image { source, .. } if role == UnifiedRole::User => {
            MessagesBlock::Image {
                source: source.clone(),
            }
        }
        UnifiedContentBlock::Document { source, title } if role == UnifiedRole::User => {
            MessagesBlock::Document {
                source: source.clone().into(),
                title: title.clone(),
            }
        }
        UnifiedContentBlock::ToolResult {
            tool_use_id,
            content,
            is_error,
        } => MessagesBlock::ToolResult {
            tool_use_id: tool_use_id.clone(),
            content: match content {
                ToolResultContent::Text(text) => MessagesContent::Text(text.clone()),
                ToolResultContent::Json(json) => MessagesContent::Text(text_of_json(json)),
                ToolResultContent::Blocks(blocks) => {
                    let blocks = blocks.iter();
                    MessagesContent::List(blocks.filter_map(|it| wire_block(role, it)).collect())
                }
            },
            is_error: *is_error,
        },
        _ => return None,
    })
}

/// A block as text, or the [note](as_text) that replaces it. `None` if the text is blank.
fn text_block(block: &UnifiedContentBlock) -> Option<MessagesBlock> {
    let text = as_text(block).filter(|text| !text.trim().is_empty())?;
    Some(MessagesBlock::Text { text })
}

fn is_result(block: &MessagesBlock) -> bool {
    matches!(block, MessagesBlock::ToolResult { .. })
}

fn is_thought(block: &MessagesBlock) -> bool {
    matches!(
        block,
        MessagesBlock::Thinking { .. } | MessagesBlock::RedactedThinking { .. }
    )
}
