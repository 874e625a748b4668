//! What every vocabulary goes through.

use std::collections::HashMap;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{from_chat, from_types};
use crate::agent::{AgentMessage, Content, Message};
use crate::transcript::{self, AgentMessage as HostMessage};
use crate::{chat, types};

/// One message between two vocabularies. A time of 0 is not known.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    /// Instructions. They have no place in an agent's history, and would be lost there
    /// between two vocabularies that both have one.
    System {
        /// The instructions.
        content: String,
        /// When they were given.
        timestamp: u64,
    },
    /// Anything else.
    Agent(AgentMessage),
}

impl From<Message> for Entry {
    fn from(message: Message) -> Self {
        Self::Agent(message.into())
    }
}

/// A message of one vocabulary, and its way into an entry and out of one.
pub trait Spoken: Serialize + DeserializeOwned {
    /// The message as entries: several where it comes apart, none where there is no place
    /// for it. An error says what is wrong with the message.
    fn to_entries(&self) -> Result<Vec<Entry>, String>;

    /// The entry in this vocabulary, if there is a place for it.
    fn from_entry(entry: &Entry) -> Option<Self>;
}

impl Spoken for types::Message {
    fn to_entries(&self) -> Result<Vec<Entry>, String> {
        Ok(from_types::to_entry(self).into_iter().collect())
    }

    fn from_entry(entry: &Entry) -> Option<Self> {
        from_types::from_entry(entry)
    }
}

impl Spoken for AgentMessage {
    fn to_entries(&self) -> Result<Vec<Entry>, String> {
        Ok(vec![Entry::Agent(self.clone())])
    }

    fn from_entry(entry: &Entry) -> Option<Self> {
        match entry {
            Entry::System { .. } => None,
            Entry::Agent(message) => Some(message.clone()),
        }
    }
}

impl Spoken for HostMessage {
    fn to_entries(&self) -> Result<Vec<Entry>, String> {
        if let Self::System { content, timestamp } = self {
            return Ok(vec![Entry::System {
                content: content.clone(),
                timestamp: timestamp.unwrap_or_default(),
            }]);
        }
        let crossing = transcript::to_agent(std::slice::from_ref(self));
        Ok(crossing.messages.into_iter().map(Entry::Agent).collect())
    }

    fn from_entry(entry: &Entry) -> Option<Self> {
        match entry {
            Entry::System { content, timestamp } => Some(Self::System {
                content: content.clone(),
                timestamp: (*timestamp != 0).then_some(*timestamp),
            }),
            Entry::Agent(message) => {
                let mut crossing = transcript::from_agent(std::slice::from_ref(message));
                crossing.messages.pop()
            }
        }
    }
}

impl Spoken for chat::ChatMessage {
    fn to_entries(&self) -> Result<Vec<Entry>, String> {
        from_chat::to_entries(self).map_err(|error| error.to_string())
    }

    fn from_entry(entry: &Entry) -> Option<Self> {
        from_chat::from_entry(entry)
    }
}

/// Takes the messages of one conversation over, one after the other.
#[derive(Debug, Default)]
pub(super) struct Crosser {
    /// The tools of the calls so far, by the calls' ids.
    names: HashMap<String, String>,
}

impl Crosser {
    /// What becomes of a message. A result that does not say which tool it is of gets the
    /// name from its call: the last one of that id before it.
    pub fn cross<F: Spoken, T: Spoken>(&mut self, message: &F) -> Result<Vec<T>, String> {
        todo!("convert-any-to-any: write Crosser::cross")
    }

    fn name(&mut self, entry: &mut Entry) {
        todo!("convert-any-to-any: write Crosser::name")
    }
}

/// A message as JSON in one line.
pub(super) fn written<T: Spoken>(message: &T) -> Result<String, String> {
    serde_json::to_string(message).map_err(|error| error.to_string())
}

/// A message as a JSON value.
pub(super) fn value_of<T: Spoken>(message: &T) -> Result<Value, String> {
    serde_json::to_value(message).map_err(|error| error.to_string())
}
