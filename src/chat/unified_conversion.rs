//! A whole conversation, across the border and back.

use anyhow::{Result, anyhow};

use super::{ChatMessage, Role, UnifiedMessage, UnifiedRole};
use crate::chat::message_blocks::is_tool_result;

impl From<Role> for UnifiedRole {
    /// `Developer` becomes `System`, and `Tool` becomes `User`.
    fn from(role: Role) -> Self {
        todo!("18.8: write UnifiedRole::from")
    }
}

impl From<UnifiedRole> for Role {
    fn from(role: UnifiedRole) -> Self {
        todo!("18.10: write Role::from")
    }
}

/// The messages of a session as they go to a provider: each becomes one message of its
/// [blocks](ChatMessage::to_blocks), but `Tool` messages that follow each other become one
/// message together. An error names the message, counted from 0.
///
/// What [`from_unified`] gives back of each field:
///
/// | field | comes back |
/// | --- | --- |
/// | `role` | yes; `Developer` as `System`, and a `User` with raw `tool_result` blocks comes apart |
/// | `name` | no |
/// | `tool_call_id` | on a `Tool` message; on others no |
/// | `content` | yes; `None` on a `Tool` message as an empty text |
/// | `tool_calls` | yes, but no empty list, and none of a `Tool` message; arguments that are a JSON object are written anew: no spaces, keys sorted, a key given twice once, numbers beyond 64 bits rounded; empty ones as `{}` |
/// | `reasoning` | yes, but no empty one, and none of a `Tool` message |
/// | `raw_content_blocks` | every block, in its place; the list only where the flat fields do not suffice |
/// | `tool_metadata` | no; that a run failed, as `is_error` of its `tool_result` block |
/// | `timestamp`, `id`, `status` | no |
///
/// Where there are raw blocks, `tool_call_id`, `content`, `tool_calls` and `reasoning` come
/// back as what [`ChatMessage::from_blocks`] reads in them.
pub fn to_unified(messages: &[ChatMessage]) -> Result<Vec<UnifiedMessage>> {
    todo!("18.8: write to_unified")
}

/// The messages as a session keeps them, made by [`ChatMessage::from_blocks`]. In a user's
/// message each `tool_result` becomes a `Tool` message of its own, and what stands before,
/// between or behind them a `User` message each; nothing changes its place.
pub fn from_unified(messages: &[UnifiedMessage]) -> Vec<ChatMessage> {
    todo!("18.10: write from_unified")
}
