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
        let session = self.load(session_id)?;
        let cursor = Cursor::new(session_id, session.messages.len());
        Ok((session, cursor))
    }

    /// The session that went on last: of those with the newest message, the one whose id
    /// the database gave last. `None` if no session has messages.
    pub fn latest(&self) -> Result<Option<String>, HistoryError> {
        let question = "SELECT sessions.session_id FROM messages
             JOIN sessions ON sessions.id = messages.session
             ORDER BY messages.id DESC LIMIT 1";
        let answer = self.connection.query_row(question, [], |row| row.get(0));
        Ok(answer.optional()?)
    }

    /// Notes that a session has ended, and what it cost in all; without a usage, the one that
    /// is stored stays.
    pub fn finish(
        &mut self,
        session_id: &str,
        ended_at: DateTime<Utc>,
        usage: Option<&Usage>,
    ) -> Result<(), HistoryError> {
        let usage = usage.map(serde_json::to_string).transpose();
        let usage = usage.map_err(HistoryError::Unwritable)?;
        // No usage is no news: what is there stays.
        let changed = self.connection.execute(
            "UPDATE sessions SET ended_at = ?2, usage = coalesce(?3, usage) WHERE session_id = ?1",
            (session_id, written(ended_at), usage),
        )?;
        match changed {
            0 => Err(HistoryError::NotFound(session_id.into())),
            _ => Ok(()),
        }
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
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        let Some(parent) = key(&transaction, session_id)? else {
            return Err(HistoryError::NotFound(session_id.into()));
        };
        let found = length(&transaction, parent)?;
        if position > found {
            return Err(HistoryError::TooShort {
                asked: position,
                found,
            });
        }
        let new_id = uuid::Uuid::new_v4().to_string();
        transaction.execute(
            "INSERT INTO sessions (session_id, agent_name, model, started_at, parent, branched_at)
             SELECT ?2, agent_name, model, ?3, id, ?4 FROM sessions WHERE id = ?1",
            (parent, &new_id, written(now()), position as i64),
        )?;
        transaction.execute(
            "INSERT INTO messages (session, position, message, words)
             SELECT ?2, position, message, words FROM messages
             WHERE session = ?1 AND position < ?3 ORDER BY position",
            (parent, transaction.last_insert_rowid(), position as i64),
        )?;
        transaction.commit()?;
        self.resume(&new_id)
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
