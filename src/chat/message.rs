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
    /// What a tool answered to one call.
    Tool,
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
    pub tool_call_id: Option<String>,
    /// The text.
    pub content: Option<String>,
    /// On an `Assistant` message, the calls it makes, in order.
    pub tool_calls: Option<Vec<ToolCall>>,
    /// The model's thinking, as text alone.
    pub reasoning: Option<String>,
    /// The message in full: its blocks, with images, signatures and their order. Where
    /// there are any, they are what is sent; `content`, `reasoning` and `tool_calls` then
    /// only show what is in them. Whoever changes one of those has to clear this.
    pub raw_content_blocks: Option<Vec<UnifiedContentBlock>>,
}

impl ChatMessage {
    /// A message of which nothing but the role is known. No constructor invents an id, a
    /// time or a status: `None` says that nobody gave one.
    pub fn new(role: Role) -> Self {
        todo!("18.4: write ChatMessage::new")
    }

    /// Instructions.
    pub fn system(content: impl Into<String>) -> Self {
        todo!("18.4: write ChatMessage::system")
    }

    /// Instructions, for a provider that knows `Developer`.
    pub fn developer(content: impl Into<String>) -> Self {
        todo!("18.4: write ChatMessage::developer")
    }

    /// The user's words.
    pub fn user(content: impl Into<String>) -> Self {
        todo!("18.4: write ChatMessage::user")
    }

    /// The model's words.
    pub fn assistant(content: impl Into<String>) -> Self {
        todo!("18.4: write ChatMessage::assistant")
    }

    /// What a tool answered to the call of this id.
    pub fn tool_result(tool_call_id: impl Into<String>, content: impl Into<String>) -> Self {
        todo!("18.4: write ChatMessage::tool_result")
    }

    /// A new id for a message that no provider has named: `msg_`, then 32 hexadecimal
    /// digits in lower case, which are a random UUID without its hyphens.
    pub fn generate_id() -> String {
        todo!("18.4: write ChatMessage::generate_id")
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
    todo!("18.1: write finite")
}
