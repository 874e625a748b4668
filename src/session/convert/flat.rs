//! The messages of chapter 18, as entries and back.

use anyhow::Result;
use chrono::{DateTime, Utc};

use super::Entry;
use crate::agent::{AgentMessage, Content, Message, StopReason, Usage};
use crate::chat::{
    ChatMessage, DocumentSource, ImageSource, MessageStatus, Role, ToolResultContent,
    UnifiedContentBlock, UnifiedMessage, from_unified,
};

/// A message as entries. It is taken apart as chapter 18's [`from_unified`] does it, so that
/// each result of a tool is an entry of its own.
///
/// The tool's name is the one in `tool_metadata`, or else `name`. A status says how a reply
/// ended: one that is incomplete reached its length, one that failed is an error, one in
/// progress is paused; otherwise it waits for its calls, or has stopped.
pub fn to_entries(message: &ChatMessage) -> Result<Vec<Entry>> {
    todo!("20.10: write to_entries")
}

/// The entry of one `tool_result` block.
fn result(message: &ChatMessage, blocks: &[UnifiedContentBlock], timestamp: u64) -> Entry {
    todo!("20.10: write result")
}

fn answer(content: &ToolResultContent) -> Vec<Content> {
    match content {
        ToolResultContent::Text(text) => vec![Content::Text { text: text.clone() }],
        ToolResultContent::Blocks(blocks) => contents(blocks),
    }
}

/// Blocks in the agent's words. Where a picture or a document is not in the message itself,
/// a text says what it was. A document that is text stays as that text. A result inside of
/// another message has no place.
fn contents(blocks: &[UnifiedContentBlock]) -> Vec<Content> {
    let contents = blocks.iter().filter_map(|block| {
        Some(match block.clone() {
            UnifiedContentBlock::Text { text } => Content::Text { text },
            UnifiedContentBlock::Image { source, .. } => match source {
                ImageSource::Base64 { media_type, data } => Content::Image {
                    data,
                    mime_type: media_type,
                },
                ImageSource::Url { url } => Content::Text {
                    text: format!("[image: {url}]"),
                },
            },
            UnifiedContentBlock::Document { source, title } => Content::Text {
                text: match source {
                    DocumentSource::Text { data, .. } => data,
                    DocumentSource::Url { url } => format!("[document: {url}]"),
                    DocumentSource::Base64 { media_type, .. } => {
                        format!("[document: {}]", title.unwrap_or(media_type))
                    }
                },
            },
            UnifiedContentBlock::ToolUse { id, name, input } => Content::ToolCall {
                id,
                name,
                arguments: input,
            },
            UnifiedContentBlock::Thinking {
                thinking,
                signature,
                ..
            } => Content::Thinking {
                thinking,
                signature,
            },
            UnifiedContentBlock::ToolResult { .. } => return None,
        })
    });
    contents.collect()
}

/// An entry as a message; `None` for an extension.
///
/// The fields are what [`ChatMessage::from_blocks`] makes of the blocks. The name of a
/// result's tool is its `name`, and the status of a reply the one from which
/// [`to_entries`] would read its stop reason, or `Incomplete` if there is none.
pub fn from_entry(entry: &Entry) -> Option<ChatMessage> {
    todo!("20.10: write from_entry")
}

fn blocks(content: &[Content]) -> Vec<UnifiedContentBlock> {
    let blocks = content.iter().map(|block| match block.clone() {
        Content::Text { text } => UnifiedContentBlock::Text { text },
        Content::Image { data, mime_type } => UnifiedContentBlock::Image {
            source: ImageSource::Base64 {
                media_type: mime_type,
                data,
            },
            detail: None,
        },
        Content::Thinking {
            thinking,
            signature,
        } => UnifiedContentBlock::Thinking {
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
        } => UnifiedContentBlock::ToolUse {
            id,
            name,
            input: arguments,
        },
    });
    blocks.collect()
}

fn stop_reason(status: Option<MessageStatus>, blocks: &[UnifiedContentBlock]) -> StopReason {
    todo!("20.10: write stop_reason")
}

fn status(stop_reason: StopReason) -> MessageStatus {
    todo!("20.10: write status")
}

/// A time in milliseconds since 1970; 0 for none, and for one before that.
fn milliseconds(time: Option<DateTime<Utc>>) -> u64 {
    let milliseconds = time.map(|time| time.timestamp_millis());
    milliseconds.unwrap_or_default().try_into().unwrap_or(0)
}

/// The other way; `None` for 0, and for what is beyond the calendar.
fn moment(milliseconds: u64) -> Option<DateTime<Utc>> {
    let milliseconds = i64::try_from(milliseconds).ok().filter(|time| *time != 0);
    milliseconds.and_then(DateTime::from_timestamp_millis)
}
