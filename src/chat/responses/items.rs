//! The items of the Responses API, of requests and of responses.

use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::Value;

use crate::chat::open_enum::open_enum;
use crate::chat::{MessageStatus, Role, TextOr};

/// One item of a request's `input`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum InputItem {
    /// A message.
    Message(InputMessage),
    /// The model's thoughts, sent back to it.
    Reasoning(ReasoningItem),
    /// A call of a tool.
    FunctionCall(FunctionCallItem),
    /// The result of a call.
    FunctionCallOutput(FunctionCallOutput),
}

/// One item of a response's `output`. An item of an unknown type is kept unchanged.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum OutputItem {
    /// The model's message.
    Message(OutputMessage),
    /// The model's thoughts.
    Reasoning(ReasoningItem),
    /// A call of a tool.
    FunctionCall(FunctionCallItem),
    /// Any other item, such as a search that the provider ran.
    #[serde(untagged)]
    Other(Value),
}

impl<'de> Deserialize<'de> for OutputItem {
    /// An item of a known type that lacks a field is an error that names the field. An item of
    /// another type is [`Other`](Self::Other). An item without a type is an error.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // With a derived `untagged`, a message without its content would become `Other`.
        let item = Value::deserialize(deserializer)?;
        let Some(kind) = item["type"].as_str() else {
            return Err(de::Error::missing_field("type"));
        };
        let known = match kind {
            "message" => serde_json::from_value(item).map(Self::Message),
            "reasoning" => serde_json::from_value(item).map(Self::Reasoning),
            "function_call" => serde_json::from_value(item).map(Self::FunctionCall),
            _ => Ok(Self::Other(item)),
        };
        known.map_err(de::Error::custom)
    }
}

/// A message of a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct InputMessage {
    /// On an assistant's message, the API's id of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Who sent the message.
    pub role: Role,
    /// The content, in order.
    pub content: Vec<InputContent>,
    /// On an assistant's message, whether it is complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<MessageStatus>,
}

/// A piece of a message of a request, or of a tool's result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum InputContent {
    /// Text of the user, the instructions or a tool.
    InputText {
        /// The text.
        text: String,
    },
    /// An image.
    InputImage {
        /// A URL on the web, or a `data:` URL.
        image_url: String,
        /// The resolution that the model sees, such as `auto`. The API requires it.
        detail: String,
    },
    /// A file.
    InputFile {
        /// The file's name. The API requires it with `file_data`.
        #[serde(skip_serializing_if = "Option::is_none")]
        filename: Option<String>,
        /// The bytes as a `data:` URL.
        #[serde(skip_serializing_if = "Option::is_none")]
        file_data: Option<String>,
        /// The URL of the file.
        #[serde(skip_serializing_if = "Option::is_none")]
        file_url: Option<String>,
    },
    /// Text of the model.
    OutputText {
        /// The text.
        text: String,
        /// The sources of the text. The API's own clients require the list, even if it is empty.
        #[serde(skip_serializing_if = "Option::is_none")]
        annotations: Option<Vec<Value>>,
    },
}

/// The model's message in a response.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OutputMessage {
    /// The API's id of the message.
    pub id: String,
    /// Always `assistant`.
    pub role: Role,
    /// The content, in order.
    pub content: Vec<OutputContent>,
    /// Whether the message is complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<MessageStatus>,
}

/// A piece of the model's message. Other fields are not kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", remote = "Self")]
pub enum OutputContent {
    /// Text.
    OutputText {
        /// The text.
        text: String,
    },
    /// A refusal.
    Refusal {
        /// Its text.
        refusal: String,
    },
    /// A piece of an unknown type, unchanged.
    #[serde(skip)]
    Other(Value),
}

open_enum!(OutputContent, ["output_text", "refusal"]);

/// The model's thoughts. Other fields, such as the `format` that OpenRouter sends with a
/// signature, are not kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReasoningItem {
    /// The API's id of the thoughts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The summary for people. Always written; read as empty if it is missing.
    #[serde(default)]
    pub summary: Vec<ThoughtPart>,
    /// The complete thoughts, from servers that show them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<Vec<ThoughtPart>>,
    /// The thoughts in a form that only the provider reads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encrypted_content: Option<String>,
    /// The signature of thoughts that are shown, from OpenRouter. Its model may come from
    /// another API, which requires the signature.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
}

/// A paragraph of thoughts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", remote = "Self")]
pub enum ThoughtPart {
    /// A paragraph of the summary.
    SummaryText {
        /// The text.
        text: String,
    },
    /// A paragraph of the complete thoughts.
    ReasoningText {
        /// The text.
        text: String,
    },
    /// A paragraph of an unknown type, unchanged.
    #[serde(skip)]
    Other(Value),
}

open_enum!(ThoughtPart, ["summary_text", "reasoning_text"]);

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FunctionCallItem {
    /// The id of the call. The output has the same. It is not the item's own `id`.
    pub call_id: String,
    /// The tool's name.
    pub name: String,
    /// The arguments: JSON inside a string.
    pub arguments: String,
    /// Whether the call is complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<MessageStatus>,
}

/// The result of a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FunctionCallOutput {
    /// The id of the call.
    pub call_id: String,
    /// The content for the model.
    pub output: FunctionOutput,
}

/// The content of a tool's result: a string, or a list of text, images and files.
pub type FunctionOutput = TextOr<InputContent>;
