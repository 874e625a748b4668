//! The messages that a session stores.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize, Serializer, ser};
use serde_json::{Map, Value};

use super::{ToolCall, UnifiedContentBlock};

/// Who sent a message. In JSON, the name in lower case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Instructions for the model.
    System,
    /// The user.
    User,
    /// The model.
    Assistant,
    /// A tool, with the result of one call.
    Tool,
}

/// Data about a tool's run besides its output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolExecutionMetadata {
    /// Whether the call succeeded.
    pub success: bool,
    /// The duration in milliseconds. JSON cannot represent an infinite value or NaN, so
    /// writing one is an error.
    #[serde(serialize_with = "finite")]
    pub duration_ms: f64,
    /// The tool that ran.
    pub tool_name: String,
    /// The arguments: JSON inside a string, as in the call.
    pub arguments: String,
    /// The fields that this program does not know.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// One message of a session.
///
/// As JSON, an object with these fields. A field that is `None` is left out, and a field that
/// is missing or `null` is read as `None`. Unknown fields are kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChatMessage {
    /// Who sent the message.
    pub role: Role,
    /// The name of the tool, or of the sender if several have one role.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// On a `Tool` message, the [`ToolCall::id`] of the call.
    pub tool_call_id: Option<String>,
    /// The text.
    pub content: Option<String>,
    /// On an `Assistant` message, its calls, in order.
    pub tool_calls: Option<Vec<ToolCall>>,
    /// The model's thinking as plain text.
    pub reasoning: Option<String>,
    /// The complete message as blocks, with images, signatures and their order. If there are
    /// any, only they are sent, and `content`, `reasoning` and `tool_calls` repeat parts of
    /// them. Code that changes one of those fields has to clear this one.
    pub raw_content_blocks: Option<Vec<UnifiedContentBlock>>,
}

impl ChatMessage {
    /// A message with a role and no other field. No constructor sets an id, a timestamp or a
    /// status, so `None` means that it is unknown.
    pub fn new(role: Role) -> Self {
        todo!("constructors-and-ids: write ChatMessage::new")
    }

    /// A `System` message with this content.
    pub fn system(content: impl Into<String>) -> Self {
        Self::with_content(Role::System, content.into())
    }

    /// A `Developer` message with this content.
    pub fn developer(content: impl Into<String>) -> Self {
        todo!("constructors-and-ids: write ChatMessage::developer")
    }

    /// A `User` message with this content.
    pub fn user(content: impl Into<String>) -> Self {
        Self::with_content(Role::User, content.into())
    }

    /// An `Assistant` message with this content.
    pub fn assistant(content: impl Into<String>) -> Self {
        Self::with_content(Role::Assistant, content.into())
    }

    /// A `Tool` message with the result of the call that has this id.
    pub fn tool_result(tool_call_id: impl Into<String>, content: impl Into<String>) -> Self {
        todo!("constructors-and-ids: write ChatMessage::tool_result")
    }

    /// A new id for a message without a provider's id: `msg_` and 32 hexadecimal digits in
    /// lower case, a random UUID without its hyphens.
    pub fn generate_id() -> String {
        todo!("constructors-and-ids: write ChatMessage::generate_id")
    }

    fn with_content(role: Role, content: String) -> Self {
        Self {
            content: Some(content),
            ..Self::new(role)
        }
    }
}

// serde_json would write `null`, and then the session would not load again.
fn finite<S: Serializer>(milliseconds: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    todo!("fields-of-chat-message: write finite")
}
