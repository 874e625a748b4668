//! The messages of a conversation.

use serde::{Deserialize, Serialize};

use super::{TokenUsage, ToolCall, ToolResult};

/// Identifies one message: a UUID (version 4, random) in its hyphenated, lower-case form.
pub type MessageId = String;

/// Returns a new identifier that no other message has.
pub fn new_id() -> MessageId {
    uuid::Uuid::new_v4().to_string()
}

/// One entry of a conversation.
///
/// Its JSON is a single object: the fields of the variant and a field `type` with the
/// variant's name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum Message {
    /// Instructions from the agent, not typed by the user.
    System(SystemMessage),
    /// The user's input.
    User(UserMessage),
    /// The model's reply.
    Assistant(AssistantMessage),
    /// A tool's result for one of the model's calls.
    ToolResult(ToolResultMessage),
    /// Context that the agent found: a project's instructions, an image.
    Attachment(AttachmentMessage),
    /// Progress of a running tool. It is only shown: it is never sent to a model and
    /// never written to a session.
    Progress(ProgressMessage),
}

/// Instructions that the agent adds to the conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SystemMessage {
    /// Identifies this message.
    pub id: MessageId,
    /// The instructions.
    pub content: String,
    /// A mark by which the agent finds the message again, such as
    /// `"compact_boundary"`. Data written before the field existed has none.
    pub tag: Option<String>,
}

/// The user's input, one message for each turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UserMessage {
    /// Identifies this message.
    pub id: MessageId,
    /// The text that the user typed.
    pub content: String,
}

/// A reply of the model: text, tool calls, or both.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AssistantMessage {
    /// Identifies this message.
    pub id: MessageId,
    /// The text for the user; `None` if the model only called tools.
    pub text: Option<String>,
    /// The calls to run, in the order in which the model made them.
    pub tool_calls: Vec<ToolCall>,
    /// Why the model stopped, which decides what the agent does next.
    pub stop_reason: StopReason,
    /// The tokens of this reply; `None` if the provider did not report them.
    pub usage: Option<TokenUsage>,
}

/// The result of exactly one [`ToolCall`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolResultMessage {
    /// Identifies this message.
    pub id: MessageId,
    /// The [`ToolCall::id`] of the call.
    pub tool_use_id: String,
    /// The text that the model reads, as in [`ToolResult::content`].
    pub content: String,
    /// Whether the output was cut short to fit. Data written before the field existed was not.
    #[serde(default)]
    pub is_truncated: bool,
    /// Whether the call failed. In JSON the field is there only if it is `true`, so
    /// data written before the field existed is written back unchanged.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
}

/// Context that the agent found and put into the conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AttachmentMessage {
    /// Identifies this message.
    pub id: MessageId,
    /// Where the content came from, for display.
    pub path: String,
    /// The content.
    pub content: String,
    /// The kind of content: `"instructions"` for a project's rules, `"file"` for an
    /// image.
    pub content_type: String,
}

/// A progress report of a running tool. It has no id, since nothing refers to it after
/// it was shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProgressMessage {
    /// The [`ToolCall::id`] of the call that is running.
    pub tool_use_id: String,
    /// The report, in a shape that each tool chooses.
    pub data: serde_json::Value,
}

/// Why the model ended its reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum StopReason {
    /// The reply is complete, and the turn is over.
    Stop,
    /// The model waits for the results of its tool calls.
    ToolUse,
}

impl ToolResultMessage {
    /// The message, with a new id, that answers the call `tool_use_id` with `result`.
    pub fn new(tool_use_id: impl Into<String>, result: ToolResult) -> Self {
        Self {
            id: new_id(),
            tool_use_id: tool_use_id.into(),
            content: result.content,
            is_truncated: result.is_truncated,
            is_error: result.is_error,
        }
    }
}

impl Message {
    /// An untagged system message with a new id.
    pub fn system(content: impl Into<String>) -> Self {
        Self::System(SystemMessage {
            id: new_id(),
            content: content.into(),
            tag: None,
        })
    }

    /// A user message with a new id.
    pub fn user(content: impl Into<String>) -> Self {
        Self::User(UserMessage {
            id: new_id(),
            content: content.into(),
        })
    }

    /// A reply of the model with a new id and the given parts, unchanged.
    pub fn assistant(
        text: Option<String>,
        tool_calls: Vec<ToolCall>,
        stop_reason: StopReason,
        usage: Option<TokenUsage>,
    ) -> Self {
        Self::Assistant(AssistantMessage {
            id: new_id(),
            text,
            tool_calls,
            stop_reason,
            usage,
        })
    }

    /// The complete output of the successful call `tool_use_id`, with a new id.
    pub fn tool_result(tool_use_id: impl Into<String>, content: impl Into<String>) -> Self {
        Self::ToolResult(ToolResultMessage {
            id: new_id(),
            tool_use_id: tool_use_id.into(),
            content: content.into(),
            is_truncated: false,
            is_error: false,
        })
    }
}
