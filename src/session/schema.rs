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
    todo!("20.4: write examine")
}

/// Takes the steps that a history has not taken, each in a transaction of its own together
/// with the new version.
pub fn migrate(connection: &mut Connection) -> Result<(), HistoryError> {
    todo!("20.5: write migrate")
}
