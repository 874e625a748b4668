//! Full-text search over messages.

use super::{HistoryError, SessionHistory};

/// A message that a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// The id of its session.
    pub session_id: String,
    /// Its position in the session, counted from 0.
    pub position: usize,
    /// An excerpt of the message, with the words that were found in square brackets.
    pub snippet: String,
}

impl SessionHistory {
    /// The messages that contain all these words, the best match first, at most `limit`.
    ///
    /// Whole words are compared, without regard to case and accents. Punctuation splits a
    /// word: `main.rs` finds `main` followed by `rs`. Without words, there are no hits.
    pub fn search(&self, words: &str, limit: usize) -> Result<Vec<Hit>, HistoryError> {
        todo!("full-text-search: write SessionHistory::search")
    }
}

/// The FTS5 query for all these words: each in double quotes, so that nothing in it is part of
/// the query language, with quotes inside it doubled, and a space between them. Whitespace and
/// control characters separate words. `None` if there are no words.
pub fn match_expression(words: &str) -> Option<String> {
    todo!("full-text-search: write match_expression")
}
