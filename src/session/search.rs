//! Finding what was said.

use std::borrow::Cow;

use super::{HistoryError, SessionHistory};
use crate::chat::{ChatMessage, Role};

/// A message that a search has found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// The session that it is in.
    pub session_id: String,
    /// Its place there, from 0.
    pub position: usize,
    /// A piece of it, with the words that were found in square brackets.
    pub snippet: String,
}

impl SessionHistory {
    /// The messages in which all these words stand, the best first, at most `limit`.
    ///
    /// Words are whole words; case and accents do not matter. Signs inside a word part it:
    /// `main.rs` finds `main` and `rs` side by side. No words find nothing.
    pub fn search(&self, words: &str, limit: usize) -> Result<Vec<Hit>, HistoryError> {
        todo!("20.9: write SessionHistory::search")
    }
}

/// The words as FTS5 wants them, a space between them: each in double quotes, so that nothing
/// in it is a sign of its query language, with the quotes inside it doubled. `None` if there
/// are none.
pub fn expression(words: &str) -> Option<String> {
    todo!("20.9: write expression")
}

/// What of a message can be found: its text, its thoughts, the names and arguments of its
/// calls, and what its results say, a line each. Where there are raw blocks, it is what they
/// say that counts.
pub fn searchable(message: &ChatMessage) -> String {
    todo!("20.6: write searchable")
}
