//! The database of a folder's sessions, with error messages that name the file and the next
//! step to take.

use std::path::Path;

use anyhow::{Context, Error, Result, anyhow, bail};

use crate::session::{HistoryError, SessionHistory};

/// Whether the database exists. It is an error if the file system does not allow the check.
pub fn exists(database: &Path) -> Result<bool> {
    let exists = database.try_exists();
    exists.with_context(|| format!("cannot access {}", database.display()))
}

/// Opens the database.
pub fn open(database: &Path) -> Result<SessionHistory> {
    SessionHistory::open(database).map_err(|error| explain(error, database))
}

/// The error message for an error of this database.
pub fn explain(error: HistoryError, database: &Path) -> Error {
    let file = database.display();
    match error {
        HistoryError::NotOurs => anyhow!(
            "{file}: this file is not a session history; move it away, or set CLAW_HOME to another folder"
        ),
        HistoryError::ReadOnly => anyhow!(
            "{file} cannot be written: the file, its folder or the disk is read-only, and SQLite has to write even to read"
        ),
        HistoryError::Busy => anyhow!("another process is writing to {file}"),
        error => Error::from(error).context(file.to_string()),
    }
}

/// The id of the only session whose id begins with `prefix`; without a prefix, of the latest
/// session. Any other number of sessions is an error.
pub fn find(history: &SessionHistory, database: &Path, prefix: Option<&str>) -> Result<String> {
    let explained = |error| explain(error, database);
    let Some(prefix) = prefix else {
        return match history.latest().map_err(explained)? {
            Some(latest) => Ok(latest),
            None => bail!(NO_SESSIONS),
        };
    };
    let found = history.ids(prefix).map_err(explained)?;
    match found.as_slice() {
        [id] => Ok(id.clone()),
        [] => bail!(
            "no session of this folder has an id that begins with `{prefix}`; `claw sessions` lists them"
        ),
        _ => bail!(
            "{} session ids begin with `{prefix}`; give more characters of one: {}",
            found.len(),
            found.join(", ")
        ),
    }
}

/// The first 8 characters of an id, which identify a session in practice.
pub fn short_id(session_id: &str) -> &str {
    session_id.get(..8).unwrap_or(session_id)
}

/// The error message where a session is wanted and the folder has none.
pub const NO_SESSIONS: &str =
    "this folder has no sessions yet; every conversation with `claw` becomes one";
