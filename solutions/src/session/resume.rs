//! Continuing a session, ending it, and branching a new session from it.

use chrono::{DateTime, Utc};
use rusqlite::{OptionalExtension, TransactionBehavior};

use super::rows::{format_time, read_session, row_id};
use super::session::now;
use super::{Cursor, HistoryError, Session, SessionHistory};
use crate::agent::Usage;

/// The session and the position that a branch was made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The id of the session that the branch was made from.
    pub session_id: String,
    /// The number of messages that were copied from it.
    pub position: usize,
}

impl SessionHistory {
    /// Loads a session, with a cursor after its last message. Nothing is written; the session
    /// continues when a message is appended.
    pub fn resume(&self, session_id: &str) -> Result<(Session, Cursor), HistoryError> {
        let session = self.load(session_id)?;
        let cursor = Cursor::new(session_id, session.messages.len());
        Ok((session, cursor))
    }

    /// The id of the session that has the newest message: the one that was stored last in
    /// this history. `None` if there are no messages.
    pub fn latest(&self) -> Result<Option<String>, HistoryError> {
        let query = "SELECT sessions.session_id FROM messages
             JOIN sessions ON sessions.id = messages.session
             ORDER BY messages.id DESC LIMIT 1";
        let row = self.connection.query_row(query, [], |row| row.get(0));
        Ok(row.optional()?)
    }

    /// Stores when a session ended and the usage of all its replies. Without a usage, the
    /// stored one stays.
    pub fn finish(
        &mut self,
        session_id: &str,
        ended_at: DateTime<Utc>,
        usage: Option<&Usage>,
    ) -> Result<(), HistoryError> {
        let usage = usage.map(serde_json::to_string).transpose();
        let usage = usage.map_err(HistoryError::Unwritable)?;
        let changed = self.connection.execute(
            "UPDATE sessions SET ended_at = ?2, usage = coalesce(?3, usage) WHERE session_id = ?1",
            (session_id, format_time(ended_at), usage),
        )?;
        match changed {
            0 => Err(HistoryError::NotFound(session_id.into())),
            _ => Ok(()),
        }
    }

    /// Creates a session that begins now with the first `position` messages of another one,
    /// and has the same agent and model. Messages after them do not matter.
    ///
    /// A message that cannot be read, or that is missing before another copied one, is
    /// [`Corrupt`](HistoryError::Corrupt). Otherwise, fewer than `position` messages are
    /// [`TooShort`](HistoryError::TooShort). Without the other session, the error is
    /// [`NotFound`](HistoryError::NotFound).
    ///
    /// The messages are copied. References would take less space, but no session with a
    /// branch could be deleted, and every reader would have to follow the chain of origins.
    pub fn branch(
        &mut self,
        session_id: &str,
        position: usize,
    ) -> Result<(Session, Cursor), HistoryError> {
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        let Some(parent) = row_id(&transaction, session_id)? else {
            return Err(HistoryError::NotFound(session_id.into()));
        };
        let new_id = uuid::Uuid::new_v4().to_string();
        transaction.execute(
            "INSERT INTO sessions (session_id, agent_name, model, started_at, parent, branched_at)
             SELECT ?2, agent_name, model, ?3, id, ?4 FROM sessions WHERE id = ?1",
            (parent, &new_id, format_time(now()), position as i64),
        )?;
        transaction.execute(
            "INSERT INTO messages (session, position, message, words)
             SELECT ?2, position, message, words FROM messages
             WHERE session = ?1 AND position < ?3 ORDER BY position",
            (parent, transaction.last_insert_rowid(), position as i64),
        )?;
        // Before the commit: if messages are damaged or missing, no branch is stored.
        let branch = read_session(&transaction, &new_id)?;
        let found = branch.messages.len();
        if found < position {
            return Err(HistoryError::TooShort {
                asked: position,
                found,
            });
        }
        transaction.commit()?;
        Ok((branch, Cursor::new(&new_id, position)))
    }

    /// The origin of a branch. `None` if the session is not a branch, or if the session that it
    /// was made from was deleted.
    pub fn origin(&self, session_id: &str) -> Result<Option<Origin>, HistoryError> {
        let query = "SELECT parents.session_id, sessions.branched_at FROM sessions
             JOIN sessions AS parents ON parents.id = sessions.parent
             WHERE sessions.session_id = ?1";
        let row = self.connection.query_row(query, [session_id], |row| {
            Ok(Origin {
                session_id: row.get(0)?,
                position: row.get::<_, i64>(1)? as usize,
            })
        });
        Ok(row.optional()?)
    }
}
