//! What may be wrong with a history.

use std::error::Error;
use std::fmt;

use rusqlite::ErrorCode;

/// Why a history could not be opened, read or written. Whatever it is, nothing was changed.
#[derive(Debug)]
pub enum HistoryError {
    /// The file is no history: no database, or another program's.
    NotOurs,
    /// A newer version of this program has made it.
    NewerVersion {
        /// The version that it has.
        found: i64,
        /// The newest that can be read here.
        known: i64,
    },
    /// A part of the file is damaged.
    Corrupt(String),
    /// The file, or the disk that it is on, cannot be written.
    ReadOnly,
    /// Another process was writing for longer than we wait.
    Busy,
    /// There is no place for more.
    Full,
    /// No session has this id.
    NotFound(String),
    /// A session of this id is there already.
    Exists(String),
    /// The session has not as many messages as the caller thinks: somebody else has added
    /// some. Resume it to see them.
    Conflict {
        /// The messages that the caller knows of.
        known: usize,
        /// The messages that there are.
        found: usize,
    },
    /// The session has fewer messages than were asked for.
    TooShort {
        /// The messages that were asked for.
        asked: usize,
        /// The messages that there are.
        found: usize,
    },
    /// A message or a session's usage cannot be written as JSON that can be read again.
    Unwritable(serde_json::Error),
    /// Any other mistake, in SQLite's words.
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
            _ => Self::Sqlite(error),
        }
    }
}

impl fmt::Display for HistoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotOurs => f.write_str("this file is no session history; name another file"),
            Self::NewerVersion { found, known } => write!(
                f,
                "this history has version {found}, and this program reads up to version {known}; use a newer one"
            ),
            Self::Corrupt(what) => write!(
                f,
                "this history is damaged ({what}); put a copy in its place, or move it away to begin a new one"
            ),
            Self::ReadOnly => f.write_str(
                "this history cannot be written: the file, its folder or the disk is read-only",
            ),
            Self::Busy => f.write_str("another process is writing to this history; try again"),
            Self::Full => f.write_str("the disk is full; nothing was stored"),
            Self::NotFound(id) => write!(f, "there is no session `{id}`"),
            Self::Exists(id) => write!(f, "there is a session `{id}` already"),
            Self::Conflict { known, found } => write!(
                f,
                "the session has {found} messages and not {known}: somebody else goes on with it; resume it again"
            ),
            Self::TooShort { asked, found } => {
                write!(f, "the session has {found} messages, fewer than {asked}")
            }
            Self::Unwritable(error) => write!(f, "this cannot be stored: {error}"),
            Self::Sqlite(error) if is_closed(error) => f.write_str(
                "this history cannot be opened: its folder is not there, or the file may not be read and written",
            ),
            Self::Sqlite(error) => write!(f, "the history does not work: {error}"),
        }
    }
}

// Without a `source`: what an error of SQLite's or of JSON's says stands in our words already,
// and whoever prints an error with its causes would print it twice.
impl Error for HistoryError {}

/// Whether SQLite could not open a file at all.
fn is_closed(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::CannotOpen)
}
