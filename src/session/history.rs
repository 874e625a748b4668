//! The database: opening it, and storing, loading and deleting sessions.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, TransactionBehavior};

use super::rows::{insert_messages, insert_session, read_session, row_id};
use super::{Cursor, HistoryError, Session, examine, migrate};

/// How long a call waits for another process that writes.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Stored sessions, in an SQLite database. Several processes may have it open.
///
/// When a method returns `Ok`, what it stored is on the disk and survives the end of this
/// process and a power failure. A method that returns an error has stored nothing.
#[derive(Debug)]
pub struct SessionHistory {
    pub(super) connection: Connection,
}

impl SessionHistory {
    /// Opens a history, or creates one if the file does not exist or is empty. Any other file
    /// that is not a history stays as it is, byte for byte.
    ///
    /// `path` always names a file: `:memory:` and `file:x` are files with these names. An
    /// empty path is an error.
    ///
    /// This checks the file's header, its application id, its version, that it has tables,
    /// and that it can be written. Checking all pages would take reading the whole file, so
    /// damage elsewhere is found only by a call that reads the damaged page:
    /// [`load`](Self::load) may report what an [`append`](Self::append) before it did not.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, HistoryError> {
        // SQLite gives `:memory:` and `file:…?mode=memory` a meaning of their own. After
        // `./`, it does not.
        let connection = Connection::open(Path::new(".").join(path))?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        // Closing a database copies the log beside it into it. That is not allowed before we
        // know that the database is a history.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        // SQLite opens a file without write permission for reading, without an error.
        if connection.is_readonly("main")? {
            return Err(HistoryError::ReadOnly);
        }
        examine(&connection)?;
        Self::prepare(connection)
    }

    /// A new history that exists only until this value is dropped.
    pub fn in_memory() -> Result<Self, HistoryError> {
        Self::prepare(Connection::open_in_memory()?)
    }

    /// The history of a connection that is set up already: its database has the newest
    /// version. Nothing is checked.
    pub fn over(connection: Connection) -> Self {
        // Otherwise SQLite plans some queries again for each value that is bound to them. A
        // failure costs only time.
        let _ = connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true);
        Self { connection }
    }

    /// The history of a connection, whose database is a history or empty. Migrates the
    /// database, turns on its log, allows it again to copy the log when it is closed, and sets two
    /// options: each commit waits for the disk (`synchronous`), and deleting a session
    /// deletes its messages (`foreign_keys`).
    pub fn prepare(mut connection: Connection) -> Result<Self, HistoryError> {
        todo!("schema-migrations: write SessionHistory::prepare")
    }

    /// Sets how long a call waits for another process that writes before it returns
    /// [`Busy`](HistoryError::Busy). The default is five seconds.
    pub fn set_busy_timeout(&self, timeout: Duration) -> Result<(), HistoryError> {
        Ok(self.connection.busy_timeout(timeout)?)
    }

    /// Stores a new session with its messages, all of it or nothing. The cursor is after the
    /// last message. If a stored session has this id, the error is
    /// [`Exists`](HistoryError::Exists).
    pub fn create(&mut self, session: &Session) -> Result<Cursor, HistoryError> {
        todo!("store-session: write SessionHistory::create")
    }

    /// A session with all its messages, as they are in one snapshot. A message that is missing
    /// or cannot be read is [`Corrupt`](HistoryError::Corrupt).
    pub fn load(&self, session_id: &str) -> Result<Session, HistoryError> {
        todo!("load-session: write SessionHistory::load")
    }

    /// Deletes a session and its messages. Branches of it stay.
    pub fn delete(&mut self, session_id: &str) -> Result<(), HistoryError> {
        todo!("load-session: write SessionHistory::delete")
    }
}

/// Sets the journal mode to WAL: the database writes a log beside itself, so that readers and
/// a writer do not wait for each other. While another process writes, this waits, up to
/// [`BUSY_TIMEOUT`].
fn enable_wal(connection: &mut Connection) -> Result<(), HistoryError> {
    todo!("schema-migrations: write enable_wal")
}
