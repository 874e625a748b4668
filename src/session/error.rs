//! The errors of a history.

use std::error::Error;
use std::fmt;

use rusqlite::ErrorCode;

/// Why a history could not be opened, read or written. Nothing was changed.
#[derive(Debug)]
pub enum HistoryError {
    /// The file is not a history: it is not a database, or another program's database.
    NotOurs,
    /// A newer version of this program has written the file.
    NewerVersion {
        /// The version of the file.
        found: i64,
        /// The newest version that this program can read.
        known: i64,
    },
    /// A part of the file is damaged. The text says which.
    Corrupt(String),
    /// The file, its folder or the disk cannot be written.
    ReadOnly,
    /// Another process was writing for longer than the timeout.
    Busy,
    /// The disk is full.
    Full,
    /// There is no session with this id.
    NotFound(String),
    /// There is already a session with this id.
    Exists(String),
    /// The session has more or fewer messages than the caller has seen: another process has
    /// changed it. Resume the session to get all of them, or branch it.
    Conflict {
        /// The number of messages that the caller has seen.
        known: usize,
        /// The number of messages that the session has.
        found: usize,
    },
    /// The session has fewer messages than requested.
    TooShort {
        /// The requested number of messages.
        asked: usize,
        /// The number of messages that were found.
        found: usize,
    },
    /// A message or a usage cannot be written as JSON, or its JSON could not be read again.
    Unwritable(serde_json::Error),
    /// Any other error of SQLite.
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for HistoryError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => Self::NotOurs,
            Some(ErrorCode::DatabaseCorrupt) => Self::Corrupt(error.to_string()),
            Some(ErrorCode::ReadOnly) => Self::ReadOnly,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy,
            Some(ErrorCode::DiskFull) => Self::Full,
            // Such an error has no code.
            None if matches!(error, rusqlite::Error::Utf8Error(..)) => {
                Self::Corrupt(error.to_string())
            }
            _ => Self::Sqlite(error),
        }
    }
}

impl fmt::Display for HistoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotOurs => f.write_str("this file is not a session history; name another file"),
            Self::NewerVersion { found, known } => write!(
                f,
                "this history has version {found}, and this program reads versions up to {known}; use a newer program"
            ),
            Self::Corrupt(damage) => write!(
                f,
                "this history is damaged ({damage}); replace it with a copy, or move it away to start a new one"
            ),
            Self::ReadOnly => f.write_str(
                "this history cannot be written: the file, its folder or the disk is read-only",
            ),
            Self::Busy => f.write_str("another process is writing to this history; try again"),
            Self::Full => f.write_str("the disk is full, and nothing was stored; free some space and try again"),
            Self::NotFound(id) => write!(f, "there is no session `{id}`"),
            Self::Exists(id) => write!(f, "there is already a session `{id}`; use another id"),
            Self::Conflict { known, found } => write!(
                f,
                "the session has {found} messages, not {known}: another process has changed it; resume it again"
            ),
            Self::TooShort { asked, found } => {
                write!(f, "the session has only {found} messages, not {asked}")
            }
            Self::Unwritable(error) => write!(f, "this cannot be stored: {error}"),
            Self::Sqlite(error) if is_open_failure(error) => f.write_str(
                "this history cannot be opened: its folder does not exist, or this program may not read and write the file",
            ),
            Self::Sqlite(error) => write!(f, "SQLite reports an error: {error}"),
        }
    }
}

// Without a `source`: the message already contains that of SQLite or JSON, and printing an
// error with its causes would repeat it.
impl Error for HistoryError {}

/// Whether SQLite could not open a file at all.
fn is_open_failure(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::CannotOpen)
}
