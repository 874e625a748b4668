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
    todo!("16.4: write to_plain")
}

/// What a model that reads text only can read of these blocks; `None` if that is nothing.
fn text_of(content: &[Content]) -> Option<String> {
    todo!("16.4: write text_of")
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
