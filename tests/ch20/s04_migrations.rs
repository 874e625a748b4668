//! Section 20.4: Migrate the database

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use claw_code::session::*;
use rusqlite::Connection;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use tempfile::TempDir;

use super::support::*;

#[test]
fn test_ch20_new_history_has_id_and_version() {
    for (rule, empty_file) in [("no file", false), ("an empty file", true)] {
        let folder = folder();
        let path = folder.path().join("history.db");
        if empty_file {
            fs::write(&path, "").expect("can be created");
        }
        drop(open_migrated(&path));
        let connection = Connection::open(&path).expect("can be opened");
        assert_eq!(
            (application_id(&connection), version(&connection)),
            (APPLICATION_ID, 2),
            "{rule} becomes a history with our application id and the newest version"
        );
    }
}

#[test]
fn test_ch20_new_history_uses_wal() {
    let folder = folder();
    let path = folder.path().join("history.db");
    drop(open_migrated(&path));
    let connection = Connection::open(&path).expect("can be opened");
    assert_eq!(
        journal_mode(&connection),
        "wal",
        "with a log, readers and a writer do not wait for each other"
    );
    let in_memory = SessionHistory::in_memory();
    assert!(
        in_memory.is_ok(),
        "a history in memory has no file and so no log, which is no error of `prepare`; it gave \
         {:?}",
        in_memory.err()
    );
}

#[test]
fn test_ch20_reopening_changes_nothing() {
    let folder = folder();
    let path = folder.path().join("history.db");
    drop(open_migrated(&path));
    let before = read_bytes(&path);
    drop(open_migrated(&path));
    assert!(before == read_bytes(&path), "the file stays as it is");
    assert_eq!(
        file_names(folder.path()),
        ["history.db"],
        "a closed history is one file"
    );
}

#[test]
fn test_ch20_old_history_is_migrated() {
    let old = OldHistory::new();
    drop(open_migrated(&old.path()));
    let connection = old.connection();
    assert_eq!(version(&connection), 2, "version 1 becomes version 2");
    let query = "SELECT count(*) FROM message_search WHERE message_search MATCH 'walnut'";
    assert_eq!(
        query_number(&connection, query),
        1,
        "the index of version 2 contains the messages of version 1"
    );
}

#[test]
fn test_ch20_failed_step_leaves_nothing() {
    let old = OldHistory::new();
    let connection = old.connection();
    sql(&connection, BLOCK_LAST_STATEMENT);
    let opened = SessionHistory::open(old.path());
    assert!(opened.is_err(), "the last statement of the step must fail");
    let query = "SELECT count(*) FROM sqlite_schema
                 WHERE name LIKE 'message_search%' OR name = 'message_added'";
    assert_eq!(
        (version(&connection), query_number(&connection, query)),
        (1, 0),
        "a step that fails leaves nothing, neither its tables nor the new version"
    );
}

#[test]
fn test_ch20_failed_step_can_be_repeated() {
    let old = OldHistory::new();
    let connection = old.connection();
    sql(&connection, BLOCK_LAST_STATEMENT);
    let opened = SessionHistory::open(old.path());
    assert!(opened.is_err(), "the last statement of the step must fail");
    sql(&connection, "DROP TRIGGER message_removed");
    drop(open_migrated(&old.path()));
    assert_eq!(
        version(&connection),
        2,
        "without the cause of the failure, the same step is applied"
    );
}

#[test]
fn test_ch20_each_step_is_one_transaction() {
    let old = OldHistory::new();
    let new = old.folder.path().join("new.db");
    for (path, steps) in [(new, 2), (old.path(), 1)] {
        let mut connection = Connection::open(&path).expect("can be opened");
        let before = change_counter(&path);
        let migrated = migrate(&mut connection);
        assert!(migrated.is_ok(), "migrating gave {:?}", migrated.err());
        let transactions = change_counter(&path) - before;
        assert!(
            transactions <= steps,
            "a step and its version number are one transaction: {steps} steps took \
             {transactions} transactions"
        );
        assert!(
            transactions >= steps,
            "each step is a transaction of its own, so that a later failure does not undo it: \
             {steps} steps took {transactions} transactions"
        );
    }
}

#[test]
fn test_ch20_migrate_looks_again_after_waiting() {
    let old = OldHistory::new();
    let other_step = format!("{}; PRAGMA user_version = 2", MIGRATIONS[1]);
    let migrated = migrate(&mut connection_with_writer(&old.path(), &other_step));
    assert!(
        !matches!(migrated, Err(HistoryError::Busy)),
        "the transaction waits for the other writer, because it is immediate: one that begins as a \
         reader is `Busy` at once"
    );
    assert!(
        migrated.is_ok(),
        "while this connection waited, another one applied the step to version 2, so nothing \
         is left to do; it gave {migrated:?}"
    );
}

#[test]
fn test_ch20_migrate_applies_the_steps_that_another_connection_left() {
    let folder = folder();
    let path = folder.path().join("history.db");
    let first_step = format!(
        "{}; PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = 1",
        MIGRATIONS[0]
    );
    let mut connection = connection_with_writer(&path, &first_step);
    let migrated = migrate(&mut connection);
    assert!(migrated.is_ok(), "migrating gave {migrated:?}");
    assert_eq!(
        version(&connection),
        2,
        "while this connection waited, another one applied step 1, so step 2 is left"
    );
}

#[test]
fn test_ch20_turning_on_the_log_waits_for_a_writer() {
    let folder = folder();
    let path = folder.path().join("history.db");
    drop(open_migrated(&path));
    let connection = Connection::open(&path).expect("can be opened");
    let mode = connection.query_row("PRAGMA journal_mode = DELETE", [], |row| {
        row.get::<_, String>(0)
    });
    assert_eq!(mode.as_deref(), Ok("delete"), "the log is turned off");
    drop(connection);
    let prepared = SessionHistory::prepare(connection_with_writer(&path, ""));
    assert!(
        prepared.is_ok(),
        "while another process writes a history without a log, the log cannot be turned on, so \
         `prepare` waits; it gave {:?}",
        prepared.err()
    );
    let connection = Connection::open(&path).expect("can be opened");
    assert_eq!(journal_mode(&connection), "wal", "then it turns on the log");
}

#[test]
fn test_ch20_current_history_opens_while_another_process_writes() {
    let folder = folder();
    let path = folder.path().join("history.db");
    let _first = open_migrated(&path);
    let writer = Connection::open(&path).expect("can be opened");
    sql(&writer, "BEGIN IMMEDIATE");
    let opened = SessionHistory::open(&path);
    assert!(
        opened.is_ok(),
        "a history of the newest version needs no change, so `open` does not wait; it gave {:?}",
        opened.err()
    );
}

#[test]
fn test_ch20_commits_wait_for_the_disk() {
    assert!(
        prepare_sets("synchronous", &["FULL", "2"]),
        "`synchronous` is `FULL`, so each commit waits for the disk"
    );
}

#[test]
fn test_ch20_foreign_keys_are_turned_on() {
    assert!(
        prepare_sets("foreign_keys", &["1", "ON", "TRUE", "YES"]),
        "`prepare` sets `foreign_keys` to true, even if that is the default: deleting a session \
         then deletes its messages"
    );
}

/// Whether `prepare` sets this pragma, and the last value that it sets is one of `values`.
fn prepare_sets(pragma: &'static str, values: &'static [&'static str]) -> bool {
    let folder = folder();
    let mut connection = Connection::open(folder.path().join("history.db")).expect("can be opened");
    let is_set = Arc::new(AtomicBool::new(false));
    let asked_for = is_set.clone();
    // SQLite asks for permission when it compiles a statement that changes a setting.
    let ask = move |asked: AuthContext| {
        if let AuthAction::Pragma {
            pragma_name,
            pragma_value: Some(value),
        } = asked.action
            && pragma_name == pragma
        {
            asked_for.store(values.contains(&&*value.to_uppercase()), Relaxed);
        }
        Authorization::Allow
    };
    connection.authorizer(Some(ask)).expect("can be set");
    SessionHistory::prepare(connection).expect("a history can be prepared");
    is_set.load(Relaxed)
}

/// A trigger with the name of the one that the last statement of step 2 creates.
const BLOCK_LAST_STATEMENT: &str =
    "CREATE TRIGGER message_removed AFTER DELETE ON messages BEGIN SELECT 1; END";

/// A history of version 1 with one message, in a file.
struct OldHistory {
    folder: TempDir,
}

impl OldHistory {
    fn new() -> Self {
        let history = Self { folder: folder() };
        let connection = history.connection();
        sql(&connection, MIGRATIONS[0]);
        set_header(&connection, APPLICATION_ID, 1);
        sql(
            &connection,
            "INSERT INTO sessions (session_id, agent_name, model, started_at)
             VALUES ('old', 'coder', 'claude', '2026-01-02T03:04:05Z');
             INSERT INTO messages (session, position, message, words)
             VALUES (1, 0, '{\"role\":\"user\",\"content\":\"A walnut.\"}', 'A walnut.')",
        );
        history
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("old.db")
    }

    fn connection(&self) -> Connection {
        Connection::open(self.path()).expect("the database can be opened")
    }
}

#[track_caller]
fn open_migrated(path: &Path) -> SessionHistory {
    SessionHistory::open(path)
        .unwrap_or_else(|error| panic!("this history should open, but: {error:?}"))
}

fn application_id(connection: &Connection) -> i64 {
    query_number(connection, "PRAGMA application_id")
}

fn version(connection: &Connection) -> i64 {
    query_number(connection, "PRAGMA user_version")
}

fn journal_mode(connection: &Connection) -> String {
    let mode = connection.query_row("PRAGMA journal_mode", [], |row| row.get(0));
    mode.expect("a database has a journal mode")
}

/// The number of transactions that have changed this file. It is in the header of a database
/// without a log.
fn change_counter(path: &Path) -> u32 {
    let bytes = read_bytes(path);
    let counter = bytes.get(24..28).and_then(|bytes| bytes.try_into().ok());
    counter.map_or(0, u32::from_be_bytes)
}
