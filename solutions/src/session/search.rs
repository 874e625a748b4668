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
        let Some(expression) = match_expression(words) else {
            return Ok(Vec::new());
        };
        let mut statement = self.connection.prepare(
            "SELECT sessions.session_id, messages.position,
                    snippet(message_search, 0, '[', ']', '…', 16)
             FROM message_search
             JOIN messages ON messages.id = message_search.rowid
             JOIN sessions ON sessions.id = messages.session
             WHERE message_search MATCH ?1
             ORDER BY message_search.rank, messages.id DESC
             LIMIT ?2",
        )?;
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let hits = statement.query_map((expression, limit), |row| {
            Ok(Hit {
                session_id: row.get(0)?,
                position: row.get::<_, i64>(1)? as usize,
                snippet: row.get(2)?,
            })
        })?;
        Ok(hits.collect::<Result<_, _>>()?)
    }
}

/// The FTS5 query for all these words: each in double quotes, so that nothing in it is part of
/// the query language, with quotes inside it doubled, and a space between them. Whitespace and
/// control characters separate words. `None` if there are no words.
pub fn match_expression(words: &str) -> Option<String> {
    // SQLite takes a zero byte for the end of the query, so it separates words like a space.
    let words: Vec<_> = words
        .split(|char: char| char.is_whitespace() || char.is_control())
        .filter(|word| !word.is_empty())
        .map(|word| format!("\"{}\"", word.replace('"', "\"\"")))
        .collect();
    (!words.is_empty()).then(|| words.join(" "))
}
