//! Chat Completions: the API whose messages the chat messages are modeled on.

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
    /// Who sent it.
    pub role: Role,
    /// What it says; `null` on a message that only calls tools.
    pub content: Option<CompletionContent>,
    /// What the model says in place of that when it declines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
    /// A name for the sender.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The calls that it makes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_calls: Option<Vec<ToolCall>>,
    /// The call that it answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
}

/// What a message says: words alone, or words, pictures and files.
pub type CompletionContent = TextOr<CompletionPart>;

/// A part of what a message says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum CompletionPart {
    /// Words.
    Text {
        /// The words.
        text: String,
    },
    /// A picture.
    ImageUrl {
        /// Where it is.
        image_url: ImageUrl,
    },
    /// A file.
    File {
        /// The file.
        file: FileData,
    },
    /// Words of the model's in place of an answer.
    Refusal {
        /// The words.
        refusal: String,
    },
}

/// Where a picture is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ImageUrl {
    /// An address, or the bytes as a `data:` URL.
    pub url: String,
    /// How closely to look.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// A file's name and bytes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileData {
    /// Its name.
    pub filename: String,
    /// The bytes as a `data:` URL.
    pub file_data: String,
}

/// A conversation for this API. An error names the message, counted from 0.
///
/// A message's `tool_result` blocks become a message of the role `tool` each, before what
/// else it says; what a tool's message says beside them is a user's. A message of which
/// nothing is left is left out, but a result never is.
///
/// | of a message | in the request |
/// | --- | --- |
/// | `role` | yes |
/// | `name` | yes; on a tool message no |
/// | `tool_call_id` | on a tool message |
/// | `content` | yes, unless it is empty |
/// | `tool_calls` | yes; arguments to the letter, or what is not JSON as a JSON string |
/// | `reasoning` | no |
/// | `raw_content_blocks` | texts, calls, results; images and documents of a user, a document that is text or on the web as a text, and texts by themselves as one, a line each; of others only that they were there; where an assistant's text stood among its calls is lost, and thoughts are |
/// | `tool_metadata` | that a run failed, as `error: ` before its text |
/// | `timestamp`, `id`, `status` | no |
pub fn to_completions(messages: &[ChatMessage]) -> Result<Vec<CompletionMessage>> {
    todo!("19.5: write to_completions")
}

impl ChatMessage {
    /// What the message says besides results, as this API has it, if it says anything.
    fn spoken(&self, blocks: Vec<UnifiedContentBlock>) -> Option<CompletionMessage> {
        todo!("19.5: write ChatMessage::spoken")
    }

    /// The calls among these blocks.
    fn calls_of(&self, blocks: &[UnifiedContentBlock]) -> Vec<ToolCall> {
        todo!("19.5: write ChatMessage::calls_of")
    }
}

/// A `tool_result` block as a message of its own.
fn result_message(block: &UnifiedContentBlock) -> Option<CompletionMessage> {
    todo!("19.5: write result_message")
}

/// One text where texts are all there is, or where the API takes nothing else; `None` where
/// there is nothing.
fn content_of(role: Role, blocks: &[UnifiedContentBlock]) -> Option<CompletionContent> {
    todo!("19.5: write content_of")
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
