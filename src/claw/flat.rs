//! From the agent's messages to those that a history keeps, and back: as `claw convert` does
//! it, and with a reply's provider and model beside it, which chat messages have no field for.

use crate::agent::Message;
use crate::chat::ChatMessage;
use crate::session::convert::{Entry, from_chat};

/// A message as the history keeps it. A reply's name is `provider/model`.
/// Lost are a reply's usage and what went wrong with it, a result's child loop, and the
/// reason to stop, of which three kinds are left: done, broken off, failed.
pub fn to_chat(message: &Message) -> ChatMessage {
    let entry = Entry::from(message.clone());
    let chat = from_chat::from_entry(&entry).expect("a message of an agent's has a place there");
    match message {
        Message::Assistant {
            provider, model, ..
        } => ChatMessage {
            name: Some(format!("{provider}/{model}")),
            ..chat
        },
        _ => chat,
    }
}

/// The messages that a history has kept as one; none where the agent has no place for it,
/// such as for instructions, which are given anew.
pub fn to_messages(chat: &ChatMessage) -> Vec<Message> {
    let entries = from_chat::to_entries(chat).unwrap_or_default().into_iter();
    let mut messages: Vec<Message> = entries
        .filter_map(|entry| match entry {
            Entry::Agent(message) => message.as_llm().cloned(),
            Entry::System { .. } => None,
        })
        .collect();
    let name = chat.name.as_deref().unwrap_or_default();
    for message in &mut messages {
        if let Message::Assistant {
            provider, model, ..
        } = message
        {
            let (of, which) = name.split_once('/').unwrap_or(("", name));
            (*provider, *model) = (of.to_string(), which.to_string());
        }
    }
    messages
}
