//! Conversion to and from the Chat Completions API, the model for chat messages.

mod from_wire;

pub use from_wire::*;

use anyhow::{Result, anyhow};
use serde::{Deserialize, Serialize};

use super::{ChatMessage, DocumentSource, Role, TextOr, ToolCall, UnifiedContentBlock};
use crate::chat::message_blocks::is_tool_result;
use crate::chat::shared::{as_text, data_url, image_url, json_text, result_text};

/// One message of a request or a reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CompletionMessage {
    /// Who sent the message.
    pub role: Role,
    /// The content; `null` on a message that only calls tools.
    pub content: Option<CompletionContent>,
    /// The model's refusal, which it sends instead of content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
    /// The name of the sender.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The calls of the message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_calls: Option<Vec<ToolCall>>,
    /// On a tool's message, the id of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
}

/// The content of a message: a string, or a list of text, images and files.
pub type CompletionContent = TextOr<CompletionPart>;

/// A part of a message's content.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum CompletionPart {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// An image.
    ImageUrl {
        /// The image.
        image_url: ImageUrl,
    },
    /// A file.
    File {
        /// The file.
        file: FileData,
    },
    /// The model's refusal.
    Refusal {
        /// Its text.
        refusal: String,
    },
}

/// An image as a URL.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ImageUrl {
    /// A URL on the web, or a `data:` URL.
    pub url: String,
    /// The provider's name for the resolution that the model sees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// A file's name and bytes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileData {
    /// The file's name.
    pub filename: String,
    /// The bytes as a `data:` URL.
    pub file_data: String,
}

/// Converts a conversation for this API. An error names the message by its index, from 0.
///
/// Each `tool_result` block becomes a message with the role `tool`, before the other content
/// of its message. Other content of a tool's message becomes a user's message. Empty messages
/// are left out, but never a result.
///
/// | part of a message | in the request |
/// | --- | --- |
/// | `role` | yes |
/// | `name` | yes, except on a tool's message |
/// | `tool_call_id` | on a tool's message |
/// | `content` | yes, unless it is empty |
/// | `tool_calls` | yes; arguments exactly as written, or as a JSON string if they are not JSON |
/// | `reasoning` | no |
/// | `raw_content_blocks` | text, calls and results; a user's images and documents, but a text document or a URL as text; other images and documents as notes; text without images or documents is joined by line breaks; thinking is lost, and so is the position of an assistant's text among its calls |
/// | `tool_metadata` | a failed run: `error: ` before its text |
/// | `timestamp`, `id`, `status` | no |
pub fn to_completions(messages: &[ChatMessage]) -> Result<Vec<CompletionMessage>> {
    let mut sent = Vec::with_capacity(messages.len());
    for (index, message) in messages.iter().enumerate() {
        let blocks = message.to_blocks();
        let blocks = blocks.map_err(|error| anyhow!("message {index}: {error}"))?;
        let blocks = blocks
            .into_iter()
            .filter_map(UnifiedContentBlock::into_known);
        let blocks: Vec<UnifiedContentBlock> = blocks.collect();
        sent.extend(blocks.iter().filter_map(result_message));
        let rest = blocks.into_iter().filter(|block| !is_tool_result(block));
        sent.extend(message.without_results(rest.collect()));
    }
    Ok(sent)
}

impl ChatMessage {
    /// The message without its results; `None` if nothing is left.
    fn without_results(&self, blocks: Vec<UnifiedContentBlock>) -> Option<CompletionMessage> {
        let (role, name) = match self.role {
            // A tool's role is only for results in this API, and the name is the tool's.
            Role::Tool => (Role::User, None),
            role => (role, self.name.clone()),
        };
        let calls = self.calls_of(&blocks);
        let content = content_of(role, &blocks);
        (content.is_some() || !calls.is_empty()).then(|| CompletionMessage {
            role,
            content,
            refusal: None,
            name,
            tool_calls: (!calls.is_empty()).then_some(calls),
            tool_call_id: None,
        })
    }

    /// The calls among these blocks.
    fn calls_of(&self, blocks: &[UnifiedContentBlock]) -> Vec<ToolCall> {
        let calls = blocks.iter().filter_map(|block| match block {
            UnifiedContentBlock::ToolUse { id, name, input } => {
                let arguments = json_text(self.as_written(id, input));
                Some(ToolCall::new(id, name, arguments))
            }
            _ => None,
        });
        calls.collect()
    }
}

/// A `tool_result` block as a message of its own.
fn result_message(block: &UnifiedContentBlock) -> Option<CompletionMessage> {
    let UnifiedContentBlock::ToolResult {
        tool_use_id,
        content,
        is_error,
    } = block
    else {
        return None;
    };
    let text = result_text(content, *is_error == Some(true));
    Some(CompletionMessage {
        role: Role::Tool,
        content: Some(CompletionContent::Text(text)),
        refusal: None,
        name: None,
        tool_calls: None,
        tool_call_id: Some(tool_use_id.clone()),
    })
}

/// The content of these blocks: a list if the user sends images or documents, otherwise one
/// text. `None` if there is no content.
fn content_of(role: Role, blocks: &[UnifiedContentBlock]) -> Option<CompletionContent> {
    let is_shown = |block: &UnifiedContentBlock| part_of(block).is_some_and(|it| !is_text(&it));
    if role == Role::User && blocks.iter().any(is_shown) {
        let parts = blocks.iter().filter_map(part_of);
        return Some(CompletionContent::List(parts.collect()));
    }
    let lines: Vec<String> = blocks.iter().filter_map(as_text).collect();
    (!lines.is_empty()).then(|| CompletionContent::Text(lines.join("\n")))
}

fn is_text(part: &CompletionPart) -> bool {
    matches!(part, CompletionPart::Text { .. })
}

fn part_of(block: &UnifiedContentBlock) -> Option<CompletionPart> {
    Some(match block {
        UnifiedContentBlock::Image { source, detail } => CompletionPart::ImageUrl {
            image_url: ImageUrl {
                url: image_url(source),
                detail: detail.clone(),
            },
        },
        UnifiedContentBlock::Document {
            source: DocumentSource::Base64Pdf { media_type, data },
            title,
        } => CompletionPart::File {
            file: FileData {
                filename: title.clone().unwrap_or_else(|| "document".to_string()),
                file_data: data_url(media_type, data),
            },
        },
        other => CompletionPart::Text {
            text: as_text(other)?,
        },
    })
}
