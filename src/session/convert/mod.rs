//! A conversation from one vocabulary into another.
//!
//! - [`Vocabulary`] names the four.
//! - [`Entry`] is what all of them go through: a message of chapter 15, or instructions,
//!   which an agent's history does not hold. [`Spoken`] is a vocabulary's way there and back.
//! - [`from_types`] is that way for the messages of chapter 1 and [`from_chat`] for those of chapter
//!   18; chapter 17 has the one for transcripts.
//! - [`convert`] goes the whole way. [`lost`] says what is lost on it: what does not come
//!   back.
//! - `read` reads one message and says where a broken one is broken.

mod diff;
pub mod from_chat;
pub mod from_types;
mod intermediate;
mod locate_error;
mod vocabulary;

pub use diff::*;
pub use intermediate::*;
pub use locate_error::*;
pub use vocabulary::*;

use serde_json::Value;

use crate::{agent, chat, transcript, types};

/// A conversation in another vocabulary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Converted {
    /// Its messages, each as JSON in one line.
    pub messages: Vec<String>,
    /// What they lost.
    pub losses: Vec<Loss>,
}

/// Something of a message that would not come back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// Which message, counted from 0 before the conversion.
    pub message: usize,
    /// The field, as [`lost`] names it.
    pub field: String,
}

/// A message that cannot be read or has no place in a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// Which one, counted from 0.
    pub message: usize,
    /// What is wrong with it.
    pub problem: Problem,
}

/// Converts messages, each the text of one in JSON. The first that is broken ends it.
///
/// Every message is taken to the other vocabulary and back again; what is not as it was
/// then is lost. A message of which nothing arrives is lost as a whole.
pub fn convert(from: Vocabulary, to: Vocabulary, texts: &[&str]) -> Result<Converted, Broken> {
    match from {
        Vocabulary::Types => convert_from::<types::Message>(from, to, texts),
        Vocabulary::Agent => convert_from::<agent::AgentMessage>(from, to, texts),
        Vocabulary::Transcript => convert_from::<transcript::AgentMessage>(from, to, texts),
        Vocabulary::Chat => convert_from::<chat::ChatMessage>(from, to, texts),
    }
}

fn convert_from<F: Spoken>(
    from: Vocabulary,
    to: Vocabulary,
    texts: &[&str],
) -> Result<Converted, Broken> {
    match to {
        // Within one vocabulary nothing has to go through an entry.
        _ if from == to => each(texts, |message: &F| {
            Ok((vec![written(message)?], vec![value_of(message)?]))
        }),
        Vocabulary::Types => between::<F, types::Message>(texts),
        Vocabulary::Agent => between::<F, agent::AgentMessage>(texts),
        Vocabulary::Transcript => between::<F, transcript::AgentMessage>(texts),
        Vocabulary::Chat => between::<F, chat::ChatMessage>(texts),
    }
}

/// From `F` to `T`, with the way back for comparison.
fn between<F: Spoken, T: Spoken>(texts: &[&str]) -> Result<Converted, Broken> {
    todo!("convert-any-to-any: write between")
}

/// Reads every text, has it converted, and compares it with what comes back.
fn each<F: Spoken>(
    texts: &[&str],
    mut cross: impl FnMut(&F) -> Result<(Vec<String>, Vec<Value>), String>,
) -> Result<Converted, Broken> {
    let mut converted = Converted {
        messages: Vec::new(),
        losses: Vec::new(),
    };
    for (message, text) in texts.iter().enumerate() {
        let broken = |problem| Broken { message, problem };
        let (value, read) = read::<F>(text).map_err(broken)?;
        let (arrived, returned) = cross(&read).map_err(|what| broken(Problem::of(what)))?;
        converted.messages.extend(arrived);
        let fields = lost(&value, &returned).into_iter();
        converted
            .losses
            .extend(fields.map(|field| Loss { message, field }));
    }
    Ok(converted)
}
