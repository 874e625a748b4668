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
    let messages: Vec<Value> = messages.iter().filter_map(wire_message).collect();
    let mut body = json!({ "model": model, "messages": messages });
    if !tools.is_empty() {
        body["tools"] = tools.iter().map(|tool| wire_tool(tool)).collect();
    }
    if stream {
        body["stream"] = json!(true);
        body["stream_options"] = json!({ "include_usage": true });
    }
    body
}

/// A message as the API's JSON; `None` for progress, which is never sent.
///
/// - A system or user message has its role and its content.
/// - An attachment becomes a user message. Its first line names the path, as in
///   `Attached: CLAUDE.md`. An empty line and the content follow.
/// - A tool result has the role `tool` and the id of its call in `tool_call_id`.
pub fn wire_message(message: &Message) -> Option<Value> {
    Some(match message {
        Message::System(system) => json!({ "role": "system", "content": system.content }),
        Message::User(user) => json!({ "role": "user", "content": user.content }),
        Message::Assistant(reply) => wire_assistant(reply),
        Message::ToolResult(result) => json!({
            "role": "tool",
            "tool_call_id": result.tool_use_id,
            "content": result.content,
        }),
        Message::Attachment(file) => json!({
            "role": "user",
            "content": format!("Attached: {}\n\n{}", file.path, file.content),
        }),
        Message::Progress(_) => return None,
    })
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
    json!({
        "id": call.id,
        "type": "function",
        "function": { "name": call.name, "arguments": call.arguments.to_string() },
    })
}

/// A tool's definition as the API's JSON.
pub fn wire_tool(tool: &ToolDefinition) -> Value {
    json!({
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.parameters,
        },
    })
}
