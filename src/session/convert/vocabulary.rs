//! The four vocabularies by name, and each one's JSON.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use super::{HubMessage, Problem, from_chat, from_transcript, from_types, parse};
use crate::agent::AgentMessage;
use crate::chat::ChatMessage;
use crate::{transcript, types};

/// One of the four ways to write down a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Vocabulary {
    /// The messages of the simple loop: chapter 1.
    Types,
    /// An agent's history: chapter 15.
    Agent,
    /// What a host shows: chapter 17.
    Transcript,
    /// What a session stores: chapter 18.
    Chat,
}

impl Vocabulary {
    /// All four, in the order of the chapters.
    pub const ALL: [Self; 4] = [Self::Types, Self::Agent, Self::Transcript, Self::Chat];

    /// Reads a message of this vocabulary into the hub. It becomes several messages if it has
    /// results among its blocks, and none if the hub has no counterpart.
    pub fn read(self, text: &str) -> Result<Vec<HubMessage>, Problem> {
        Ok(match self {
            Self::Types => Vec::from_iter(from_types::to_hub(&parse(text)?)),
            Self::Agent => vec![HubMessage::Agent(parse(text)?)],
            Self::Transcript => Vec::from_iter(from_transcript::to_hub(&parse(text)?)),
            Self::Chat => from_chat::to_hub(&parse(text)?).map_err(Problem::of)?,
        })
    }

    /// Writes messages in this vocabulary, without those that have no counterpart in it.
    pub fn write(self, messages: &[HubMessage]) -> Result<Vec<String>, Problem> {
        let texts = messages.iter().filter_map(|message| match self {
            Self::Types => from_types::from_hub(message).map(|it| to_text(&it)),
            Self::Agent => match message {
                HubMessage::Instructions { .. } => None,
                HubMessage::Agent(message) => Some(to_text(message)),
            },
            Self::Transcript => from_transcript::from_hub(message).map(|it| to_text(&it)),
            Self::Chat => from_chat::from_hub(message).map(|it| to_text(&it)),
        });
        texts.collect()
    }

    /// Reads a message and writes it again.
    pub fn rewrite(self, text: &str) -> Result<String, Problem> {
        match self {
            Self::Types => to_text(&parse::<types::Message>(text)?),
            Self::Agent => to_text(&parse::<AgentMessage>(text)?),
            Self::Transcript => to_text(&parse::<transcript::AgentMessage>(text)?),
            Self::Chat => to_text(&parse::<ChatMessage>(text)?),
        }
    }
}

impl fmt::Display for Vocabulary {
    /// The name of its module.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Types => "types",
            Self::Agent => "agent",
            Self::Transcript => "transcript",
            Self::Chat => "chat",
        })
    }
}

impl FromStr for Vocabulary {
    type Err = String;

    /// The vocabulary of exactly this name. The error lists the names.
    fn from_str(name: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|one| one.to_string() == name);
        known.ok_or_else(|| {
            let names = Self::ALL.map(|one| one.to_string()).join(", ");
            format!("`{name}` is not a vocabulary; choose one of {names}")
        })
    }
}

fn to_text(message: &impl Serialize) -> Result<String, Problem> {
    serde_json::to_string(message).map_err(Problem::of)
}
