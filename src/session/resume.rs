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
        todo!("resume-session: write SessionHistory::resume")
    }

    /// The id of the session that has the newest message: the one that was stored last in
    /// this history. `None` if there are no messages.
    pub fn latest(&self) -> Result<Option<String>, HistoryError> {
        todo!("resume-session: write SessionHistory::latest")
    }

    /// Stores when a session ended and the usage of all its replies. Without a usage, the
    /// stored one stays.
    pub fn finish(
        &mut self,
        session_id: &str,
        ended_at: DateTime<Utc>,
        usage: Option<&Usage>,
    ) -> Result<(), HistoryError> {
        todo!("resume-session: write SessionHistory::finish")
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
        todo!("branch-session: write SessionHistory::branch")
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
