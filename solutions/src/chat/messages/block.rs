//! The types of the Messages API.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::chat::open_enum::open_enum;
use crate::chat::{DocumentSource, ImageSource, TextOr, UnifiedRole};

/// The conversation of a request.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct MessagesInput {
    /// The instructions, which are not part of the turns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub system: Vec<MessagesBlock>,
    /// The turns.
    pub messages: Vec<MessagesTurn>,
}

/// One turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MessagesTurn {
    /// `User` or `Assistant`.
    pub role: UnifiedRole,
    /// The content.
    pub content: MessagesContent,
}

/// Content: a string or a list of blocks.
pub type MessagesContent = TextOr<MessagesBlock>;

/// One block, with only this API's fields: the API rejects a request with an unknown field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", remote = "Self")]
pub enum MessagesBlock {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// An image.
    Image {
        /// The image's bytes or URL.
        source: ImageSource,
    },
    /// A file.
    Document {
        /// The file's content or URL.
        source: MessagesDocument,
        /// The title.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        title: Option<String>,
    },
    /// The model's thoughts.
    Thinking {
        /// The thoughts; empty if they are not shown.
        thinking: String,
        /// The provider's signature. In a stream it arrives after the thoughts.
        #[serde(default)]
        signature: String,
    },
    /// Thoughts that the provider has redacted.
    RedactedThinking {
        /// The thoughts in a form that only the provider reads.
        data: String,
    },
    /// A call.
    ToolUse {
        /// The id of the call. The result has the same id.
        id: String,
        /// The tool's name.
        name: String,
        /// The arguments, always an object.
        input: Value,
    },
    /// The result of a call.
    ToolResult {
        /// The id of the call.
        tool_use_id: String,
        /// The content for the model.
        content: MessagesContent,
        /// Whether the call failed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        is_error: Option<bool>,
    },
    /// A block of an unknown type, unchanged.
    #[serde(skip)]
    Other(Value),
}

open_enum!(
    MessagesBlock,
    [
        "text",
        "image",
        "document",
        "thinking",
        "redacted_thinking",
        "tool_use",
        "tool_result"
    ]
);

/// The source of a document, as this API spells it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum MessagesDocument {
    /// The bytes.
    Base64 {
        /// The media type, such as `"application/pdf"`.
        media_type: String,
        /// The bytes in base64.
        data: String,
    },
    /// Plain text.
    Text {
        /// The media type, such as `"text/plain"`.
        media_type: String,
        /// The text.
        data: String,
    },
    /// A URL for the provider to fetch.
    Url {
        /// The URL.
        url: String,
    },
}

impl From<DocumentSource> for MessagesDocument {
    fn from(source: DocumentSource) -> Self {
        match source {
            DocumentSource::Base64Pdf { media_type, data } => Self::Base64 { media_type, data },
            DocumentSource::Text { media_type, data } => Self::Text { media_type, data },
            DocumentSource::UrlPdf { url } => Self::Url { url },
        }
    }
}

impl From<MessagesDocument> for DocumentSource {
    fn from(source: MessagesDocument) -> Self {
        match source {
            MessagesDocument::Base64 { media_type, data } => Self::Base64Pdf { media_type, data },
            MessagesDocument::Text { media_type, data } => Self::Text { media_type, data },
            MessagesDocument::Url { url } => Self::UrlPdf { url },
        }
    }
}
