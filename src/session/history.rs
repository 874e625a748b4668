//! Many sessions, in one database.

use std::path::Path;
use std::time::{Duration, Instant};

use chrono::{DateTime, SecondsFormat, Utc};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OptionalExtension, Row, TransactionBehavior};

use super::{Cursor, HistoryError, Session, examine, migrate, store};
use crate::chat::ChatMessage;

/// How long a call waits for another process that writes.
const PATIENCE: Duration = Duration::from_secs(5);

/// The sessions that are kept, in an SQLite database. Several processes may have it open.
///
/// What a method has stored when it returns is on the disk: it survives the end of this
/// process and of the machine. What it has not stored, because it gave an error, left no
/// trace.
#[derive(Debug)]
pub struct SessionHistory {
    pub(super) connection: Connection,
}

impl SessionHistory {
    /// Opens a history, or makes a new one if there is no file, or an empty one. A file that
    /// cannot be one of ours stays as it is, byte for byte.
    ///
    /// A path is a file's, whatever it looks like: `:memory:` and `file:x` are files of
    /// these names. An empty path is an error.
    ///
    /// Checked are the file's header, whose it is, its version, that it has tables, and that
    /// it may be written. To check all pages would be to read the whole file. So damage
    /// further in is noticed only by the call that reads the damaged place: by
    /// [`load`](Self::load), perhaps, and not by the [`append`](Self::append) before it.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, HistoryError> {
        todo!("20.4: write SessionHistory::open")
    }

    /// A history that is gone when this value is.
    pub fn in_memory() -> Result<Self, HistoryError> {
        Self::prepare(Connection::open_in_memory()?)
    }

    /// A history over a connection to one of the newest version that somebody else has set
    /// up. Nothing of this is checked.
    pub fn over(connection: Connection) -> Self {
        Self { connection }
    }

    fn prepare(mut connection: Connection) -> Result<Self, HistoryError> {
        todo!("20.5: write SessionHistory::prepare")
    }

    /// How long calls wait for another process that writes before they give
    /// [`Busy`](HistoryError::Busy); five seconds unless said here.
    pub fn set_patience(&self, patience: Duration) -> Result<(), HistoryError> {
        Ok(self.connection.busy_timeout(patience)?)
    }

    /// Stores a session with all its messages. The cursor stands behind the last of them.
    pub fn create(&mut self, session: &Session) -> Result<Cursor, HistoryError> {
        todo!("20.6: write SessionHistory::create")
    }

    /// A session with all its messages, as they are at one moment.
    pub fn load(&self, session_id: &str) -> Result<Session, HistoryError> {
        todo!("20.6: write SessionHistory::load")
    }

    /// Takes a session out of the history, with its messages. Branches of it stay.
    pub fn delete(&mut self, session_id: &str) -> Result<(), HistoryError> {
        todo!("20.6: write SessionHistory::delete")
    }
}

/// Has the database write a log beside itself, the journal mode WAL, with which readers and a
/// writer do not wait for each other. While another process writes without one, this waits.
fn begin_log(connection: &mut Connection) -> Result<(), HistoryError> {
    todo!("20.5: write begin_log")
}

/// The row of a session.
pub(super) fn key(connection: &Connection, session_id: &str) -> Result<Option<i64>, HistoryError> {
    let question = "SELECT id FROM sessions WHERE session_id = ?1";
    let answer = connection.query_row(question, [session_id], |row| row.get(0));
    Ok(answer.optional()?)
}

/// A time as the database holds it.
pub(super) fn written(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

fn session(row: &Row) -> Result<Session, HistoryError> {
    let started_at: String = row.get(3)?;
    let ended_at: Option<String> = row.get(4)?;
    let usage: Option<String> = row.get(5)?;
    let usage = usage.map(|usage| serde_json::from_str(&usage)).transpose();
    Ok(Session {
        session_id: row.get(0)?,
        agent_name: row.get(1)?,
        model: row.get(2)?,
        messages: Vec::new(),
        started_at: time(&started_at)?,
        ended_at: ended_at.as_deref().map(time).transpose()?,
        usage: usage
            .map_err(|error| HistoryError::Corrupt(format!("a session's usage: {error}")))?,
    })
}

fn message(row: &Row, session_id: &str, position: usize) -> Result<ChatMessage, HistoryError> {
    // Bytes: what is damaged may not even be text.
    let json = row.get_ref(1)?.as_bytes().unwrap_or_default();
    serde_json::from_slice(json).map_err(|error| {
        let what = format!("message {position} of session {session_id}: {error}");
        HistoryError::Corrupt(what)
    })
}

fn missing(session_id: &str, position: usize) -> HistoryError {
    HistoryError::Corrupt(format!(
        "message {position} of session {session_id} is missing"
    ))
}

/// A time as it was [`written`].
pub(super) fn time(text: &str) -> Result<DateTime<Utc>, HistoryError> {
    let time = text.parse();
    time.map_err(|error| HistoryError::Corrupt(format!("the time {text:?}: {error}")))
}
