//! Listing sessions.

use chrono::{DateTime, Utc};
use rusqlite::Connection;

use super::rows::parse_time;
use super::{HistoryError, SessionHistory};
use crate::chat::{ChatMessage, Role};

/// A session as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// The id of the session.
    pub session_id: String,
    /// The name of the model that the session began with.
    pub model: String,
    /// When the session began.
    pub started_at: DateTime<Utc>,
    /// The number of messages.
    pub messages: usize,
    /// The text of the user's first message. `None` if there is no such message, if it has
    /// no text, or if it or a message before it cannot be read.
    pub opening: Option<String>,
}

impl SessionHistory {
    /// All sessions, as they are in one snapshot. The one with the newest message comes first. Sessions without messages come
    /// last, the most recently stored first. A damaged message hides no session. A
    /// damaged time is [`Corrupt`](HistoryError::Corrupt).
    pub fn list(&self) -> Result<Vec<Summary>, HistoryError> {
        // A transaction, though it only reads, so that all queries see the same snapshot.
        let transaction = self.connection.unchecked_transaction()?;
        let mut statement = transaction.prepare(
            "SELECT session_id, model, started_at, count(messages.id), sessions.id
             FROM sessions LEFT JOIN messages ON messages.session = sessions.id
             GROUP BY sessions.id
             ORDER BY max(messages.id) DESC NULLS LAST, sessions.id DESC",
        )?;
        let mut rows = statement.query([])?;
        let mut list = Vec::new();
        while let Some(row) = rows.next()? {
            list.push(Summary {
                session_id: row.get(0)?,
                model: row.get(1)?,
                started_at: parse_time(&row.get::<_, String>(2)?)?,
                messages: row.get::<_, i64>(3)? as usize,
                opening: opening_text(&transaction, row.get(4)?)?,
            });
        }
        Ok(list)
    }

    /// The session ids that begin with `prefix`, in alphabetical order. No character has a
    /// special meaning, and case matters. Only ids are read, so damage elsewhere hides none.
    pub fn ids(&self, prefix: &str) -> Result<Vec<String>, HistoryError> {
        let query = "SELECT session_id FROM sessions WHERE instr(session_id, ?1) = 1
             ORDER BY session_id";
        let mut statement = self.connection.prepare(query)?;
        let ids = statement.query_map([prefix], |row| row.get(0))?;
        Ok(ids.collect::<Result<_, _>>()?)
    }
}

/// The text of the user's first message in the session of row `session`. If the message has raw
/// blocks, their text counts; an empty text is a text. `None` if there is no such message, or if a
/// message before it cannot be read, since its sender is unknown. A missing message is not noticed
/// here; [`load`](SessionHistory::load) reports it.
fn opening_text(connection: &Connection, session: i64) -> Result<Option<String>, HistoryError> {
    let query = "SELECT message FROM messages WHERE session = ?1 ORDER BY position";
    let mut statement = connection.prepare(query)?;
    let mut rows = statement.query([session])?;
    while let Some(row) = rows.next()? {
        // As bytes, since a damaged text may not be UTF-8.
        let json = row.get_ref(0)?.as_bytes().unwrap_or_default();
        match serde_json::from_slice::<ChatMessage>(json) {
            Ok(message) if message.role == Role::User => {
                let blocks = message.to_blocks().unwrap_or_default();
                return Ok(ChatMessage::from_blocks(Role::User, blocks).content);
            }
            Ok(_) => {}
            Err(_) => return Ok(None),
        }
    }
    Ok(None)
}
