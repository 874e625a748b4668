//! Which sessions there are.

use chrono::{DateTime, Utc};
use rusqlite::Connection;

use super::history::time;
use super::{HistoryError, SessionHistory};
use crate::chat::{ChatMessage, Role};

/// What a list shows of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// The session.
    pub session_id: String,
    /// The model that it began with.
    pub model: String,
    /// When it began.
    pub started_at: DateTime<Utc>,
    /// How many messages it has.
    pub messages: usize,
    /// The text of the user's first message. `None` if there is none, or it has no text, or
    /// a message up to there cannot be read.
    pub opening: Option<String>,
}

impl SessionHistory {
    /// All sessions: the one with the newest message first, those without messages last,
    /// and of equals the one that was stored last. A damaged message hides no session.
    pub fn list(&self) -> Result<Vec<Summary>, HistoryError> {
        // A transaction, though it only reads: all questions are about the same moment.
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
                started_at: time(&row.get::<_, String>(2)?)?,
                messages: row.get::<_, i64>(3)? as usize,
                opening: opening(&transaction, row.get(4)?)?,
            });
        }
        Ok(list)
    }

    /// The ids that begin with `start`, letter by letter, in alphabetical order. Nothing but
    /// ids is read, so damage elsewhere hides none.
    pub fn ids(&self, start: &str) -> Result<Vec<String>, HistoryError> {
        let question = "SELECT session_id FROM sessions WHERE instr(session_id, ?1) = 1
             ORDER BY session_id";
        let mut statement = self.connection.prepare(question)?;
        let ids = statement.query_map([start], |row| row.get(0))?;
        Ok(ids.collect::<Result<_, _>>()?)
    }
}

/// The text of the first message of the user's. Where there are raw blocks, it is what they
/// say that counts; an empty text is a text. `None` as well if a message up to there cannot be
/// read: nobody knows who sent that one. Of a message that is missing nothing is noticed
/// here: [`load`](SessionHistory::load) reports it.
fn opening(connection: &Connection, session: i64) -> Result<Option<String>, HistoryError> {
    let question = "SELECT message FROM messages WHERE session = ?1 ORDER BY position";
    let mut statement = connection.prepare(question)?;
    let mut rows = statement.query([session])?;
    while let Some(row) = rows.next()? {
        // Bytes: what is damaged may not even be text.
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
