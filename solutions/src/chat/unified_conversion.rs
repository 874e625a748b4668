//! Converts a conversation between chat messages and unified messages.

use anyhow::{Result, anyhow};

use super::{ChatMessage, Role, UnifiedMessage, UnifiedRole};
use crate::chat::message_blocks::is_tool_result;

impl From<Role> for UnifiedRole {
    /// `Developer` becomes `System`, and `Tool` becomes `User`.
    fn from(role: Role) -> Self {
        match role {
            Role::System | Role::Developer => Self::System,
            Role::User | Role::Tool => Self::User,
            Role::Assistant => Self::Assistant,
        }
    }
}

impl From<UnifiedRole> for Role {
    fn from(role: UnifiedRole) -> Self {
        match role {
            UnifiedRole::System => Self::System,
            UnifiedRole::User => Self::User,
            UnifiedRole::Assistant => Self::Assistant,
        }
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
    let mut unified: Vec<UnifiedMessage> = Vec::with_capacity(messages.len());
    let mut before = None;
    for (index, message) in messages.iter().enumerate() {
        let blocks = message.to_blocks();
        let blocks = blocks.map_err(|error| anyhow!("message {index}: {error}"))?;
        match unified.last_mut() {
            Some(last) if message.role == Role::Tool && before == Some(Role::Tool) => {
                last.content.extend(blocks);
            }
            _ => unified.push(UnifiedMessage {
                role: message.role.into(),
                content: blocks,
            }),
        }
        before = Some(message.role);
    }
    Ok(unified)
}

/// Converts the messages for a session, each by [`ChatMessage::from_blocks`]. A user's message
/// with `tool_result` blocks is split: each result becomes a `Tool` message, and each run of
/// other blocks a `User` message. The order stays.
pub fn from_unified(messages: &[UnifiedMessage]) -> Vec<ChatMessage> {
    let mut chat = Vec::with_capacity(messages.len());
    for message in messages {
        let role = Role::from(message.role);
        if role != Role::User || message.content.is_empty() {
            chat.push(ChatMessage::from_blocks(role, message.content.clone()));
            continue;
        }
        let together = |one: &_, next: &_| !is_tool_result(one) && !is_tool_result(next);
        for run in message.content.chunk_by(together) {
            let role = match run {
                [one, ..] if is_tool_result(one) => Role::Tool,
                _ => Role::User,
            };
            chat.push(ChatMessage::from_blocks(role, run.to_vec()));
        }
    }
    chat
}
