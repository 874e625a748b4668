//! What stands between a session and a provider: messages made of typed blocks.

use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::Value;

use crate::agent::Unknown;
use crate::agent::json::unknown::tagged;

/// Who sent a unified message. In JSON, the name in lower case.
///
/// Providers agree on these three. What a tool answered is said by `User`, in blocks of
/// type `tool_result`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UnifiedRole {
    /// Instructions.
    System,
    /// The user, and the tools.
    User,
    /// The model.
    Assistant,
}

/// One message on its way to a provider or back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UnifiedMessage {
    /// Who sent it.
    pub role: UnifiedRole,
    /// What it says, in order.
    pub content: Vec<UnifiedContentBlock>,
}

/// One piece of a message.
///
/// As JSON, an object with the fields of the variant, and beside them `type`, which holds
/// the variant's name in snake case. A field that is `None` is left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[serde(remote = "Self")]
pub enum UnifiedContentBlock {
    /// Words.
    Text {
        /// The words.
        text: String,
    },
    /// A picture.
    Image {
        /// Where its bytes are.
        source: ImageSource,
        /// How closely the model is to look, in the provider's words, such as `"low"`.
        #[serde(skip_serializing_if = "Option::is_none")]
        detail: Option<String>,
    },
    /// A file that is read as a whole, such as a PDF.
    Document {
        /// Where its bytes are.
        source: DocumentSource,
        /// Its title, if the model is to know it.
        #[serde(skip_serializing_if = "Option::is_none")]
        title: Option<String>,
    },
    /// A call of a tool.
    ToolUse {
        /// Pairs the call with its result.
        id: String,
        /// The tool's name.
        name: String,
        /// The arguments: a JSON object, or whatever the model wrote in its place.
        input: Value,
    },
    /// The answer to a call.
    ToolResult {
        /// The id of the [`ToolUse`](Self::ToolUse) that it answers.
        tool_use_id: String,
        /// What the tool said.
        #[serde(default)]
        content: ToolResultContent,
        /// Whether the tool failed. `None`: nobody said so.
        #[serde(skip_serializing_if = "Option::is_none")]
        is_error: Option<bool>,
    },
    /// What the model thought before it answered.
    Thinking {
        /// The thoughts. Empty where the provider does not show them.
        thinking: String,
        /// By this a provider knows its own thoughts again. It must go back unchanged.
        #[serde(skip_serializing_if = "Option::is_none")]
        signature: Option<String>,
        /// The thoughts in a form that only the provider reads. They must go back unchanged.
        #[serde(skip_serializing_if = "Option::is_none")]
        encrypted_content: Option<String>,
        /// The provider's id for them.
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        /// Whether the provider has withheld the thoughts. Always written; one that is
        /// left out is `false`.
        #[serde(default)]
        redacted: bool,
    },
    /// A block of an unknown type or with unknown fields, from a newer program. No provider
    /// is sent what is unknown.
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
    ]
);

/// Where an image's bytes are. As JSON, an object with a field `type`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ImageSource {
    /// Here.
    Base64 {
        /// What they are, such as `"image/png"`.
        media_type: String,
        /// The bytes in base64.
        data: String,
    },
    /// On the web, for the provider to fetch.
    Url {
        /// The address.
        url: String,
    },
}

/// Where a document's bytes are. As JSON, an object with a field `type`. The older types
/// `base64` and `url` are read, too.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum DocumentSource {
    /// Here.
    #[serde(alias = "base64")]
    Base64Pdf {
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
    /// On the web, for the provider to fetch.
    #[serde(alias = "url")]
    UrlPdf {
        /// The address.
        url: String,
    },
}

/// What a tool answered: in JSON a bare string or a list of blocks. Each is written in the
/// form in which it was read.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum ToolResultContent {
    /// Words alone.
    Text(String),
    /// Words and pictures.
    Blocks(Vec<UnifiedContentBlock>),
    /// Any other JSON, of another program. A model is sent its text.
    Json(Value),
}

impl<'de> Deserialize<'de> for ToolResultContent {
    /// Reads a string as [`Text`](Self::Text), a list of objects that all have a string `type`
    /// as [`Blocks`](Self::Blocks), and anything else as [`Json`](Self::Json). An error inside
    /// a block is that block's own.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Value::deserialize(deserializer)? {
            Value::String(text) => Self::Text(text),
            Value::Array(list) if list.iter().all(|block| block["type"].is_string()) => {
                let blocks = serde_json::from_value(Value::Array(list));
                Self::Blocks(blocks.map_err(de::Error::custom)?)
            }
            json => Self::Json(json),
        })
    }
}

impl Default for ToolResultContent {
    /// The content of a result that has none.
    fn default() -> Self {
        Self::Json(Value::Null)
    }
}

/// The text of a [result's JSON](ToolResultContent::Json), empty for `null`.
pub(crate) fn text_of_json(json: &Value) -> String {
    match json {
        Value::Null => String::new(),
        json => json.to_string(),
    }
}
