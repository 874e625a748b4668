//! Messages made of typed blocks, between a session and a provider.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::agent::Unknown;
use crate::agent::json::unknown::tagged;

/// Who sent a unified message. In JSON, the name in lower case.
///
/// All providers have these three. Results of tools are in `User` messages, as `tool_result`
/// blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum UnifiedRole {
    /// Instructions.
    System,
    /// The user, and the tools.
    User,
    /// The model.
    Assistant,
}

/// One message to or from a provider.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UnifiedMessage {
    /// Who sent the message.
    pub role: UnifiedRole,
    /// The blocks, in order.
    pub content: Vec<UnifiedContentBlock>,
}

/// One block of a message.
///
/// As JSON, an object whose `type` is the variant's name in snake case. A field that is `None`
/// is left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub enum UnifiedContentBlock {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// An image.
    Image {
        /// The image's bytes or URL.
        source: ImageSource,
        /// The provider's name for the resolution that the model sees, such as `"low"`.
        #[serde(skip_serializing_if = "Option::is_none")]
        detail: Option<String>,
    },
    /// A file that is read as a whole, such as a PDF.
    Document {
        /// The document's bytes or URL.
        source: DocumentSource,
        /// The title for the model, if there is one.
        #[serde(skip_serializing_if = "Option::is_none")]
        title: Option<String>,
    },
    /// A call of a tool.
    ToolUse {
        /// The id of the call. The result has the same id.
        id: String,
        /// The tool's name.
        name: String,
        /// The arguments: a JSON object, or what the model wrote instead.
        input: Value,
    },
    /// The result of a call.
    ToolResult {
        /// The id of the [`ToolUse`](Self::ToolUse).
        tool_use_id: String,
        /// The content for the model.
        #[serde(default)]
        content: ToolResultContent,
        /// Whether the call failed; `None` if that is unknown.
        #[serde(skip_serializing_if = "Option::is_none")]
        is_error: Option<bool>,
    },
    /// A block of an unknown type or with unknown fields, from a newer program. Providers are
    /// sent only its [known](Self::known) part.
    #[serde(skip)]
    Other(Unknown<Self>),
}

tagged!(
    UnifiedContentBlock,
    "type",
    &[
        ("text", "text"),
        ("image", "source detail"),
        ("document", "source title"),
        ("tool_use", "id name input"),
        ("tool_result", "tool_use_id content is_error"),
        (
            "thinking",
            "thinking signature encrypted_content id redacted"
        ),
    ],
    &[
        ("source", "type"),
        ("source.base64", "type media_type data"),
        ("source.base64_pdf", "type media_type data"),
        ("source.text", "type media_type data"),
        ("source.url", "type url"),
        ("source.url_pdf", "type url"),
    ]
);

/// The source of an image. As JSON, an object with a field `type`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum ImageSource {
    /// The bytes.
    Base64 {
        /// The media type, such as `"image/png"`.
        media_type: String,
        /// The bytes in base64.
        data: String,
    },
    /// A URL for the provider to fetch.
    Url {
        /// The URL.
        url: String,
    },
}

/// The source of a document. As JSON, an object with a field `type`. The older types `base64`
/// and `url` are read too.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum DocumentSource {
    /// The bytes.
    #[serde(alias = "base64")]
    Base64Pdf {
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
    #[serde(alias = "url")]
    UrlPdf {
        /// The URL.
        url: String,
    },
}

/// The content of a tool's result. It is written in the form in which it was read.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum ToolResultContent {
    /// A string.
    Text(String),
    /// A list of text and images.
    Blocks(Vec<UnifiedContentBlock>),
    /// Any other JSON, from another program. Models are sent its text.
    Json(Value),
}

impl<'de> Deserialize<'de> for ToolResultContent {
    /// Reads a string as [`Text`](Self::Text), a list of blocks as [`Blocks`](Self::Blocks), and
    /// anything else as [`Json`](Self::Json). If one element of a list is not a valid block, the
    /// whole list is `Json`.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        todo!("string-or-list-of-blocks: write ToolResultContent::deserialize")
    }
}

impl Default for ToolResultContent {
    /// The content of a result without content: `null`.
    fn default() -> Self {
        Self::Json(Value::Null)
    }
}

/// The text of a [result's JSON](ToolResultContent::Json), empty for `null`.
pub fn text_of_json(json: &Value) -> String {
    match json {
        Value::Null => String::new(),
        json => json.to_string(),
    }
}
