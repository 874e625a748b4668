//! The tables of a history: how to recognize its database, and how to migrate it.

use rusqlite::{Connection, TransactionBehavior};

use super::HistoryError;

/// The application id in the header of a history's database: `claw` in ASCII.
pub const APPLICATION_ID: i64 = 0x636c_6177;

/// The SQL that takes a history from each version to the next. The version of a database, its
/// `user_version`, is the number of steps that were applied to it. Once released, a step is
/// never changed: a change is a new step.
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

// The index stores no text: it reads `words` when it needs it. Triggers keep it up to date, so
// that no writer can forget to. Messages are never updated, so two triggers are enough.
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

/// The version of a history; 0 for an empty database. This only reads.
///
/// A database is a history if its application id is [`APPLICATION_ID`] and its version is at
/// least 1; any other one that is not empty is [`NotOurs`](HistoryError::NotOurs). A history
/// without tables is [`Corrupt`](HistoryError::Corrupt), and one with a version above the
/// number of [`MIGRATIONS`] is [`NewerVersion`](HistoryError::NewerVersion).
pub fn examine(connection: &Connection) -> Result<i64, HistoryError> {
    let (application_id, version, tables) = identify(connection)?;
    let known = MIGRATIONS.len() as i64;
    match (application_id, version) {
        (0, 0) if tables == 0 => Ok(0),
        (APPLICATION_ID, 1..) if version <= known && tables == 0 => {
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

/// The application id and the version of a database, and the number of its tables, indexes
/// and triggers.
fn identify(connection: &Connection) -> Result<(i64, i64, i64), HistoryError> {
    // One query, so that another process can change nothing between its parts.
    let query = "SELECT (SELECT application_id FROM pragma_application_id),
                (SELECT user_version FROM pragma_user_version),
                (SELECT count(*) FROM sqlite_schema)";
    Ok(connection.query_row(query, [], |row| row.try_into())?)
}

/// Applies the [`MIGRATIONS`] that a history lacks. Each step is one transaction, together
/// with the application id and the new version.
pub fn migrate(connection: &mut Connection) -> Result<(), HistoryError> {
    todo!("schema-migrations: write migrate")
}
