//! Adding messages, at a place that the caller knows.

use rusqlite::{Connection, TransactionBehavior};

use super::history::key;
use super::jsonl::readable_json;
use super::{HistoryError, SessionHistory, searchable};
use crate::chat::ChatMessage;

/// How far somebody knows a session: behind its message number [`position`](Self::position).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    session_id: String,
    position: usize,
}

impl Cursor {
    /// The cursor of somebody who knows the first `position` messages.
    pub fn new(session_id: &str, position: usize) -> Self {
        Self {
            session_id: session_id.into(),
            position,
        }
    }

    /// The session.
    pub fn session_id(&self) -> &str {
        &self.session_id
    }

    /// How many of its messages the holder knows.
    pub fn position(&self) -> usize {
        self.position
    }
}

impl SessionHistory {
    /// Adds messages behind the cursor, all of them or none, and moves it behind them. A
    /// session that had ended goes on.
    ///
    /// If the session has other messages by now than the cursor knows of, that is a
    /// [`Conflict`](HistoryError::Conflict): a reply to half of a conversation has no place
    /// in it. After any error the cursor stands where it stood.
    pub fn append(
        &mut self,
        cursor: &mut Cursor,
        messages: &[ChatMessage],
    ) -> Result<(), HistoryError> {
        // Immediate: it waits for other writers here, where nothing has been read yet.
        // Begun as a reader, it could not become a writer behind another's back.
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        let Some(session) = key(&transaction, &cursor.session_id)? else {
            return Err(HistoryError::NotFound(cursor.session_id.clone()));
        };
        let found = length(&transaction, session)?;
        if found != cursor.position {
            return Err(HistoryError::Conflict {
                known: cursor.position,
                found,
            });
        }
        store(&transaction, session, found, messages)?;
        let go_on = "UPDATE sessions SET ended_at = NULL WHERE id = ?1 AND ended_at IS NOT NULL";
        transaction.execute(go_on, [session])?;
        transaction.commit()?;
        cursor.position += messages.len();
        Ok(())
    }
}

/// How many messages a session has. Not by counting: with the index, this is one look.
pub(super) fn length(connection: &Connection, session: i64) -> Result<usize, HistoryError> {
    let question = "SELECT coalesce(max(position) + 1, 0) FROM messages WHERE session = ?1";
    let length: i64 = connection.query_row(question, [session], |row| row.get(0))?;
    Ok(length as usize)
}

/// Puts messages into a session, the first at this position. One that could not be read again
/// is [`Unwritable`](HistoryError::Unwritable).
pub(super) fn store(
    connection: &Connection,
    session: i64,
    position: usize,
    messages: &[ChatMessage],
) -> Result<(), HistoryError> {
    let mut statement = connection.prepare(
        "INSERT INTO messages (session, position, message, words) VALUES (?1, ?2, ?3, ?4)",
    )?;
    for (position, message) in (position as i64..).zip(messages) {
        let json = readable_json(message).map_err(HistoryError::Unwritable)?;
        statement.execute((session, position, json, searchable(message)))?;
    }
    Ok(())
}
