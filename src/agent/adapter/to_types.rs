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
    todo!("messages-for-a-provider: write to_plain")
}

/// The blocks as text for a model that reads only text; `None` if there is none.
fn text_of(content: &[Content]) -> Option<String> {
    todo!("messages-for-a-provider: write text_of")
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
