//! Conversions that several APIs share: failures, images, and notes that replace blocks which
//! an API can't carry.

use serde_json::Value;

use super::{ChatMessage, DocumentSource, ImageSource, ToolResultContent, UnifiedContentBlock};
use crate::chat::message_blocks::arguments;
use crate::chat::text_of_json;
use crate::provider::parse_arguments;
use crate::types::result_content;

/// The prefix of a refusal's text.
pub const REFUSAL: &str = "[refusal] ";

/// Base64 data as a `data:` URL.
pub(super) fn data_url(media_type: &str, data: &str) -> String {
    format!("data:{media_type};base64,{data}")
}

/// The image as a URL: its own, or a `data:` URL.
pub(super) fn image_url(source: &ImageSource) -> String {
    match source {
        ImageSource::Base64 { media_type, data } => data_url(media_type, data),
        ImageSource::Url { url } => url.clone(),
    }
}

/// The image at a URL. A `data:` URL in base64 becomes bytes.
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

/// A text that replaces a block which the API can't carry: a text block's text, a text
/// document's text, or a note that names an image or document. `None` for other blocks and
/// for an empty text.
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

/// A tool's result as text, for an API without a field for a failure: the text of
/// [`result_content`].
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

/// Arguments as valid JSON, since a server that parses them would reject every later request
/// of the conversation. Text that [`parse_arguments`] rejects becomes a JSON string.
pub(super) fn json_text(arguments: String) -> String {
    match parse_arguments(&arguments) {
        Ok(_) => arguments,
        Err(_) => Value::String(arguments).to_string(),
    }
}

/// The note that replaces an image or a document.
fn not_shown(what: &str, which: &str) -> String {
    format!("[{what} ({which}) was here; this connection cannot carry it]")
}

impl ChatMessage {
    /// The arguments of the call `id` as the model wrote them, if the flat fields still have
    /// them and they are not blank. Otherwise `input` as [text](arguments).
    pub(super) fn as_written(&self, id: &str, input: &Value) -> String {
        let written = self.tool_calls.iter().flatten().find(|call| {
            call.id == id && call.function.parse_arguments().is_ok_and(|it| it == *input)
        });
        match written {
            Some(call) if !call.function.arguments.trim().is_empty() => {
                call.function.arguments.clone()
            }
            _ => arguments(input),
        }
    }
}
