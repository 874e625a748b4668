//! The four vocabularies, by name.

use std::fmt;
use std::str::FromStr;

/// One of the four ways in which a conversation is written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Vocabulary {
    /// The messages of the first loop: chapter 1.
    Types,
    /// The history of a running agent: chapter 15.
    Agent,
    /// What a host shows: chapter 17.
    Transcript,
    /// What a session keeps: chapter 18.
    Chat,
}

impl Vocabulary {
    /// All four, in the order of the chapters.
    pub const ALL: [Self; 4] = [Self::Types, Self::Agent, Self::Transcript, Self::Chat];
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

    /// The vocabulary of this very name. The error says which names there are.
    fn from_str(name: &str) -> Result<Self, String> {
        todo!("convert-any-to-any: write Vocabulary::from_str")
    }
}
