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
        todo!("14.5: write Message::user")
    }

    /// The role as JSON spells it: `user`, `assistant` or `toolResult`.
    pub fn role(&self) -> &'static str {
        todo!("14.5: write Message::role")
    }

    /// Whether a provider refused this reply because the context was too long: it ended in
    /// [`StopReason::Error`], and its error message has words for that, by chapter 2's list.
    pub fn is_context_overflow(&self) -> bool {
        todo!("14.5: write Message::is_context_overflow")
    }
}

/// The time now, in milliseconds since 1970, UTC; 0 on a clock that stands before that.
pub fn now_ms() -> u64 {
    todo!("14.5: write now_ms")
}
