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
/// | `raw_content_blocks` | text, calls and results; images without `detail`, and documents; outside a user's turn, a text document as its text and the others as notes; thinking with a `signature`, or withheld with `encrypted_content`, without its `id`; calls and thinking only of an assistant |
/// | `tool_metadata` | a failed run: `is_error` |
pub fn to_messages(messages: &[ChatMessage]) -> Result<MessagesInput> {
    let mut input = MessagesInput::default();
    for message in to_unified(messages)? {
        let role = message.role;
        let blocks = message.content.iter();
        let mut blocks: Vec<MessagesBlock> =
            blocks.filter_map(|block| wire_block(role, block)).collect();
        match role {
            UnifiedRole::System => {
                input.system.extend(blocks);
                continue;
            }
            UnifiedRole::User => blocks.sort_by_key(|block| !is_result(block)),
            UnifiedRole::Assistant => {
                while blocks.last().is_some_and(is_thought) {
                    blocks.pop();
                }
            }
        }
        if !blocks.is_empty() {
            input.messages.push(MessagesTurn {
                role,
                content: MessagesContent::List(blocks),
            });
        }
    }
    Ok(input)
}

/// Converts a block for this API. `None` if the API would reject it, such as thinking or a call
/// in a turn that is not the model's, or if only another provider can read it.
pub fn wire_block(role: UnifiedRole, block: &UnifiedContentBlock) -> Option<MessagesBlock> {
    let is_model = role == UnifiedRole::Assistant;
    Some(match block.known()? {
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
        UnifiedContentBlock::ToolUse { id, name, input } if is_model => MessagesBlock::ToolUse {
            id: id.clone(),
            name: name.clone(),
            input: match input {
                Value::Object(_) => input.clone(),
                other => json!({ RAW_ARGUMENTS: other }),
            },
        },
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
        UnifiedContentBlock::Thinking {
            encrypted_content,
            redacted: true,
            ..
        } if is_model => MessagesBlock::RedactedThinking {
            data: encrypted_content.clone()?,
        },
        UnifiedContentBlock::Thinking {
            thinking,
            signature,
            ..
        } if is_model => MessagesBlock::Thinking {
            thinking: thinking.clone(),
            signature: signature.clone().filter(|it| !it.is_empty())?,
        },
        other => MessagesBlock::Text {
            text: as_text(other).filter(|text| !text.trim().is_empty())?,
        },
    })
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
