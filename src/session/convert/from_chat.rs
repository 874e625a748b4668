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
    todo!("conversion-hub: write to_entries")
}

/// The entry of one `tool_result` block.
fn result(message: &ChatMessage, blocks: &[UnifiedContentBlock], timestamp: u64) -> Entry {
    todo!("conversion-hub: write result")
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
    todo!("conversion-hub: write from_entry")
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
    todo!("conversion-hub: write stop_reason")
}

/// A time in milliseconds since 1970; 0 for none, and for one before that.
fn milliseconds(time: Option<DateTime<Utc>>) -> u64 {
    let milliseconds = time.map(|time| time.timestamp_millis());
    milliseconds.unwrap_or_default().try_into().unwrap_or(0)
}
