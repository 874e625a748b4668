//! From the agent's messages to those that a history keeps, and back: chapter 19's borders,
//! and what a conversation that goes on needs beside them.

use std::slice;

use crate::agent::{Content, Message, StopReason, Usage};
use crate::chat::{
    ChatMessage, MessageStatus, Role, ToolResultContent, UnifiedContentBlock as Block, from_agent,
    to_content,
};
use crate::tools::Api;

/// A message as the history keeps it. The sender's name is `provider/model`, or the tool's.
/// Lost are a reply's usage and what went wrong with it, a result's child loop, and the
/// reason to stop, of which three kinds are left: done, broken off, failed.
pub fn to_chat(message: &Message) -> ChatMessage {
    let (provider, name) = match message {
        Message::Assistant {
            provider, model, ..
        } => (provider.as_str(), Some(format!("{provider}/{model}"))),
        _ => ("", None),
    };
    // As if it went back to its provider, so that its thoughts go along. As signatures of
    // Messages, the seals of all APIs come back to the letter.
    let chat = from_agent(slice::from_ref(message), Api::Messages, provider);
    let chat = chat.into_iter().next().expect("one for each message");
    ChatMessage {
        name: name.or(chat.name),
        ..chat
    }
}

/// The message that a history has kept; `None` for one that the agent has no place for,
/// such as instructions, which are given anew.
pub fn to_message(chat: &ChatMessage) -> Option<Message> {
    let timestamp = chat.timestamp.map_or(0, |time| time.timestamp_millis());
    let timestamp = u64::try_from(timestamp).unwrap_or(0);
    let name = chat.name.clone().unwrap_or_default();
    let blocks = chat.to_blocks().ok()?;
    Some(match chat.role {
        Role::System | Role::Developer => return None,
        Role::User => Message::User {
            content: to_content(blocks),
            timestamp,
        },
        Role::Assistant => {
            let content = to_content(blocks);
            let (provider, model) = name.split_once('/').unwrap_or(("", &name));
            Message::Assistant {
                stop_reason: stop_reason(chat.status, &content),
                content,
                model: model.to_string(),
                provider: provider.to_string(),
                usage: Usage::default(),
                timestamp,
                error_message: None,
            }
        }
        Role::Tool => {
            let result = blocks.into_iter().find_map(|block| match block {
                Block::ToolResult {
                    tool_use_id,
                    content,
                    is_error,
                } => Some((tool_use_id, content, is_error)),
                _ => None,
            });
            let (tool_call_id, content, is_error) = result?;
            Message::ToolResult {
                tool_call_id,
                tool_name: name,
                content: match content {
                    ToolResultContent::Text(text) => vec![Content::Text { text }],
                    ToolResultContent::Blocks(blocks) => to_content(blocks),
                },
                is_error: is_error.unwrap_or(false),
                timestamp,
                child_loop_id: None,
            }
        }
    })
}

fn stop_reason(status: Option<MessageStatus>, content: &[Content]) -> StopReason {
    let is_call = |block: &Content| matches!(block, Content::ToolCall { .. });
    match status {
        Some(MessageStatus::Failed) => StopReason::Error,
        Some(MessageStatus::Incomplete | MessageStatus::InProgress) => StopReason::Aborted,
        _ if content.iter().any(is_call) => StopReason::ToolUse,
        _ => StopReason::Stop,
    }
}
