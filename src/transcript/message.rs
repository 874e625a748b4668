//! One entry of a transcript.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{AssistantContent, ToolResultContent, UserContent};
use crate::agent::Unknown;
use crate::agent::json::unknown::tagged;

/// One entry of a transcript.
///
/// As JSON it is an object whose `role` is the variant's name in snake case. A field that is
/// `None` is left out, and a field that is missing or `null` is read as `None`, so a
/// transcript that is older than a field still loads. Timestamps are in milliseconds since
/// 1970, UTC.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub enum AgentMessage {
    /// Instructions. Usually there is one such entry, the first.
    System {
        /// The instructions.
        content: String,
        /// When the instructions were given.
        #[serde(skip_serializing_if = "Option::is_none")]
        timestamp: Option<u64>,
    },
    /// The user's message.
    User {
        /// Text, or text and images.
        content: UserContent,
        /// When the message was sent.
        #[serde(skip_serializing_if = "Option::is_none")]
        timestamp: Option<u64>,
    },
    /// A model's reply, or the error that ended it.
    Assistant {
        /// The blocks, in order.
        content: AssistantContent,
        /// Why the reply ended.
        stop_reason: StopReason,
        /// The error message, if the reply failed.
        #[serde(skip_serializing_if = "Option::is_none")]
        error_message: Option<String>,
        /// When the reply ended.
        #[serde(skip_serializing_if = "Option::is_none")]
        timestamp: Option<u64>,
        /// The tokens of the reply, if the provider reported them.
        #[serde(skip_serializing_if = "Option::is_none")]
        usage: Option<Usage>,
    },
    /// The result of a tool call in an assistant's message before it.
    ToolResult {
        /// The id of the call.
        tool_call_id: String,
        /// The tool that was called.
        tool_name: String,
        /// The content for the model.
        content: ToolResultContent,
        /// Whether the call failed.
        is_error: bool,
        /// One sentence for people. No provider sees it.
        #[serde(skip_serializing_if = "Option::is_none")]
        narration: Option<String>,
        /// Data for the host's own plugins. No provider sees it.
        #[serde(skip_serializing_if = "Option::is_none")]
        details: Option<Value>,
        /// When the call ended.
        #[serde(skip_serializing_if = "Option::is_none")]
        timestamp: Option<u64>,
    },
    /// An entry of the host, such as a notification or a mark for a replay. No provider sees
    /// it.
    Custom {
        /// The host's name for this kind of entry.
        kind: String,
        /// The host's data.
        payload: Value,
        /// When the entry was made.
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
    ],
    &[(
        "usage",
        "input_tokens output_tokens cache_creation_input_tokens cache_read_input_tokens"
    )]
);

/// Why a reply ended. In JSON it is the name in snake case, and an unknown name is an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum StopReason {
    /// The model finished its reply.
    EndTurn,
    /// The model waits for the results of its tool calls.
    ToolUse,
    /// The reply reached the limit on its length.
    MaxTokens,
    /// The provider failed.
    Error,
    /// The user or the host canceled the reply.
    Aborted,
    /// A reason that has no name here.
    Other,
}

/// The tokens of one reply. A cache count that is missing in JSON is 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens read, without those from the cache.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// Tokens put into the provider's prompt cache.
    pub cache_creation_input_tokens: u64,
    /// Tokens read from that cache.
    pub cache_read_input_tokens: u64,
}
