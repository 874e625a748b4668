//! What a session keeps of a conversation.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize, Serializer, ser};
use serde_json::{Map, Value};

use super::{ToolCall, UnifiedContentBlock};

/// Who sent a message. In JSON, the name in lower case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Instructions that say how the agent behaves.
    System,
    /// What the user typed.
    User,
    /// What the model replied.
    Assistant,
    /// Instructions in place of `System`, for the providers that call them so.
    Developer,
    /// What a tool answered to one call.
    Tool,
}

/// How far a message has come. In JSON, the name in snake case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MessageStatus {
    /// It is still being written.
    InProgress,
    /// It is whole.
    Completed,
    /// It was cut short, for example by a token limit.
    Incomplete,
    /// It broke off with an error.
    Failed,
}

/// What is known of a tool's run besides its output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolExecutionMetadata {
    /// Whether the tool did what it was asked.
    pub success: bool,
    /// How long it took, in milliseconds. JSON has no word for an endless time or one that
    /// is no number, so such a value is not written: it is an error.
    #[serde(serialize_with = "finite")]
    pub duration_ms: f64,
    /// The tool that ran.
    pub tool_name: String,
    /// What it was given: JSON inside a string, as in the call.
    pub arguments: String,
}

/// One message of a session.
///
/// As JSON it is an object with the fields below. A field that is `None` is left out, and
/// one that is left out or `null` is read as `None`. Fields that this program does not know
/// are kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChatMessage {
    /// Who sent it.
    pub role: Role,
    /// A name for the sender, where there are several of one role, or for the tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// On a `Tool` message, the [`ToolCall::id`] that it answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
    /// The text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// On an `Assistant` message, the calls it makes, in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_calls: Option<Vec<ToolCall>>,
    /// The model's thinking, as text alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// The message in full: its blocks, with images, signatures and their order. Where
    /// there are any, they are what is sent; `content`, `reasoning` and `tool_calls` then
    /// only show what is in them. Whoever changes one of those has to clear this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw_content_blocks: Option<Vec<UnifiedContentBlock>>,
    /// On a `Tool` message, how the run went.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_metadata: Option<ToolExecutionMetadata>,
    /// When it was made: RFC 3339 in JSON. Another offset than UTC is read as the same
    /// moment in UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<DateTime<Utc>>,
    /// The provider's id for it, or one from [`generate_id`](Self::generate_id).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// How far it has come.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<MessageStatus>,
    /// The fields that this program does not know, such as `provider_response_id`. No
    /// provider is sent them.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

impl ChatMessage {
    /// A message of which nothing but the role is known. No constructor invents an id, a
    /// time or a status: `None` says that nobody gave one.
    pub fn new(role: Role) -> Self {
        Self {
            role,
            name: None,
            tool_call_id: None,
            content: None,
            tool_calls: None,
            reasoning: None,
            raw_content_blocks: None,
            tool_metadata: None,
            timestamp: None,
            id: None,
            status: None,
            other: Map::new(),
        }
    }

    /// Instructions.
    pub fn system(content: impl Into<String>) -> Self {
        Self::with_content(Role::System, content.into())
    }

    /// Instructions, for a provider that knows `Developer`.
    pub fn developer(content: impl Into<String>) -> Self {
        Self::with_content(Role::Developer, content.into())
    }

    /// The user's words.
    pub fn user(content: impl Into<String>) -> Self {
        Self::with_content(Role::User, content.into())
    }

    /// The model's words.
    pub fn assistant(content: impl Into<String>) -> Self {
        Self::with_content(Role::Assistant, content.into())
    }

    /// What a tool answered to the call of this id.
    pub fn tool_result(tool_call_id: impl Into<String>, content: impl Into<String>) -> Self {
        Self {
            tool_call_id: Some(tool_call_id.into()),
            ..Self::with_content(Role::Tool, content.into())
        }
    }

    /// A new id for a message that no provider has named: `msg_`, then 32 hexadecimal
    /// digits in lower case, which are a random UUID without its hyphens.
    pub fn generate_id() -> String {
        format!("msg_{}", uuid::Uuid::new_v4().simple())
    }

    fn with_content(role: Role, content: String) -> Self {
        Self {
            content: Some(content),
            ..Self::new(role)
        }
    }
}

// serde_json would write `null`, and the session would not load again.
fn finite<S: Serializer>(milliseconds: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if !milliseconds.is_finite() {
        let problem = format!("`duration_ms` is {milliseconds}, which JSON cannot hold");
        return Err(ser::Error::custom(problem));
    }
    serializer.serialize_f64(*milliseconds)
}
