//! The content blocks of messages, stop reasons, and messages.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Unknown, Usage};
use crate::agent::json::field_names::{ASSISTANT, TOOL_RESULT, USER};
use crate::agent::json::unknown::tagged;
use crate::provider;

/// One block of a message.
///
/// As JSON, an object whose `type` is the variant's name in camel case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub enum Content {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// An image, inside the message.
    Image {
        /// The image's bytes in base64, never a path.
        data: String,
        /// The media type, such as `image/png`.
        mime_type: String,
    },
    /// A block of an unknown type or with unknown fields, from a newer program. Models are
    /// sent only its [known](Self::known) part.
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

/// Why a reply ended. In JSON, the variant's name in camel case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum StopReason {
    /// The model finished its reply.
    Stop,
    /// The reply reached the limit on its length.
    Length,
    /// The model waits for the results of its tool calls.
    ToolUse,
    /// The provider failed, or the connection to it.
    Error,
    /// The caller aborted the reply.
    Aborted,
}

/// One message of a conversation with a model.
///
/// As JSON, an object whose [`role`](Self::role) says who wrote it. Timestamps are in
/// milliseconds since 1970, UTC.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    /// The user's message.
    User {
        /// The blocks, in order.
        content: Vec<Content>,
        /// When the user sent it.
        timestamp: u64,
    },
    /// A model's reply, or the error that ended it.
    Assistant {
        /// The blocks, in order.
        content: Vec<Content>,
        /// Why the reply ended.
        stop_reason: StopReason,
        /// The model that replied.
        model: String,
        /// The provider of the model.
        provider: String,
        /// The tokens of the reply.
        usage: Usage,
        /// When the reply ended.
        timestamp: u64,
        /// The error message, if the reply failed.
        error_message: Option<String>,
    },
    /// The result of a tool call.
    ToolResult {
        /// The id of the call.
        tool_call_id: String,
        /// The tool that was called.
        tool_name: String,
        /// The blocks, in order.
        content: Vec<Content>,
        /// Whether the call failed.
        is_error: bool,
        /// When the call ended.
        timestamp: u64,
        /// The loop that produced the result, if the tool was an agent.
        child_loop_id: Option<String>,
    },
}

impl Message {
    /// The message with only the [known](Content::known) parts of its blocks.
    pub fn known(&self) -> Self {
        let mut message = self.clone();
        let (Self::User { content, .. }
        | Self::Assistant { content, .. }
        | Self::ToolResult { content, .. }) = &mut message;
        let blocks = std::mem::take(content).into_iter();
        *content = blocks.filter_map(Content::into_known).collect();
        message
    }

    /// A user's message with one block of text and the current time.
    pub fn user(text: impl Into<String>) -> Self {
        todo!("three-roles: write Message::user")
    }

    /// The role as JSON spells it: `user`, `assistant` or `toolResult`.
    pub fn role(&self) -> &'static str {
        todo!("three-roles: write Message::role")
    }

    /// Whether this reply failed because the context was too long: its stop reason is
    /// [`StopReason::Error`], and [`provider::is_overflow_message`] accepts its error message.
    pub fn is_context_overflow(&self) -> bool {
        todo!("three-roles: write Message::is_context_overflow")
    }
}

/// The current time in milliseconds since 1970, UTC; 0 if the clock is set before 1970.
pub fn now_ms() -> u64 {
    todo!("three-roles: write now_ms")
}
