//! Converts between the agent's messages and those of a session, as `claw convert` does, and
//! also keeps a reply's provider and model, for which chat messages have no field.

use crate::agent::Message;
use crate::chat::ChatMessage;
use crate::session::convert::{Entry, from_chat};

/// The message as a session stores it, with `provider/model` as the name of a reply.
///
/// What is lost: a reply's usage and error message, the id of a result's child loop, and the
/// stop reason, except for its status (completed, incomplete or failed).
pub fn to_stored(message: &Message) -> ChatMessage {
    let entry = Entry::from(message.clone());
    let chat = from_chat::from_entry(&entry).expect("only an extension has no chat message");
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

/// The agent's messages that were stored as this one. A system message gives none, since the
/// agent makes its instructions anew.
pub fn from_stored(chat: &ChatMessage) -> Vec<Message> {
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
            let (before, after) = name.split_once('/').unwrap_or(("", name));
            (*provider, *model) = (before.to_string(), after.to_string());
        }
    }
    messages
}
