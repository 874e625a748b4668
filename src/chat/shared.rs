//! What the APIs say in nearly the same way: failures, pictures, and notes in place of what
//! one of them cannot carry.

use serde_json::Value;

use super::{ChatMessage, DocumentSource, ImageSource, ToolResultContent, UnifiedContentBlock};
use crate::chat::message_blocks::arguments;
use crate::chat::text_of_json;
use crate::provider::parse_arguments;
use crate::types::result_content;

/// With what the text of a refusal begins.
pub const REFUSAL: &str = "[refusal] ";

/// Bytes in base64 as an address.
pub(super) fn data_url(media_type: &str, data: &str) -> String {
    format!("data:{media_type};base64,{data}")
}

/// Where an image is, as one address.
pub(super) fn image_url(source: &ImageSource) -> String {
    match source {
        ImageSource::Base64 { media_type, data } => data_url(media_type, data),
        ImageSource::Url { url } => url.clone(),
    }
}

/// The other way: a `data:` URL in base64 is the bytes themselves.
pub(super) fn image_source(url: &str) -> ImageSource {
    let inline = url
        .strip_prefix("data:")
        .and_then(|rest| rest.split_once(";base64,"));
    match inline {
        Some((media_type, data)) => ImageSource::Base64 {
            media_type: media_type.to_string(),
            data: data.to_string(),
        },
        None => ImageSource::Url {
            url: url.to_string(),
        },
    }
}

/// What a model that cannot be shown a block reads in its place; `None` for what is no
/// text, image or document, and for an empty text.
pub(super) fn as_text(block: &UnifiedContentBlock) -> Option<String> {
    match block.known()? {
        UnifiedContentBlock::Text { text } => (!text.is_empty()).then(|| text.clone()),
        UnifiedContentBlock::Image { source, .. } => Some(match source {
            ImageSource::Base64 { media_type, .. } => not_shown("an image", media_type),
            ImageSource::Url { url } => not_shown("an image", url),
        }),
        UnifiedContentBlock::Document { source, .. } => Some(match source {
            DocumentSource::Text { data, .. } => data.clone(),
            DocumentSource::Base64Pdf { media_type, .. } => not_shown("a document", media_type),
            DocumentSource::UrlPdf { url } => not_shown("a document", url),
        }),
        _ => None,
    }
}

/// A tool's result for an API without a field for a failure: text alone, as
/// [`result_content`] writes it.
pub(super) fn result_text(content: &ToolResultContent, is_error: bool) -> String {
    let text = match content {
        ToolResultContent::Text(text) => text.clone(),
        ToolResultContent::Blocks(blocks) => {
            let lines: Vec<String> = blocks.iter().filter_map(as_text).collect();
            lines.join("\n")
        }
        ToolResultContent::Json(json) => text_of_json(json),
    };
    result_content(&text, is_error)
}

/// Arguments for a request: always JSON, since servers that parse them would refuse every
/// later request of the conversation. Text that is [none](parse_arguments) goes as a JSON
/// string that holds it.
pub(super) fn json_text(arguments: String) -> String {
    todo!("19.3: write json_text")
}

fn not_shown(what: &str, which: &str) -> String {
    format!("[{what} ({which}) stood here, which this connection does not carry]")
}

impl ChatMessage {
    /// A call's arguments as the model wrote them, if the flat fields still know it. Blank
    /// ones are no JSON and go as `input` is written.
    pub(super) fn as_written(&self, id: &str, input: &Value) -> String {
        todo!("19.1: write ChatMessage::as_written")
    }
}
