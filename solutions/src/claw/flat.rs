//! From the agent's messages to those that a history keeps, and back.

use chrono::DateTime;

use crate::agent::{Content, Message, StopReason, Usage};
use crate::chat::{
    ChatMessage, ImageSource, MessageStatus, Role, ToolResultContent, UnifiedContentBlock as Block,
};

/// A message as the history keeps it. The sender's name is `provider/model`, or the tool's.
/// Lost are a reply's usage and what went wrong with it, a result's child loop, and the
/// reason to stop, of which three kinds are left: done, broken off, failed.
pub fn to_chat(message: &Message) -> ChatMessage {
    let (chat, timestamp) = match message {
        Message::User { content, timestamp } => {
            let blocks = content.iter().map(to_block).collect();
            (ChatMessage::from_blocks(Role::User, blocks), *timestamp)
        }
        Message::Assistant {
            content,
            stop_reason,
            model,
            provider,
            timestamp,
            ..
        } => {
            let blocks = content.iter().map(to_block).collect();
            let mut chat = ChatMessage::from_blocks(Role::Assistant, blocks);
            chat.name = Some(format!("{provider}/{model}"));
            chat.status = Some(match stop_reason {
                StopReason::Stop | StopReason::ToolUse => MessageStatus::Completed,
                StopReason::Error => MessageStatus::Failed,
                _ => MessageStatus::Incomplete,
            });
            (chat, *timestamp)
        }
        Message::ToolResult {
            tool_call_id,
            tool_name,
            content,
            is_error,
            timestamp,
            ..
        } => {
            let result = Block::ToolResult {
                tool_use_id: tool_call_id.clone(),
                content: match content.as_slice() {
                    [Content::Text { text }] => ToolResultContent::Text(text.clone()),
                    blocks => ToolResultContent::Blocks(blocks.iter().map(to_block).collect()),
                },
                is_error: is_error.then_some(true),
            };
            let mut chat = ChatMessage::from_blocks(Role::Tool, vec![result]);
            chat.name = Some(tool_name.clone());
            (chat, *timestamp)
        }
    };
    let milliseconds = i64::try_from(timestamp).unwrap_or(i64::MAX);
    ChatMessage {
        timestamp: DateTime::from_timestamp_millis(milliseconds),
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
            content: contents(&blocks),
            timestamp,
        },
        Role::Assistant => {
            let content = contents(&blocks);
            let calls = |block: &Content| matches!(block, Content::ToolCall { .. });
            let (provider, model) = name.split_once('/').unwrap_or(("", &name));
            Message::Assistant {
                stop_reason: match chat.status {
                    Some(MessageStatus::Failed) => StopReason::Error,
                    Some(MessageStatus::Incomplete | MessageStatus::InProgress) => {
                        StopReason::Aborted
                    }
                    _ if content.iter().any(calls) => StopReason::ToolUse,
                    _ => StopReason::Stop,
                },
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
                    ToolResultContent::Blocks(blocks) => contents(&blocks),
                },
                is_error: is_error.unwrap_or(false),
                timestamp,
                child_loop_id: None,
            }
        }
    })
}

fn to_block(content: &Content) -> Block {
    match content.clone() {
        Content::Text { text } => Block::Text { text },
        Content::Image { data, mime_type } => Block::Image {
            source: ImageSource::Base64 {
                media_type: mime_type,
                data,
            },
            detail: None,
        },
        Content::Thinking {
            thinking,
            signature,
        } => Block::Thinking {
            thinking,
            signature,
            encrypted_content: None,
            id: None,
            redacted: false,
        },
        Content::ToolCall {
            id,
            name,
            arguments,
        } => Block::ToolUse {
            id,
            name,
            input: arguments,
        },
    }
}

/// What an agent can hold of these blocks. Whatever else there is, `claw` has not written.
fn contents(blocks: &[Block]) -> Vec<Content> {
    let contents = blocks.iter().filter_map(|block| match block.clone() {
        Block::Text { text } => Some(Content::Text { text }),
        Block::Image {
            source: ImageSource::Base64 { media_type, data },
            ..
        } => Some(Content::Image {
            data,
            mime_type: media_type,
        }),
        Block::Thinking {
            thinking,
            signature,
            ..
        } => Some(Content::Thinking {
            thinking,
            signature,
        }),
        Block::ToolUse { id, name, input } => Some(Content::ToolCall {
            id,
            name,
            arguments: input,
        }),
        _ => None,
    });
    contents.collect()
}
