//! The messages of chapter 18 to the hub and back.

use anyhow::Result;
use chrono::{DateTime, Utc};

use super::HubMessage;
use crate::agent::{Content, Message, StopReason, Usage};
use crate::chat::{
    ChatMessage, DocumentSource, ImageSource, MessageStatus, Role, ToolResultContent,
    UnifiedContentBlock, text_of_json, time_of, to_content,
};

/// A message in the hub, as several if a user's or a tool's message has `tool_result` blocks:
/// each of them becomes a message, and so do the blocks before, between and after them.
/// Unknown blocks are left out. An error is that of [`to_blocks`](ChatMessage::to_blocks).
pub fn to_hub(message: &ChatMessage) -> Result<Vec<HubMessage>> {
    let blocks = message.to_blocks()?.into_iter();
    let blocks: Vec<_> = blocks.filter_map(UnifiedContentBlock::into_known).collect();
    let timestamp = message.timestamp.map_or(0, milliseconds);
    let is_prompt = |block: &_| !matches!(block, UnifiedContentBlock::ToolResult { .. });
    Ok(match message.role {
        Role::System | Role::Developer => {
            let content = ChatMessage::from_blocks(Role::System, blocks).content;
            let content = content.unwrap_or_default();
            vec![HubMessage::Instructions { content, timestamp }]
        }
        Role::Assistant => vec![reply(message, &blocks, timestamp).into()],
        Role::User | Role::Tool if blocks.is_empty() => vec![part(message, &[], timestamp).into()],
        Role::User | Role::Tool => {
            let parts = blocks.chunk_by(|one, next| is_prompt(one) && is_prompt(next));
            let parts = parts.map(|blocks| part(message, blocks, timestamp).into());
            parts.collect()
        }
    })
}

/// An assistant's message. Its `name` is the provider, `/` and the model, or the model alone.
fn reply(message: &ChatMessage, blocks: &[UnifiedContentBlock], timestamp: u64) -> Message {
    let name = message.name.as_deref().unwrap_or_default();
    let (provider, model) = name.split_once('/').unwrap_or(("", name));
    Message::Assistant {
        content: contents(blocks),
        stop_reason: stop_reason(message.status, blocks),
        model: model.to_string(),
        provider: provider.to_string(),
        usage: Usage::default(),
        timestamp,
        error_message: None,
    }
}

/// One run of blocks as a message: a result if it is a single result block, and otherwise a
/// user's message. The tool's name is the one in
/// `tool_metadata`, or else the message's `name`.
fn part(message: &ChatMessage, blocks: &[UnifiedContentBlock], timestamp: u64) -> Message {
    let [
        UnifiedContentBlock::ToolResult {
            tool_use_id,
            content,
            is_error,
        },
    ] = blocks
    else {
        return Message::User {
            content: contents(blocks),
            timestamp,
        };
    };
    let metadata = message.tool_metadata.as_ref();
    let name = metadata.map(|run| &run.tool_name).or(message.name.as_ref());
    Message::ToolResult {
        tool_call_id: tool_use_id.clone(),
        tool_name: name.cloned().unwrap_or_default(),
        content: result_contents(content),
        is_error: *is_error == Some(true),
        timestamp,
        child_loop_id: None,
    }
}

fn result_contents(content: &ToolResultContent) -> Vec<Content> {
    match content {
        ToolResultContent::Text(text) => vec![Content::Text { text: text.clone() }],
        ToolResultContent::Blocks(blocks) => contents(blocks),
        ToolResultContent::Json(json) => vec![Content::Text {
            text: text_of_json(json),
        }],
    }
}

/// Blocks as chapter 19's [`to_content`] converts them. A document of text becomes that text,
/// and an image or a document that the message only links becomes a text that names it.
fn contents(blocks: &[UnifiedContentBlock]) -> Vec<Content> {
    let blocks = blocks.iter().filter_map(UnifiedContentBlock::known);
    let blocks = blocks.map(|block| {
        let text = match block {
            UnifiedContentBlock::Image {
                source: ImageSource::Url { url },
                ..
            } => format!("[image: {url}]"),
            UnifiedContentBlock::Document { source, title } => match source {
                DocumentSource::Text { data, .. } => data.clone(),
                DocumentSource::UrlPdf { url } => format!("[document: {url}]"),
                DocumentSource::Base64Pdf { media_type, .. } => {
                    format!("[document: {}]", title.as_ref().unwrap_or(media_type))
                }
            },
            other => return other.clone(),
        };
        UnifiedContentBlock::Text { text }
    });
    to_content(blocks.collect())
}

/// How a reply with this status ended: `incomplete` is the length limit, `failed` is an error,
/// and `in_progress` is paused. Any other reply waits for its calls, or has stopped if it has
/// none.
fn stop_reason(status: Option<MessageStatus>, blocks: &[UnifiedContentBlock]) -> StopReason {
    let is_call = |block: &_| matches!(block, UnifiedContentBlock::ToolUse { .. });
    match status {
        Some(MessageStatus::Incomplete) => StopReason::Length,
        Some(MessageStatus::Failed) => StopReason::Error,
        Some(MessageStatus::InProgress) => StopReason::Paused,
        None | Some(MessageStatus::Completed) if blocks.iter().any(is_call) => StopReason::ToolUse,
        None | Some(MessageStatus::Completed) => StopReason::Stop,
    }
}

/// A time in milliseconds since 1970, UTC; 0 for one before that.
fn milliseconds(time: DateTime<Utc>) -> u64 {
    time.timestamp_millis().try_into().unwrap_or(0)
}

/// A message of the hub as chapter 19's [`ChatMessage::from`] converts it; `None` for an
/// extension.
pub fn from_hub(message: &HubMessage) -> Option<ChatMessage> {
    Some(match message {
        HubMessage::Agent(message) => message.as_llm()?.into(),
        HubMessage::Instructions { content, timestamp } => ChatMessage {
            timestamp: time_of(*timestamp),
            ..ChatMessage::system(content)
        },
    })
}
