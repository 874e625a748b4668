//! Session databases of older versions: each opens, its messages come back equal, and `claw`
//! resumes its session.

use std::fs;
use std::path::Path;

use claw_code_solutions::session::SessionHistory;
use rusqlite::Connection;
use serde_json::Value;

use crate::support::Workspace;

/// The steps that make a database of version 1, with a session in it, and those that make
/// one of version 2 of it, as `claw` 0.1.0 did.
const VERSIONS: [&[&str]; 2] = [
    &[include_str!("version_1.sql")],
    &[include_str!("version_1.sql"), include_str!("version_2.sql")],
];

const SESSION: &str = "cb4bff6f-c3f1-4e88-be9c-3af660ed8c88";

#[test]
fn old_messages_come_back_equal() {
    for steps in VERSIONS {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("history.db");
        let stored = create_database(&path, steps);
        let history = SessionHistory::open(&path).expect("an old history can be opened");
        let session = history.load(SESSION).expect("an old session can be loaded");
        let loaded = session.messages.iter().map(serde_json::to_value);
        let loaded: Vec<Value> = loaded.map(|message| message.expect("JSON")).collect();
        assert_eq!(loaded, stored, "version {}", steps.len());
        assert_eq!(session.total_usage().total_tokens, 13_519);
        let hits = history.search("nofile", 10).expect("it can be searched");
        assert_eq!(hits.len(), 4, "version {}: {hits:?}", steps.len());
    }
}

#[test]
fn an_old_session_is_shown_and_resumed() {
    for steps in VERSIONS {
        let workspace = Workspace::with(&[("notes.txt", "milk\n")]);
        workspace.ask("hello");
        let path = workspace.database();
        fs::remove_file(&path).expect("the new database can be removed");
        create_database(&path, steps);
        let shown = workspace.claw(&["sessions", "--show"]).run().succeeds();
        let last = "\n12 assistant (offline-anthropic/claw-offline)\n";
        assert!(shown.stdout.contains(last), "{shown:?}");
        let arguments = ["--offline", "--resume", "-p", "read notes.txt"];
        let resumed = workspace.claw(&arguments).run().succeeds();
        assert!(
            resumed.stdout.contains("It begins: 1\tmilk."),
            "{resumed:?}"
        );
        let list = workspace.claw(&["sessions"]).run().succeeds();
        assert!(list.stdout.contains("16 messages"), "{list:?}");
    }
}

/// Creates a database with these steps, and returns the messages in it.
fn create_database(path: &Path, steps: &[&str]) -> Vec<Value> {
    let connection = Connection::open(path).expect("a new database");
    for step in steps {
        connection.execute_batch(step).expect("the SQL works");
    }
    let mut statement = connection
        .prepare("SELECT message FROM messages ORDER BY position")
        .expect("there are messages");
    let rows = statement.query_map([], |row| row.get::<_, String>(0));
    let messages = rows.expect("they can be read").map(|message| {
        let message = message.expect("a message is text");
        serde_json::from_str(&message).expect("a message is JSON")
    });
    messages.collect()
}
