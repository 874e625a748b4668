//! The messages of chapter 1, as entries and back.

use super::Entry;
use crate::agent::{self, Content, ProviderModel};
use crate::prompt::SystemPrompt;
use crate::provider::{MockProvider, wire_message};
use crate::types::{Message, TokenUsage, result_message};

/// A message as an entry; `None` for progress, which is never kept.
///
/// A reply is what chapter 16's [`ProviderModel::reply`] makes of it, and an attachment the
/// text that [`wire_message`] sends. A result has its bare text, as [`result_message`]
/// returns it. Times are not known.
pub fn to_entry(message: &Message) -> Option<Entry> {
    Some(match message {
        Message::System(system) => Entry::System {
            content: system.content.clone(),
            timestamp: 0,
        },
        Message::User(user) => said(user.content.clone()),
        Message::Attachment(_) => {
            let wire = wire_message(message)?;
            said(wire["content"].as_str()?.to_string())
        }
        Message::Assistant(reply) => {
            // Nobody asks this provider anything: it is there for its reply to be reworded.
            let model = ProviderModel::new(MockProvider::new([]), "", "");
            untimed(model.reply(reply.clone())).into()
        }
        Message::ToolResult(result) => {
            let text = result_message(&result.content, result.is_error).to_string();
            Entry::from(agent::Message::ToolResult {
                tool_call_id: result.tool_use_id.clone(),
                tool_name: String::new(),
                content: vec![Content::Text { text }],
                is_error: result.is_error,
                timestamp: 0,
                child_loop_id: None,
            })
        }
        Message::Progress(_) => return None,
    })
}

/// What the user said, nobody knows when.
fn said(text: String) -> Entry {
    Entry::from(agent::Message::User {
        content: vec![Content::Text { text }],
        timestamp: 0,
    })
}

/// A reply without its time, which is that of the conversion.
fn untimed(mut reply: agent::Message) -> agent::Message {
    if let agent::Message::Assistant { timestamp, .. } = &mut reply {
        *timestamp = 0;
    }
    reply
}

/// An entry as a message with a new id; `None` for an extension.
///
/// It is what chapter 16's [`to_types`](agent::to_types) makes of it. A reply has its usage
/// beside that, unless all of it is 0, and a message of which nothing would be left stays,
/// and is empty: this goes into a file and not to a server.
pub fn from_entry(entry: &Entry) -> Option<Message> {
    let message = match entry {
        Entry::System { content, .. } => return Some(Message::system(content)),
        Entry::Agent(message) => message.as_llm()?,
    };
    let nothing = SystemPrompt {
        text: String::new(),
        cache_boundary: 0,
    };
    let mut plain = agent::to_types(&nothing, std::slice::from_ref(message));
    let mut plain = plain.pop().unwrap_or_else(|| empty(message));
    if let (agent::Message::Assistant { usage, .. }, Message::Assistant(reply)) =
        (message, &mut plain)
    {
        reply.usage = (*usage != agent::Usage::default()).then_some(TokenUsage {
            input_tokens: usage.input,
            output_tokens: usage.output,
            cache_read_tokens: usage.cache_read,
            cache_creation_tokens: usage.cache_write,
        });
    }
    Some(plain)
}

/// A message of the same sender without words.
fn empty(message: &agent::Message) -> Message {
    match message {
        agent::Message::Assistant { .. } => {
            let stop_reason = crate::types::StopReason::Stop;
            Message::assistant(None, Vec::new(), stop_reason, None)
        }
        _ => Message::user(""),
    }
}
