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
        let Some(expression) = expression(words) else {
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

/// The words as FTS5 wants them, a space between them: each in double quotes, so that nothing
/// in it is a sign of its query language, with the quotes inside it doubled. `None` if there
/// are none.
pub fn expression(words: &str) -> Option<String> {
    // A zero byte would end the expression for SQLite, so it parts words as a space does.
    let words: Vec<_> = words
        .split(|sign: char| sign.is_whitespace() || sign.is_control())
        .filter(|word| !word.is_empty())
        .map(|word| format!("\"{}\"", word.replace('"', "\"\"")))
        .collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// What of a message can be found: its text, its thoughts, the names and arguments of its
/// calls, and what its results say, a line each. Where there are raw blocks, it is what they
/// say that counts.
pub fn searchable(message: &ChatMessage) -> String {
    let shown = match message.raw_content_blocks.as_deref() {
        None | Some([]) => Cow::Borrowed(message),
        // The flat fields of a `Tool` message show all of this; those of others, no results.
        Some(blocks) => Cow::Owned(ChatMessage::from_blocks(Role::Tool, blocks.to_vec())),
    };
    let calls = shown.tool_calls.iter().flatten();
    let calls = calls.flat_map(|call| [&call.function.name, &call.function.arguments]);
    let texts = shown.content.iter().chain(&shown.reasoning).chain(calls);
    texts.map(String::as_str).collect::<Vec<_>>().join("\n")
}
