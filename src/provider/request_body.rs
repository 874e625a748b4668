//! Writes messages and tools as the request body of Chat Completions.

use serde_json::{Value, json};

use crate::types::{AssistantMessage, Message, ToolCall, ToolDefinition};

/// The body of a request: `model`, `messages`, and `tools` if there are any.
///
/// With `stream`, the body also has `stream: true` and asks for the usage in
/// `stream_options`, since a streamed reply reports its usage only on request. Servers
/// refuse `stream_options` without `stream`.
pub fn request_body(
    model: &str,
    messages: &[Message],
    tools: &[&ToolDefinition],
    stream: bool,
) -> Value {
    todo!("request-body: write request_body")
}

/// A message as the API's JSON; `None` for progress, which is never sent.
///
/// - A system or user message has its role and its content.
/// - An attachment becomes a user message. Its first line names the path, as in
///   `Attached: CLAUDE.md`. An empty line and the content follow.
/// - A tool result has the role `tool` and the id of its call in `tool_call_id`.
pub fn wire_message(message: &Message) -> Option<Value> {
    todo!("messages-as-json: write wire_message")
}

/// An earlier reply as the API's JSON.
///
/// `tool_calls` is present only if there are calls. `content` is the text. Without text it
/// is `null` if there are calls, otherwise an empty string.
pub fn wire_assistant(reply: &AssistantMessage) -> Value {
    let calls: Vec<Value> = reply.tool_calls.iter().map(wire_call).collect();
    if calls.is_empty() {
        return json!({ "role": "assistant", "content": reply.text.as_deref().unwrap_or("") });
    }
    json!({ "role": "assistant", "content": reply.text, "tool_calls": calls })
}

/// A call as the API's JSON. Its `arguments` are a string that contains JSON.
///
/// The string is valid JSON even if the model's arguments were not: a server that parses
/// it would otherwise refuse every later request of the conversation.
pub fn wire_call(call: &ToolCall) -> Value {
    todo!("messages-as-json: write wire_call")
}

/// A tool's definition as the API's JSON.
pub fn wire_tool(tool: &ToolDefinition) -> Value {
    todo!("request-body: write wire_tool")
}
