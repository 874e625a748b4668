//! Whose database it is, which version it has, and how it gets the newest.

use rusqlite::{Connection, TransactionBehavior};

use super::HistoryError;

/// What the header of our databases says of whose they are: `claw`, in ASCII.
pub const APPLICATION_ID: i64 = 0x636c_6177;

/// How a history gets from each version to the next. A step is never changed once somebody
/// has a database with it; a change is one more step. The version of a database, its
/// `user_version`, is how many of them it has taken.
pub const MIGRATIONS: [&str; 2] = [TABLES, SEARCH];

const TABLES: &str = "
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL UNIQUE,
    agent_name TEXT NOT NULL,
    model TEXT NOT NULL,
    started_at TEXT NOT NULL,
    ended_at TEXT,
    usage TEXT,
    parent INTEGER REFERENCES sessions (id) ON DELETE SET NULL,
    branched_at INTEGER
) STRICT;
CREATE INDEX sessions_by_parent ON sessions (parent);
CREATE TABLE messages (
    id INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    message TEXT NOT NULL,
    words TEXT NOT NULL,
    UNIQUE (session, position)
) STRICT;
";

// The index keeps no text of its own: it reads `words` where it needs it. The triggers stand
// in the database, so that no writer can forget them. Messages are never changed, so there
// is no third one.
const SEARCH: &str = "
CREATE VIRTUAL TABLE message_search USING fts5 (
    words, content = 'messages', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2'
);
INSERT INTO message_search (message_search) VALUES ('rebuild');
CREATE TRIGGER message_added AFTER INSERT ON messages BEGIN
    INSERT INTO message_search (rowid, words) VALUES (new.id, new.words);
END;
CREATE TRIGGER message_removed AFTER DELETE ON messages BEGIN
    INSERT INTO message_search (message_search, rowid, words) VALUES ('delete', old.id, old.words);
END;
";

/// The version of a history that we can read: 0 for an empty database. Only reads.
///
/// A database of ours that has a version, but no tables, is
/// [`Corrupt`](HistoryError::Corrupt). What is in the tables is not looked at.
pub fn examine(connection: &Connection) -> Result<i64, HistoryError> {
    // One question, so that no other process changes anything between its parts.
    let (application_id, version, entries): (i64, i64, i64) = connection.query_row(
        "SELECT (SELECT application_id FROM pragma_application_id),
                (SELECT user_version FROM pragma_user_version),
                (SELECT count(*) FROM sqlite_schema)",
        [],
        |row| row.try_into(),
    )?;
    let known = MIGRATIONS.len() as i64;
    match (application_id, version) {
        (0, 0) if entries == 0 => Ok(0),
        (APPLICATION_ID, 1..) if version <= known && entries == 0 => {
            Err(HistoryError::Corrupt("it has no tables".into()))
        }
        (APPLICATION_ID, 1..) if version <= known => Ok(version),
        (APPLICATION_ID, 1..) => Err(HistoryError::NewerVersion {
            found: version,
            known,
        }),
        _ => Err(HistoryError::NotOurs),
    }
}

/// Takes the steps that a history has not taken, each in a transaction of its own together
/// with the new version.
pub fn migrate(connection: &mut Connection) -> Result<(), HistoryError> {
    loop {
        // Asked for inside the transaction: until it began, another process may have taken
        // the step. In a database that is up to date, nothing is locked for writing.
        if examine(connection)? as usize == MIGRATIONS.len() {
            return Ok(());
        }
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let version = examine(&transaction)?;
        if let Some(step) = MIGRATIONS.get(version as usize) {
            transaction.execute_batch(step)?;
            transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
            transaction.pragma_update(None, "user_version", version + 1)?;
        }
        transaction.commit()?;
    }
}
