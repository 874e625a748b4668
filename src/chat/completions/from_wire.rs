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
    let mut blocks: Vec<UnifiedContentBlock> = match &message.content {
        Some(CompletionContent::Text(text)) => {
            vec![UnifiedContentBlock::Text { text: text.clone() }]
        }
        Some(CompletionContent::List(parts)) => parts.iter().map(block_of).collect(),
        None => Vec::new(),
    };
    blocks.extend(message.refusal.as_deref().map(refused));
    blocks.extend(message.tool_calls.iter().flatten().map(call_block));
    let as_one_text = match blocks.as_slice() {
        [UnifiedContentBlock::Text { text }] => Some(text.clone()),
        _ => None,
    };
    let chat = match as_one_text {
        // A tool's text is its content; only other blocks need `raw_content_blocks`.
        Some(text) => ChatMessage {
            content: Some(text),
            ..ChatMessage::new(message.role)
        },
        None => ChatMessage::from_blocks(message.role, blocks),
    };
    ChatMessage {
        name: message.name.clone(),
        tool_call_id: message.tool_call_id.clone(),
        // As the model wrote them; the blocks hold parsed arguments.
        tool_calls: message.tool_calls.clone(),
        ..chat
    }
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
