//! A conversation, the same for all wire formats.

use crate::reply::ToolCall;

/// One turn of a conversation.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Turn {
    System(String),
    User(Content),
    Assistant { text: String, calls: Vec<ToolCall> },
    ToolResult(ToolResult),
}

/// What a message or a tool result contains.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Content {
    /// The texts, joined by line ends. A part that is neither text nor an image appears as
    /// its type in brackets, such as `[document]`.
    pub(crate) text: String,
    /// The number of images.
    pub(crate) images: usize,
}

/// The result of one tool call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ToolResult {
    /// The id of the call.
    pub(crate) id: String,
    pub(crate) content: Content,
    pub(crate) status: ToolStatus,
}

/// Whether a tool call failed. The wire format's reader sets it, once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum ToolStatus {
    Succeeded,
    Failed,
    /// The format has no field for a failure, and the text could be either a failure or the
    /// output of a shell command.
    Unknown,
}

impl Turn {
    /// The text of a message, `None` for a tool result.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::System(text) | Self::Assistant { text, .. } => Some(text),
            Self::User(content) => Some(&content.text),
            Self::ToolResult(_) => None,
        }
    }

    /// How many bytes the turn counts for in the token usage.
    pub(crate) fn byte_len(&self) -> usize {
        match self {
            Self::System(text) => text.len(),
            Self::User(content) => content.text.len(),
            Self::Assistant { text, calls } => {
                text.len() + calls.iter().map(ToolCall::byte_len).sum::<usize>()
            }
            Self::ToolResult(result) => result.content.text.len(),
        }
    }
}
