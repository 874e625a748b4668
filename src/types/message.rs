//! The messages of a conversation.

use serde::{Deserialize, Serialize};

use super::{TokenUsage, ToolCall, ToolResult};

/// Identifies one message: a UUID (version 4, random) in its hyphenated, lower-case form.
pub type MessageId = String;

/// Returns a new identifier that no other message has.
pub fn new_id() -> MessageId {
    todo!("message-id-and-new-id: write new_id")
}

/// One entry of a conversation.
///
/// Its JSON is a single object: the fields of the variant and a field `type` with the
/// variant's name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Message {
    /// Instructions from the agent, not typed by the user.
    System(SystemMessage),
    /// The user's input.
    User(UserMessage),
    /// The model's reply.
    Assistant(AssistantMessage),
    /// A tool's result for one of the model's calls.
    ToolResult(ToolResultMessage),
}

/// Instructions that the agent adds to the conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SystemMessage {
    /// Identifies this message.
    pub id: MessageId,
    /// The instructions.
    pub content: String,
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
    /// Whether the call failed. In JSON the field is there only if it is `true`, so
    /// data written before the field existed is written back unchanged.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
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
        todo!("tool-result: write ToolResultMessage::new")
    }
}

impl Message {
    /// An untagged system message with a new id.
    pub fn system(content: impl Into<String>) -> Self {
        todo!("message-constructors: write Message::system")
    }

    /// A user message with a new id.
    pub fn user(content: impl Into<String>) -> Self {
        todo!("message-constructors: write Message::user")
    }

    /// A reply of the model with a new id and the given parts, unchanged.
    pub fn assistant(
        text: Option<String>,
        tool_calls: Vec<ToolCall>,
        stop_reason: StopReason,
        usage: Option<TokenUsage>,
    ) -> Self {
        todo!("stop-reason: write Message::assistant")
    }

    /// The complete output of the successful call `tool_use_id`, with a new id.
    pub fn tool_result(tool_use_id: impl Into<String>, content: impl Into<String>) -> Self {
        todo!("tool-call: write Message::tool_result")
    }
}
