//! One entry of a transcript.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{AssistantContent, ToolResultContent, UserContent};
use crate::agent::Unknown;
use crate::agent::json::unknown::tagged;

/// One entry of a transcript.
///
/// As JSON it is an object whose `role` says which variant it is, in snake case. A field
/// that is `None` is left out, and one that is missing or `null` is read as `None`: a
/// transcript from before the field was there still loads. Times are in milliseconds since
/// 1970, UTC.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "snake_case")]
#[serde(remote = "Self")]
pub enum AgentMessage {
    /// Instructions, as a rule one message and the first.
    System {
        /// The instructions.
        content: String,
        /// When they were given.
        #[serde(skip_serializing_if = "Option::is_none")]
        timestamp: Option<u64>,
    },
    /// What the user said.
    User {
        /// Words, or words and pictures.
        content: UserContent,
        /// When it was said.
        #[serde(skip_serializing_if = "Option::is_none")]
        timestamp: Option<u64>,
    },
    /// What a model replied, or how it failed to.
    Assistant {
        /// The blocks, in order.
        content: AssistantContent,
        /// Why the reply ended.
        stop_reason: StopReason,
        /// What went wrong, if something did.
        #[serde(skip_serializing_if = "Option::is_none")]
        error_message: Option<String>,
        /// When the reply ended.
        #[serde(skip_serializing_if = "Option::is_none")]
        timestamp: Option<u64>,
        /// What it cost in tokens, if the provider said so.
        #[serde(skip_serializing_if = "Option::is_none")]
        usage: Option<Usage>,
    },
    /// What a tool answered to a call in an assistant's message before it.
    ToolResult {
        /// The id of the call.
        tool_call_id: String,
        /// The tool that was called.
        tool_name: String,
        /// What the model is told.
        content: ToolResultContent,
        /// Whether the tool failed.
        is_error: bool,
        /// One sentence for people. No provider sees it.
        #[serde(skip_serializing_if = "Option::is_none")]
        narration: Option<String>,
        /// Data for the host's own plugins. No provider sees it.
        #[serde(skip_serializing_if = "Option::is_none")]
        details: Option<Value>,
        /// When the tool was done.
        #[serde(skip_serializing_if = "Option::is_none")]
        timestamp: Option<u64>,
    },
    /// The host's own: a notification, a mark for a replay. No provider sees it.
    Custom {
        /// What it is, in the host's own words.
        kind: String,
        /// Whatever belongs to it.
        payload: Value,
        /// When it was made.
        #[serde(skip_serializing_if = "Option::is_none")]
        timestamp: Option<u64>,
    },
    /// An entry with unknown fields, from a newer program. [`known`](Self::known) is the
    /// entry without them.
    #[serde(skip)]
    Other(Unknown<Self>),
}

tagged!(
    AgentMessage,
    "role",
    &[
        ("system", "content timestamp"),
        ("user", "content timestamp"),
        (
            "assistant",
            "content stop_reason error_message timestamp usage"
        ),
        (
            "tool_result",
            "tool_call_id tool_name content is_error narration details timestamp"
        ),
        ("custom", "kind payload timestamp"),
    ]
);

impl AgentMessage {
    /// The role as JSON spells it.
    pub fn role(&self) -> &'static str {
        match self {
            Self::Other(entry) => entry.known.as_deref().map_or("", Self::role),
            Self::System { .. } => "system",
            Self::User { .. } => "user",
            Self::Assistant { .. } => "assistant",
            Self::ToolResult { .. } => "tool_result",
            Self::Custom { .. } => "custom",
        }
    }

    /// When it was made, if that is known.
    pub fn timestamp(&self) -> Option<u64> {
        match self {
            Self::Other(entry) => entry.known.as_deref()?.timestamp(),
            Self::System { timestamp, .. }
            | Self::User { timestamp, .. }
            | Self::Assistant { timestamp, .. }
            | Self::ToolResult { timestamp, .. }
            | Self::Custom { timestamp, .. } => *timestamp,
        }
    }
}

/// Why a reply ended. In JSON, the name in snake case; an unknown word is an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The model has said what it had to say.
    EndTurn,
    /// The model waits for the results of its tool calls.
    ToolUse,
    /// The reply reached the limit on its length.
    MaxTokens,
    /// The provider failed.
    Error,
    /// Somebody cancelled.
    Aborted,
    /// For a reason that this vocabulary has no word for.
    Other,
}

/// The tokens of one reply. A count of the cache that is missing in JSON is 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens read, those of the cache not counted.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// Tokens put into the provider's prompt cache.
    #[serde(default)]
    pub cache_creation_input_tokens: u64,
    /// Tokens read from that cache.
    #[serde(default)]
    pub cache_read_input_tokens: u64,
}
