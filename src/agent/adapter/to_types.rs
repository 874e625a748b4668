//! Converts this module's messages to those of chapter 1.

use crate::agent::{Content, Message};
use crate::prompt::SystemPrompt;
use crate::types::{
    AssistantMessage, Message as PlainMessage, StopReason as PlainStopReason, ToolCall, ToolResult,
    ToolResultMessage, new_id,
};

/// Converts a conversation to chapter 1's messages, with the system prompt first.
///
/// | part of a message | becomes |
/// | --- | --- |
/// | text blocks | one text, joined by line breaks |
/// | image | a line of that text that names its media type |
/// | thinking and its signature | nothing |
/// | calls of a reply | the reply's calls, without their position between texts |
/// | calls elsewhere | nothing |
/// | result of a failed call | a failed result: its text after `error: ` |
/// | model, provider, usage, timestamp, error message, child loop | nothing |
/// | stop reason | `ToolUse` if there are calls, otherwise `Stop` |
///
/// An empty message is left out, such as a reply that was aborted before its first delta,
/// because some servers reject it. A result is always kept, since every call needs one.
pub fn to_types(system: &SystemPrompt, messages: &[Message]) -> Vec<PlainMessage> {
    let mut plain = system.messages();
    plain.extend(messages.iter().filter_map(to_plain));
    plain
}

/// Converts one message as [`to_types`] describes; `None` if it is empty and not a result.
pub fn to_plain(message: &Message) -> Option<PlainMessage> {
    match message {
        Message::User { content, .. } => text_of(content).map(PlainMessage::user),
        Message::Assistant { content, .. } => {
            let text = text_of(content);
            let tool_calls: Vec<ToolCall> = content.iter().filter_map(call_of).collect();
            let stop_reason = match tool_calls.is_empty() {
                true => PlainStopReason::Stop,
                false => PlainStopReason::ToolUse,
            };
            (text.is_some() || !tool_calls.is_empty()).then(|| {
                PlainMessage::Assistant(AssistantMessage {
                    id: new_id(),
                    text,
                    tool_calls,
                    stop_reason,
                    usage: None,
                })
            })
        }
        Message::ToolResult {
            tool_call_id,
            content,
            is_error,
            ..
        } => {
            let text = text_of(content).unwrap_or_default();
            let result = match is_error {
                true => ToolResult::error(text),
                false => ToolResult::text(text),
            };
            Some(PlainMessage::ToolResult(ToolResultMessage::new(
                tool_call_id,
                result,
            )))
        }
    }
}

/// The blocks as text for a model that reads only text; `None` if there is none.
fn text_of(content: &[Content]) -> Option<String> {
    let lines = content.iter().filter_map(|block| match block.known()? {
        Content::Text { text } if text.is_empty() => None,
        Content::Text { text } => Some(text.clone()),
        Content::Image { mime_type, .. } => Some(format!(
            "[an image ({mime_type}) was here; this connection carries text only]"
        )),
        Content::Thinking { .. } | Content::ToolCall { .. } | Content::Other(_) => None,
    });
    let lines: Vec<String> = lines.collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// The block as a call; `None` if it is another kind of block.
pub(in crate::agent) fn call_of(block: &Content) -> Option<ToolCall> {
    match block.known()? {
        Content::ToolCall {
            id,
            name,
            arguments,
        } => Some(ToolCall {
            id: id.clone(),
            name: name.clone(),
            arguments: arguments.clone(),
        }),
        _ => None,
    }
}
