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
    todo!("conversion-hub: write to_entry")
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
    todo!("conversion-hub: write from_entry")
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
