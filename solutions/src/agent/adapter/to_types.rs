//! From this module's messages to those of chapter 1, and what is lost between them.

use crate::agent::{Content, Message};
use crate::prompt::SystemPrompt;
use crate::types::{
    AssistantMessage, Message as Plain, StopReason as PlainReason, ToolCall, ToolResult,
    ToolResultMessage, UserMessage, new_id,
};

/// A conversation in the words of chapter 1, the system prompt in front.
///
/// | of a message | becomes |
/// | --- | --- |
/// | texts | one text, a line break between them |
/// | an image | a line that says that there was one, where it stood |
/// | thoughts and their signatures | nothing |
/// | calls | the reply's calls; where they stood among its texts is lost |
/// | calls anywhere but in a reply | nothing |
/// | the result of a failed call | a failed result: its text after `error: ` |
/// | model, provider, usage, times, what went wrong, a child loop | nothing |
/// | a reason to stop | whether there are calls |
///
/// A message of which nothing would be left is left out, such as a reply that was aborted
/// before its first word: some servers refuse one without content. A result stays, since
/// every call must have one.
pub fn to_types(system: &SystemPrompt, messages: &[Message]) -> Vec<Plain> {
    let mut plain = system.messages();
    plain.extend(messages.iter().filter_map(to_plain));
    plain
}

fn to_plain(message: &Message) -> Option<Plain> {
    match message {
        Message::User { content, .. } => text_of(content).map(|content| {
            Plain::User(UserMessage {
                id: new_id(),
                content,
            })
        }),
        Message::Assistant { content, .. } => {
            let text = text_of(content);
            let tool_calls: Vec<ToolCall> = content.iter().filter_map(call_of).collect();
            let stop_reason = match tool_calls.is_empty() {
                true => PlainReason::Stop,
                false => PlainReason::ToolUse,
            };
            (text.is_some() || !tool_calls.is_empty()).then(|| {
                Plain::Assistant(AssistantMessage {
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
            Some(Plain::ToolResult(ToolResultMessage::new(
                tool_call_id,
                result,
            )))
        }
    }
}

/// What a model that reads text only can read of these blocks; `None` if that is nothing.
fn text_of(content: &[Content]) -> Option<String> {
    let lines = content.iter().filter_map(|block| match block.known()? {
        Content::Text { text } if text.is_empty() => None,
        Content::Text { text } => Some(text.clone()),
        Content::Image { mime_type, .. } => Some(format!(
            "[an image ({mime_type}) stood here; this connection carries text only]"
        )),
        Content::Thinking { .. } | Content::ToolCall { .. } | Content::Other(_) => None,
    });
    let lines: Vec<String> = lines.collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// The call that a block is, if it is one.
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
