//! Converts Chat Completions messages to chat messages.

use super::{CompletionContent, CompletionMessage, CompletionPart};
use crate::chat::message_blocks::call_block;
use crate::chat::shared::{REFUSAL, image_source};
use crate::chat::{ChatMessage, DocumentSource, ImageSource, UnifiedContentBlock};

/// Converts each message of this API to a chat message. A refusal becomes text with the prefix
/// [`REFUSAL`], and a file a document. A message of one text has it as `content`, even a
/// tool's message. Arguments of calls stay exactly as they are.
pub fn from_completions(messages: &[CompletionMessage]) -> Vec<ChatMessage> {
    messages.iter().map(from_completion).collect()
}

fn from_completion(message: &CompletionMessage) -> ChatMessage {
    todo!("completions-to-chat: write from_completion")
}

fn block_of(part: &CompletionPart) -> UnifiedContentBlock {
    match part {
        CompletionPart::Text { text } => UnifiedContentBlock::Text { text: text.clone() },
        CompletionPart::ImageUrl { image_url } => UnifiedContentBlock::Image {
            source: image_source(&image_url.url),
            detail: image_url.detail.clone(),
        },
        CompletionPart::File { file } => UnifiedContentBlock::Document {
            source: match image_source(&file.file_data) {
                ImageSource::Base64 { media_type, data } => {
                    DocumentSource::Base64Pdf { media_type, data }
                }
                ImageSource::Url { url } => DocumentSource::UrlPdf { url },
            },
            title: Some(file.filename.clone()),
        },
        CompletionPart::Refusal { refusal } => refused(refusal),
    }
}

/// A refusal as a text block.
fn refused(refusal: &str) -> UnifiedContentBlock {
    UnifiedContentBlock::Text {
        text: format!("{REFUSAL}{refusal}"),
    }
}
