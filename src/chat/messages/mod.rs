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
    todo!("messages-api-both-ways: write to_messages")
}

/// Converts a block for this API. `None` if the API would reject it, such as thinking or a call
/// in a turn that is not the model's, or if only another provider can read it.
pub fn wire_block(role: UnifiedRole, block: &UnifiedContentBlock) -> Option<MessagesBlock> {
    todo!("messages-api-both-ways: write wire_block")
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
