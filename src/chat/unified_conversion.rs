//! Converts a conversation between chat messages and unified messages.

use anyhow::{Result, anyhow};

use super::{ChatMessage, Role, UnifiedMessage, UnifiedRole};
use crate::chat::message_blocks::is_tool_result;

impl From<Role> for UnifiedRole {
    /// `Developer` becomes `System`, and `Tool` becomes `User`.
    fn from(role: Role) -> Self {
        todo!("from-chat-to-unified-messages: write UnifiedRole::from")
    }
}

impl From<UnifiedRole> for Role {
    fn from(role: UnifiedRole) -> Self {
        todo!("from-unified-to-chat-messages: write Role::from")
    }
}

/// Converts the messages of a session for a provider. Each becomes one message with its
/// [blocks](ChatMessage::to_blocks), except that consecutive `Tool` messages become one
/// message. An error names the message by its index, from 0.
///
/// What [`from_unified`] restores of each field:
///
/// | field | restored |
/// | --- | --- |
/// | `role` | yes; `Developer` as `System`, and a `User` or `Tool` message with raw `tool_result` blocks is split: each result becomes a `Tool` message, and other blocks a `User` message |
/// | `name` | no |
/// | `tool_call_id` | only on a `Tool` message |
/// | `content` | yes; `None` on a `Tool` message becomes an empty text |
/// | `tool_calls` | yes, except an empty list and those of a `Tool` message; arguments that are a JSON object are formatted again: no spaces, sorted keys, only the last of duplicate keys, numbers beyond 64 bits rounded; blank arguments become `{}` |
/// | `reasoning` | yes, except an empty one and that of a `Tool` message |
/// | `raw_content_blocks` | every block, in order; as a list only if the flat fields can't hold them |
/// | `tool_metadata` | no; a failed run becomes `is_error` of its `tool_result` block |
/// | `timestamp`, `id`, `status`, and `other`, even that of a call | no |
///
/// If there are raw blocks, `tool_call_id`, `content`, `tool_calls` and `reasoning` become
/// what [`ChatMessage::from_blocks`] makes of the blocks.
pub fn to_unified(messages: &[ChatMessage]) -> Result<Vec<UnifiedMessage>> {
    todo!("from-chat-to-unified-messages: write to_unified")
}

/// Converts the messages for a session, each by [`ChatMessage::from_blocks`]. A user's message
/// with `tool_result` blocks is split: each result becomes a `Tool` message, and each run of
/// other blocks a `User` message. The order stays.
pub fn from_unified(messages: &[UnifiedMessage]) -> Vec<ChatMessage> {
    todo!("from-unified-to-chat-messages: write from_unified")
}
