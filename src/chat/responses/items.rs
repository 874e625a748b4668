//! The items of the Responses API: what it is sent, and what it answers.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::Value;

use crate::chat::{MessageStatus, Role, TextOr};

/// One item of a request's `input`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum InputItem {
    /// Something that was said.
    Message(InputMessage),
    /// What the model thought, given back to it.
    Reasoning(ReasoningItem),
    /// A call that the model made.
    FunctionCall(FunctionCallItem),
    /// What the tool answered.
    FunctionCallOutput(FunctionCallOutput),
}

/// One item of a response's `output`. Each kind that is not known here is kept whole.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum OutputItem {
    /// What the model says.
    Message(OutputMessage),
    /// What it thought.
    Reasoning(ReasoningItem),
    /// A call that it makes.
    FunctionCall(FunctionCallItem),
    /// Something else, such as a search that the provider ran.
    #[serde(untagged)]
    Other(Value),
}

impl<'de> Deserialize<'de> for OutputItem {
    /// An item of a known type that lacks a field is an error which names the field. One of
    /// another type is [`Other`](Self::Other); one without a type is an error.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        todo!("19.2: write OutputItem::deserialize")
    }
}

/// A message on its way in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct InputMessage {
    /// The API's id for it: for a message of the model's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Who said it.
    pub role: Role,
    /// What was said, in order.
    pub content: Vec<InputContent>,
    /// How far it came: for a message of the model's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<MessageStatus>,
}

/// A piece of a message on its way in, or of a tool's answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum InputContent {
    /// Words of the user's, of the instructions or of a tool.
    InputText {
        /// The words.
        text: String,
    },
    /// A picture.
    InputImage {
        /// An address, or the bytes as a `data:` URL.
        image_url: String,
        /// How closely to look; the API wants this said.
        detail: String,
    },
    /// A file.
    InputFile {
        /// Its name, which the API wants beside `file_data`.
        #[serde(skip_serializing_if = "Option::is_none")]
        filename: Option<String>,
        /// The bytes as a `data:` URL.
        #[serde(skip_serializing_if = "Option::is_none")]
        file_data: Option<String>,
        /// Its address.
        #[serde(skip_serializing_if = "Option::is_none")]
        file_url: Option<String>,
    },
    /// Words of the model's.
    OutputText {
        /// The words.
        text: String,
        /// Where they come from. The API's own clients ask for the list, if it is empty too.
        #[serde(skip_serializing_if = "Option::is_none")]
        annotations: Option<Vec<Value>>,
    },
}

/// A message of the model's, as it comes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OutputMessage {
    /// The API's id for it.
    pub id: String,
    /// Always `assistant`.
    pub role: Role,
    /// What it says, in order.
    pub content: Vec<OutputContent>,
    /// How far it came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<MessageStatus>,
}

/// A piece of what the model says. Fields beside these are not kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", remote = "Self")]
pub enum OutputContent {
    /// Words.
    OutputText {
        /// The words.
        text: String,
    },
    /// Words in place of an answer.
    Refusal {
        /// The words.
        refusal: String,
    },
    /// A piece of a type that is not known here, kept whole.
    #[serde(skip)]
    Other(Value),
}

impl OutputContent {
    /// The JSON of a piece whose type is not known here.
    pub fn unknown(&self) -> Option<&Value> {
        match self {
            Self::Other(piece) => Some(piece),
            _ => None,
        }
    }
}

impl<'de> Deserialize<'de> for OutputContent {
    /// As with [`OutputItem`]: a piece of a known type that lacks a field is an error which
    /// names the field, one of another type is kept.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let piece = Value::deserialize(deserializer)?;
        match kind(&piece)? {
            // What serde derives for `remote` is a function of the type's own.
            "output_text" | "refusal" => Self::deserialize(piece).map_err(de::Error::custom),
            _ => Ok(Self::Other(piece)),
        }
    }
}

impl Serialize for OutputContent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Other(part) => part.serialize(serializer),
            known => Self::serialize(known, serializer),
        }
    }
}

/// What a model thought. Fields beside these, such as the `format` that OpenRouter gives with
/// a signature, are not kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReasoningItem {
    /// The API's id for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What of it may be shown. Always written; one that is left out is empty.
    #[serde(default)]
    pub summary: Vec<ThoughtPart>,
    /// The thoughts themselves, from servers that do not hide them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<Vec<ThoughtPart>>,
    /// The thoughts in a form that only the provider reads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encrypted_content: Option<String>,
    /// The seal on thoughts that are not hidden, from OpenRouter: the model behind it may be
    /// one of another API, which knows its thoughts by that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
}

/// A paragraph of thoughts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", remote = "Self")]
pub enum ThoughtPart {
    /// One of the summary.
    SummaryText {
        /// The paragraph.
        text: String,
    },
    /// One of the thoughts themselves.
    ReasoningText {
        /// The paragraph.
        text: String,
    },
    /// Something of a type that is not known here, kept whole.
    #[serde(skip)]
    Other(Value),
}

impl ThoughtPart {
    /// The JSON of something whose type is not known here.
    pub fn unknown(&self) -> Option<&Value> {
        match self {
            Self::Other(part) => Some(part),
            _ => None,
        }
    }
}

impl<'de> Deserialize<'de> for ThoughtPart {
    /// As with [`OutputContent`].
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let part = Value::deserialize(deserializer)?;
        match kind(&part)? {
            "summary_text" | "reasoning_text" => Self::deserialize(part).map_err(de::Error::custom),
            _ => Ok(Self::Other(part)),
        }
    }
}

impl Serialize for ThoughtPart {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Other(part) => part.serialize(serializer),
            known => Self::serialize(known, serializer),
        }
    }
}

/// The type of a piece or a part.
fn kind<E: de::Error>(part: &Value) -> Result<&str, E> {
    let kind = part["type"].as_str();
    kind.ok_or_else(|| E::missing_field("type"))
}

/// A call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FunctionCallItem {
    /// Pairs the call with its output. Not the item's own `id`.
    pub call_id: String,
    /// The tool's name.
    pub name: String,
    /// The arguments: JSON inside a string.
    pub arguments: String,
    /// How far the call came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<MessageStatus>,
}

/// The answer to a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FunctionCallOutput {
    /// The call that it answers.
    pub call_id: String,
    /// What the tool said.
    pub output: FunctionOutput,
}

/// What a tool said: words alone, or words and pictures.
pub type FunctionOutput = TextOr<InputContent>;
