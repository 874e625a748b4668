//! The messages of chapter 1 to the hub and back.

use super::HubMessage;
use crate::agent::{self, Content, reply_message};
use crate::provider::wire_message;
use crate::types::{Message, StopReason, TokenUsage, result_message};

/// A message in the hub; `None` for progress, which no history holds. Times are unknown.
///
/// Chapter 16's [`reply_message`] converts a reply. An attachment becomes the text that
/// [`wire_message`] sends. A result has its bare text, as [`result_message`] returns it, and no
/// tool's name.
pub fn to_hub(message: &Message) -> Option<HubMessage> {
    let user = |text: &str| agent::Message::User {
        content: vec![Content::Text { text: text.into() }],
        timestamp: 0,
    };
    Some(HubMessage::from(match message {
        Message::System(system) => {
            return Some(HubMessage::Instructions {
                content: system.content.clone(),
                timestamp: 0,
            });
        }
        Message::User(prompt) => user(&prompt.content),
        Message::Attachment(_) => user(wire_message(message)?["content"].as_str()?),
        Message::Assistant(reply) => reply_message(reply.clone(), "", "", 0),
        Message::ToolResult(result) => agent::Message::ToolResult {
            tool_call_id: result.tool_use_id.clone(),
            tool_name: String::new(),
            content: vec![Content::Text {
                text: result_message(&result.content, result.is_error).to_string(),
            }],
            is_error: result.is_error,
            timestamp: 0,
            child_loop_id: None,
        },
        Message::Progress(_) => return None,
    }))
}

/// A message of the hub, with a new id; `None` for an extension.
///
/// Chapter 16's [`to_plain`](agent::to_plain) converts it. A reply keeps its usage, too, unless
/// all counts are 0. A message that [`to_plain`](agent::to_plain) leaves out is kept without
/// text, since it goes into a file and not to a server.
pub fn from_hub(message: &HubMessage) -> Option<Message> {
    let message = match message {
        HubMessage::Instructions { content, .. } => return Some(Message::system(content)),
        HubMessage::Agent(message) => message.as_llm()?,
    };
    let converted = agent::to_plain(message);
    let agent::Message::Assistant { usage, .. } = message else {
        return Some(converted.unwrap_or_else(|| Message::user("")));
    };
    let mut converted =
        converted.unwrap_or_else(|| Message::assistant(None, Vec::new(), StopReason::Stop, None));
    if let Message::Assistant(reply) = &mut converted {
        reply.usage = (*usage != agent::Usage::default()).then_some(TokenUsage {
            input_tokens: usage.input,
            output_tokens: usage.output,
            cache_read_tokens: usage.cache_read,
            cache_creation_tokens: usage.cache_write,
        });
    }
    Some(converted)
}
