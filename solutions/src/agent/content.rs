//! What a message is made of, and the messages themselves.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Unknown, Usage};
use crate::agent::json::field_names::{ASSISTANT, TOOL_RESULT, USER};
use crate::agent::json::unknown::tagged;
use crate::provider;

/// One block of a message.
///
/// As JSON it is an object whose `type` says which block it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
#[serde(remote = "Self")]
pub enum Content {
    /// Words.
    Text {
        /// The words.
        text: String,
    },
    /// A picture, carried in the message itself.
    Image {
        /// The picture's bytes in base64, never a path.
        data: String,
        /// What the bytes are, such as `image/png`.
        mime_type: String,
    },
    /// What a model thought before it answered. It is for people to see.
    Thinking {
        /// The thoughts.
        thinking: String,
        /// The provider's seal on them. It goes back to that provider as it came.
        #[serde(skip_serializing_if = "Option::is_none")]
        signature: Option<String>,
    },
    /// A request to run a tool.
    ToolCall {
        /// Made by the provider; the result names it.
        id: String,
        /// Which tool.
        name: String,
        /// What the tool is given.
        arguments: Value,
    },
    /// A block of an unknown type or with unknown fields, from a newer program. No model is
    /// sent what is unknown; [`known`](Self::known) is the rest.
    #[serde(skip)]
    Other(Unknown<Self>),
}

tagged!(
    Content,
    "type",
    &[
        ("text", "text"),
        ("image", "data mimeType"),
        ("thinking", "thinking signature"),
        ("toolCall", "id name arguments"),
    ]
);

/// Why a reply ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum StopReason {
    /// The model has said what it had to say.
    Stop,
    /// The reply reached the limit on its length.
    Length,
    /// The model waits for the results of its tool calls.
    ToolUse,
    /// The provider failed.
    Error,
    /// The caller cancelled.
    Aborted,
    /// The run reached the limit on its turns.
    MaxTurns,
    /// The user said stop.
    UserStop,
    /// A person takes over.
    Handoff,
    /// A filter stopped the reply.
    GuardRail,
    /// The context was compacted, and something may be lost.
    ContextCompacted,
    /// The reply waits for something from outside.
    Paused,
}

/// One message of a conversation, as a model takes part in it.
///
/// As JSON it is an object whose `role` says whose message it is. All times are in
/// milliseconds since 1970, UTC.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    /// What the user said.
    User {
        /// The blocks, in order.
        content: Vec<Content>,
        /// When it was said.
        timestamp: u64,
    },
    /// What a model replied, or how it failed to.
    Assistant {
        /// The blocks, in order.
        content: Vec<Content>,
        /// Why the reply ended.
        stop_reason: StopReason,
        /// The model that replied.
        model: String,
        /// The provider that was asked.
        provider: String,
        /// What the reply cost in tokens.
        usage: Usage,
        /// When it ended.
        timestamp: u64,
        /// What went wrong, if something did.
        error_message: Option<String>,
    },
    /// What a tool answered.
    ToolResult {
        /// The id of the call that this answers.
        tool_call_id: String,
        /// The tool that was called.
        tool_name: String,
        /// The blocks, in order.
        content: Vec<Content>,
        /// Whether the tool failed.
        is_error: bool,
        /// When the tool was done.
        timestamp: u64,
        /// The loop that answered, when the tool was an agent itself.
        child_loop_id: Option<String>,
    },
}

impl Message {
    /// The message with the [known](Content::known) part of its blocks.
    pub fn known(&self) -> Self {
        let mut message = self.clone();
        let (Self::User { content, .. }
        | Self::Assistant { content, .. }
        | Self::ToolResult { content, .. }) = &mut message;
        let blocks = std::mem::take(content).into_iter();
        *content = blocks.filter_map(Content::into_known).collect();
        message
    }

    /// What the user said just now: one block of text.
    pub fn user(text: impl Into<String>) -> Self {
        Self::User {
            content: vec![Content::Text { text: text.into() }],
            timestamp: now_ms(),
        }
    }

    /// The role as JSON spells it: `user`, `assistant` or `toolResult`.
    pub fn role(&self) -> &'static str {
        match self {
            Self::User { .. } => USER,
            Self::Assistant { .. } => ASSISTANT,
            Self::ToolResult { .. } => TOOL_RESULT,
        }
    }

    /// Whether a provider refused this reply because the context was too long: it ended in
    /// [`StopReason::Error`], and its error message has words for that, by chapter 2's list.
    pub fn is_context_overflow(&self) -> bool {
        let Self::Assistant {
            stop_reason: StopReason::Error,
            error_message: Some(error),
            ..
        } = self
        else {
            return false;
        };
        provider::is_overflow_message(error)
    }
}

/// The time now, in milliseconds since 1970, UTC; 0 on a clock that stands before that.
pub fn now_ms() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |time| time.as_millis() as u64)
}
