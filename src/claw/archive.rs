//! The sessions of a folder, and what to say to `claw`'s user when there is trouble with them.

use std::path::Path;

use anyhow::{Context, Error, Result, anyhow, bail};

use crate::session::{HistoryError, SessionHistory};

/// Whether anything is kept in this database. Where nobody may look, that is no answer but
/// an error.
pub fn is_there(database: &Path) -> Result<bool> {
    let there = database.try_exists();
    there.with_context(|| format!("cannot look for {}", database.display()))
}

/// Opens a database.
pub fn open(database: &Path) -> Result<SessionHistory> {
    SessionHistory::open(database).map_err(|error| explained(error, database))
}

/// An error, with the file that it is about and what to do.
pub fn explained(error: HistoryError, database: &Path) -> Error {
    let file = database.display();
    match error {
        HistoryError::NotOurs => anyhow!(
            "{file}: this file is no session history; move it away, or name another folder in CLAW_HOME"
        ),
        HistoryError::ReadOnly => anyhow!(
            "{file} cannot be written: the file, its folder or the disk is read-only, and SQLite has to write there even to read"
        ),
        HistoryError::Busy => anyhow!("another process is writing to {file}"),
        error => Error::from(error).context(file.to_string()),
    }
}

/// The one session whose id begins with `id`; without `id` the latest.
pub fn find(history: &SessionHistory, database: &Path, id: Option<&str>) -> Result<String> {
    let trouble = |error| explained(error, database);
    let Some(start) = id else {
        return match history.latest().map_err(trouble)? {
            Some(latest) => Ok(latest),
            None => bail!(NONE_YET),
        };
    };
    let found = history.ids(start).map_err(trouble)?;
    match found.as_slice() {
        [one] => Ok(one.clone()),
        [] => bail!(
            "no session of this folder has an id that begins with `{start}`; `claw sessions` lists them"
        ),
        _ => bail!(
            "the ids of {} sessions begin with `{start}`; name more of it: {}",
            found.len(),
            found.join(", ")
        ),
    }
}

/// As much of an id as a person needs.
pub fn short(session_id: &str) -> &str {
    session_id.get(..8).unwrap_or(session_id)
}

/// What there is to say where a session is asked for and there are none.
pub const NONE_YET: &str = "no session of this folder is kept yet; what you say to `claw` is";
