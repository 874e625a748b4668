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

/// One message as the API has it; `None` for progress, which is never sent.
///
/// - System and user messages are their role and their content.
/// - An attachment is a user message. Its first line names the path, as in
///   `Attached: CLAUDE.md`; an empty line and the content follow.
/// - A tool result has the role `tool` and names its call in `tool_call_id`.
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
        Message::Attachment(found) => json!({
            "role": "user",
            "content": format!("Attached: {}\n\n{}", found.path, found.content),
        }),
        Message::Progress(_) => return None,
    })
}

/// A reply, sent back as part of the history.
///
/// `tool_calls` is there only if there are calls. `content` is the text; without one it
/// is `null` beside calls, and an empty string where there are none.
pub fn wire_assistant(reply: &AssistantMessage) -> Value {
    let calls: Vec<Value> = reply.tool_calls.iter().map(wire_call).collect();
    if calls.is_empty() {
        return json!({ "role": "assistant", "content": reply.text.as_deref().unwrap_or("") });
    }
    json!({ "role": "assistant", "content": reply.text, "tool_calls": calls })
}

/// A call. The API wants the arguments as a string that holds JSON.
///
/// That string is always JSON, even for arguments that were not when they came: servers
/// that parse it would refuse every later request of the conversation.
pub fn wire_call(call: &ToolCall) -> Value {
    json!({
        "id": call.id,
        "type": "function",
        "function": { "name": call.name, "arguments": call.arguments.to_string() },
    })
}

/// A tool, as the model is told of it.
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
