//! The messages of chapter 18, as entries and back.

use anyhow::Result;
use chrono::{DateTime, Utc};

use super::Entry;
use crate::agent::{Content, Message, StopReason, Usage};
use crate::chat::{
    ChatMessage, DocumentSource, ImageSource, MessageStatus, Role, ToolResultContent,
    UnifiedContentBlock, UnifiedMessage, from_agent, from_unified, text_of_json, to_content,
};
use crate::tools::Api;

/// A message as entries. It is taken apart as chapter 18's [`from_unified`] does it, so that
/// each result of a tool is an entry of its own.
///
/// The tool's name is the one in `tool_metadata`, or else `name`. A status says how a reply
/// ended: one that is incomplete reached its length, one that failed is an error, one in
/// progress is paused; otherwise it waits for its calls, or has stopped.
pub fn to_entries(message: &ChatMessage) -> Result<Vec<Entry>> {
    let unified = UnifiedMessage {
        role: message.role.into(),
        content: message.to_blocks()?,
    };
    let timestamp = milliseconds(message.timestamp);
    let parts = from_unified(&[unified]).into_iter().map(|part| {
        let blocks = part.to_blocks()?;
        Ok(match part.role {
            Role::System | Role::Developer => Entry::System {
                content: part.content.unwrap_or_default(),
                timestamp,
            },
            Role::User => Entry::from(Message::User {
                content: contents(&blocks),
                timestamp,
            }),
            Role::Assistant => Entry::from(Message::Assistant {
                stop_reason: stop_reason(message.status, &blocks),
                content: contents(&blocks),
                model: String::new(),
                provider: String::new(),
                usage: Usage::default(),
                timestamp,
                error_message: None,
            }),
            Role::Tool => result(message, &blocks, timestamp),
        })
    });
    parts.collect()
}

/// The entry of one `tool_result` block.
fn result(message: &ChatMessage, blocks: &[UnifiedContentBlock], timestamp: u64) -> Entry {
    let metadata = message.tool_metadata.as_ref();
    let name = metadata.map(|run| &run.tool_name).or(message.name.as_ref());
    let (id, content, is_error) = match blocks {
        [
            UnifiedContentBlock::ToolResult {
                tool_use_id,
                content,
                is_error,
            },
        ] => (tool_use_id.clone(), answer(content), *is_error),
        _ => (String::new(), contents(blocks), None),
    };
    Entry::from(Message::ToolResult {
        tool_call_id: id,
        tool_name: name.cloned().unwrap_or_default(),
        content,
        is_error: is_error == Some(true),
        timestamp,
        child_loop_id: None,
    })
}

fn answer(content: &ToolResultContent) -> Vec<Content> {
    match content {
        ToolResultContent::Text(text) => vec![Content::Text { text: text.clone() }],
        ToolResultContent::Blocks(blocks) => contents(blocks),
        ToolResultContent::Json(json) => vec![Content::Text {
            text: text_of_json(json),
        }],
    }
}

/// Blocks as chapter 19's [`to_content`] has them in the agent's words. Where a picture or a
/// document is not in the message itself, a text says what it was; a document that is text
/// stays as that text.
fn contents(blocks: &[UnifiedContentBlock]) -> Vec<Content> {
    let blocks = blocks.iter().filter_map(UnifiedContentBlock::known);
    let blocks = blocks.map(|block| match block {
        UnifiedContentBlock::Image {
            source: ImageSource::Url { url },
            ..
        } => text(format!("[image: {url}]")),
        UnifiedContentBlock::Document { source, title } => text(match source {
            DocumentSource::Text { data, .. } => data.clone(),
            DocumentSource::UrlPdf { url } => format!("[document: {url}]"),
            DocumentSource::Base64Pdf { media_type, .. } => {
                format!("[document: {}]", title.as_ref().unwrap_or(media_type))
            }
        }),
        other => other.clone(),
    });
    to_content(blocks.collect())
}

fn text(text: String) -> UnifiedContentBlock {
    UnifiedContentBlock::Text { text }
}

/// An entry as a message; `None` for an extension.
///
/// It is what chapter 19's [`from_agent`] makes of it, as if it were to go back to the
/// provider that it came from. A time of 0 and an empty name are none.
pub fn from_entry(entry: &Entry) -> Option<ChatMessage> {
    let message = match entry {
        Entry::System { content, timestamp } => ChatMessage {
            timestamp: i64::try_from(*timestamp)
                .ok()
                .and_then(DateTime::from_timestamp_millis),
            ..ChatMessage::system(content)
        },
        Entry::Agent(message) => {
            let message = message.as_llm()?;
            let provider = match message {
                Message::Assistant { provider, .. } => provider,
                _ => "",
            };
            from_agent(std::slice::from_ref(message), api_of(message), provider).pop()?
        }
    };
    Some(ChatMessage {
        name: message.name.filter(|name| !name.is_empty()),
        timestamp: message
            .timestamp
            .filter(|time| *time != DateTime::UNIX_EPOCH),
        ..message
    })
}

/// The API whose thoughts these are: those of Responses have an id, and `|` behind it.
fn api_of(message: &Message) -> Api {
    let Message::Assistant { content, .. } = message else {
        return Api::Messages;
    };
    let has_id = content.iter().any(|block| match block {
        Content::Thinking { signature, .. } => signature.iter().any(|mark| mark.contains('|')),
        _ => false,
    });
    match has_id {
        true => Api::Responses,
        false => Api::Messages,
    }
}

fn stop_reason(status: Option<MessageStatus>, blocks: &[UnifiedContentBlock]) -> StopReason {
    let is_call = |block: &_| matches!(block, UnifiedContentBlock::ToolUse { .. });
    match status {
        Some(MessageStatus::Incomplete) => StopReason::Length,
        Some(MessageStatus::Failed) => StopReason::Error,
        Some(MessageStatus::InProgress) => StopReason::Paused,
        None | Some(MessageStatus::Completed) => match blocks.iter().any(is_call) {
            true => StopReason::ToolUse,
            false => StopReason::Stop,
        },
    }
}

/// A time in milliseconds since 1970; 0 for none, and for one before that.
fn milliseconds(time: Option<DateTime<Utc>>) -> u64 {
    let milliseconds = time.map(|time| time.timestamp_millis());
    milliseconds.unwrap_or_default().try_into().unwrap_or(0)
}
