//! The shapes of the Messages API.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::Value;

use crate::chat::{DocumentSource, ImageSource, TextOr, UnifiedRole};

/// A conversation as a request carries it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct MessagesInput {
    /// The instructions, which are no turn.
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
    /// What is said in it.
    pub content: MessagesContent,
}

/// What is said: words alone, or blocks.
pub type MessagesContent = TextOr<MessagesBlock>;

/// One block, with the fields that this API has for it and no others: it refuses a request
/// with a field that it does not know.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", remote = "Self")]
pub enum MessagesBlock {
    /// Words.
    Text {
        /// The words.
        text: String,
    },
    /// A picture.
    Image {
        /// Where its bytes are.
        source: ImageSource,
    },
    /// A file.
    Document {
        /// Where its bytes are.
        source: MessagesDocument,
        /// Its title.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        title: Option<String>,
    },
    /// What the model thought.
    Thinking {
        /// The thoughts; empty where they are not shown.
        thinking: String,
        /// The provider's seal on them. In a stream it comes behind them.
        #[serde(default)]
        signature: String,
    },
    /// Thoughts that the provider has withheld.
    RedactedThinking {
        /// What only the provider reads.
        data: String,
    },
    /// A call.
    ToolUse {
        /// Pairs it with its result.
        id: String,
        /// The tool's name.
        name: String,
        /// The arguments, always an object.
        input: Value,
    },
    /// What a tool answered.
    ToolResult {
        /// The call that it answers.
        tool_use_id: String,
        /// What the tool said.
        content: MessagesContent,
        /// Whether it failed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        is_error: Option<bool>,
    },
    /// A block of a type that is not known here, kept whole.
    #[serde(skip)]
    Other(Value),
}

/// Where a document's bytes are, as this API spells it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum MessagesDocument {
    /// Here, in base64.
    Base64 {
        /// What they are, such as `"application/pdf"`.
        media_type: String,
        /// The bytes in base64.
        data: String,
    },
    /// Here, as plain text.
    Text {
        /// What it is, such as `"text/plain"`.
        media_type: String,
        /// The text.
        data: String,
    },
    /// On the web.
    Url {
        /// The address.
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

/// The types that are known here.
const KNOWN: [&str; 7] = [
    "text",
    "image",
    "document",
    "thinking",
    "redacted_thinking",
    "tool_use",
    "tool_result",
];

impl<'de> Deserialize<'de> for MessagesBlock {
    /// As with [`OutputItem`](crate::chat::OutputItem): a block of a known type that lacks a
    /// field is an error which names the field, one of another type is kept.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let block = Value::deserialize(deserializer)?;
        match block["type"].as_str() {
            None => Err(de::Error::missing_field("type")),
            // What serde derives for `remote` is a function of the type's own.
            Some(kind) if KNOWN.contains(&kind) => {
                Self::deserialize(block).map_err(de::Error::custom)
            }
            Some(_) => Ok(Self::Other(block)),
        }
    }
}

impl Serialize for MessagesBlock {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Other(block) => block.serialize(serializer),
            known => Self::serialize(known, serializer),
        }
    }
}
