//! The request: from messages and tools to the body that Chat Completions asks for.

use serde_json::{Value, json};

use crate::types::{AssistantMessage, Message, ToolCall, ToolDefinition};

/// The body of a request: the model, the conversation, the tools if there are any, and
/// `stream` if the reply is to be streamed. A streamed reply is asked to report its usage,
/// which it does not do unasked; servers refuse `stream_options` beside any other.
pub fn request_body(
    model: &str,
    messages: &[Message],
    tools: &[&ToolDefinition],
    stream: bool,
) -> Value {
    todo!("2.6: write request_body")
}

/// One message as the API has it; `None` for progress, which is never sent.
///
/// - System and user messages are their role and their content.
/// - An attachment is a user message. Its first line names the path, as in
///   `Attached: CLAUDE.md`; an empty line and the content follow.
/// - A tool result has the role `tool` and names its call in `tool_call_id`.
pub fn wire_message(message: &Message) -> Option<Value> {
    todo!("2.6: write wire_message")
}

/// A reply, sent back as part of the history.
///
/// `tool_calls` is there only if there are calls. `content` is the text; without one it
/// is `null` beside calls, and an empty string where there are none.
pub fn wire_assistant(reply: &AssistantMessage) -> Value {
    todo!("2.6: write wire_assistant")
}

/// A call. The API wants the arguments as a string that holds JSON.
///
/// That string is always JSON, even for arguments that were not when they came: servers
/// that parse it would refuse every later request of the conversation.
pub fn wire_call(call: &ToolCall) -> Value {
    todo!("2.6: write wire_call")
}

/// A tool, as the model is told of it.
pub fn wire_tool(tool: &ToolDefinition) -> Value {
    todo!("2.6: write wire_tool")
}
