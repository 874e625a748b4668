//! Taking up a session again, ending it, and trying another way from its middle.

use chrono::{DateTime, Utc};
use rusqlite::{OptionalExtension, TransactionBehavior};

use super::history::{key, written};
use super::{Cursor, HistoryError, Session, SessionHistory};
use crate::agent::Usage;
use crate::session::cursor::length;
use crate::session::session::now;

/// Where a branch comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The session that it was branched from.
    pub session_id: String,
    /// How many of that session's messages it began with.
    pub position: usize,
}

impl SessionHistory {
    /// A session as it is, and the cursor behind it. Nothing is written: it goes on with the
    /// first message that is appended.
    pub fn resume(&self, session_id: &str) -> Result<(Session, Cursor), HistoryError> {
        todo!("20.8: write SessionHistory::resume")
    }

    /// The session that went on last: of those with the newest message, the one whose id
    /// the database gave last. `None` if no session has messages.
    pub fn latest(&self) -> Result<Option<String>, HistoryError> {
        todo!("20.8: write SessionHistory::latest")
    }

    /// Notes that a session has ended, and what it cost in all; without a usage, the one that
    /// is stored stays.
    pub fn finish(
        &mut self,
        session_id: &str,
        ended_at: DateTime<Utc>,
        usage: Option<&Usage>,
    ) -> Result<(), HistoryError> {
        todo!("20.8: write SessionHistory::finish")
    }

    /// A new session that begins with the first `position` messages of another, now, with
    /// the same agent and model, and goes its own way from there.
    ///
    /// The messages are copied. By reference they would take less room, and then each
    /// session would hang on all that it was ever branched from: none could be deleted, and
    /// every reader would have to follow the chain.
    pub fn branch(
        &mut self,
        session_id: &str,
        position: usize,
    ) -> Result<(Session, Cursor), HistoryError> {
        todo!("20.8: write SessionHistory::branch")
    }

    /// Where a session was branched from. `None` if it was not, or if that session is gone.
    pub fn origin(&self, session_id: &str) -> Result<Option<Origin>, HistoryError> {
        let question = "SELECT parents.session_id, sessions.branched_at FROM sessions
             JOIN sessions AS parents ON parents.id = sessions.parent
             WHERE sessions.session_id = ?1";
        let answer = self.connection.query_row(question, [session_id], |row| {
            Ok(Origin {
                session_id: row.get(0)?,
                position: row.get::<_, i64>(1)? as usize,
            })
        });
        Ok(answer.optional()?)
    }
}
