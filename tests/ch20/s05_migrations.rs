//! Section 20.5: One version after the other

use std::fs;
use std::path::Path;
use std::time::Duration;

use claw_code::session::*;
use rusqlite::Connection;

use super::support::*;

#[test]
fn test_ch20_a_new_history() {
    assert_an_empty_database_is_migrated();
    let folder = folder();
    let path = folder.path().join("history.db");
    fs::write(&path, "").expect("an empty file is a new history too");
    drop(open(&path));
    let connection = Connection::open(&path).expect("can be opened");
    assert_eq!(
        (
            number(&connection, "PRAGMA application_id"),
            number(&connection, "PRAGMA user_version")
        ),
        (APPLICATION_ID, 2),
        "a new history says whose it is and has the newest version"
    );
    let mode: String = connection
        .query_row("PRAGMA journal_mode", [], |row| row.get(0))
        .expect("has a mode");
    assert_eq!(
        mode, "wal",
        "readers and writers should not wait for each other"
    );
    drop(connection);
    let before = read_bytes(&path);
    drop(open(&path));
    assert!(
        before == read_bytes(&path),
        "opening it again changes nothing"
    );
    assert_eq!(
        names(folder.path()),
        ["history.db"],
        "once closed, it is one file"
    );
}

#[test]
fn test_ch20_an_old_history_is_brought_up_to_date() {
    assert_an_empty_database_is_migrated();
    let folder = folder();
    let path = folder.path().join("history.db");
    old_history(&path);
    drop(open(&path));
    let connection = Connection::open(&path).expect("can be opened");
    assert_eq!(
        number(&connection, "PRAGMA user_version"),
        2,
        "a history of version 1 gets version 2"
    );
    let found = "SELECT count(*) FROM message_search WHERE message_search MATCH 'walnut'";
    assert_eq!(
        number(&connection, found),
        1,
        "the messages that were there are in the index that version 2 brings"
    );
}

#[test]
fn test_ch20_a_step_is_taken_whole_or_not_at_all() {
    assert_an_empty_database_is_migrated();
    let folder = folder();
    let path = folder.path().join("history.db");
    old_history(&path);
    let connection = Connection::open(&path).expect("can be opened");
    let in_the_way = "CREATE TRIGGER message_removed AFTER DELETE ON messages BEGIN SELECT 1; END";
    sql(&connection, in_the_way);
    refused(
        &path,
        "a history in which the second step's last statement fails",
    );
    assert_eq!(
        (
            number(&connection, "PRAGMA user_version"),
            number(
                &connection,
                "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'message_search%' OR name = 'message_added'"
            ),
        ),
        (1, 0),
        "a step that fails leaves nothing behind, neither its tables nor the new version"
    );
    sql(&connection, "DROP TRIGGER message_removed");
    drop(open(&path));
    assert_eq!(
        number(&connection, "PRAGMA user_version"),
        2,
        "with the cause gone, it can be taken"
    );
}

#[test]
fn test_ch20_each_step_is_one_transaction() {
    let folder = folder();
    let old = folder.path().join("old.db");
    old_history(&old);
    for (path, steps) in [(folder.path().join("new.db"), 2), (old, 1)] {
        let mut connection = Connection::open(&path).expect("can be opened");
        let before = changes(&path);
        let migrated = migrate(&mut connection);
        assert!(
            migrated.is_ok(),
            "it can be brought up to date; it gave {:?}",
            migrated.err()
        );
        let made = changes(&path) - before;
        assert!(
            made <= steps,
            "a step and its number belong into one transaction: {steps} steps were to be taken, \
             and the file's header counts {made} transactions"
        );
        assert!(
            made >= steps,
            "each step is a transaction of its own, so that what was taken stays taken: {steps} \
             steps were to be taken, and the file's header counts {made} transactions"
        );
    }
}

/// How many transactions have changed this file: a number in the header of each database
/// that has no log beside it.
fn changes(path: &Path) -> u32 {
    let bytes = read_bytes(path);
    let counter = bytes.get(24..28).and_then(|bytes| bytes.try_into().ok());
    counter.map_or(0, u32::from_be_bytes)
}

#[test]
fn test_ch20_a_step_that_another_process_takes() {
    assert_an_empty_database_is_migrated();
    let folder = folder();
    let path = folder.path().join("history.db");
    old_history(&path);
    let other = Connection::open(&path).expect("can be opened");
    sql(&other, "BEGIN IMMEDIATE");
    let opener = std::thread::spawn({
        let path = path.clone();
        move || SessionHistory::open(path).map(drop)
    });
    // Long enough for it to see version 1, and to wait.
    std::thread::sleep(Duration::from_millis(200));
    sql(&other, MIGRATIONS[1]);
    sql(&other, "PRAGMA user_version = 2; COMMIT");
    let opened = opener.join().expect("opening does not panic");
    assert!(
        opened.is_ok(),
        "another process was taking the step to version 2 when this one came; it waits, and \
         finds nothing left to do; it gave {opened:?}"
    );
}

#[test]
fn test_ch20_the_log_waits_for_writers() {
    assert_an_empty_database_is_migrated();
    let folder = folder();
    let path = folder.path().join("history.db");
    drop(open(&path));
    let other = Connection::open(&path).expect("can be opened");
    let mode = |question: &str| {
        let answer = other.query_row(question, [], |row| row.get::<_, String>(0));
        answer.expect("can be asked")
    };
    assert_eq!(mode("PRAGMA journal_mode = DELETE"), "delete");
    sql(&other, "BEGIN IMMEDIATE");
    let reader = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        sql(&other, "COMMIT");
    });
    let opened = SessionHistory::open(&path);
    reader.join().expect("the other process is done");
    assert!(
        opened.is_ok(),
        "while another process writes a history that has no log yet, none can be begun; that is \
         waited for, as for anything else; it gave {:?}",
        opened.err()
    );
    let other = Connection::open(&path).expect("can be opened");
    let mode = other.query_row("PRAGMA journal_mode", [], |row| row.get::<_, String>(0));
    assert_eq!(mode.as_deref(), Ok("wal"));
}

#[test]
fn test_ch20_opening_waits_for_nobody() {
    assert_an_empty_database_is_migrated();
    let folder = folder();
    let path = folder.path().join("history.db");
    let first = open(&path);
    let other = Connection::open(&path).expect("can be opened");
    sql(&other, "BEGIN IMMEDIATE");
    let second = SessionHistory::open(&path);
    assert!(
        second.is_ok(),
        "a history that is up to date can be opened while another process writes: nothing has \
         to be written for that; it gave {:?}",
        second.err()
    );
    drop((first, second));
}

/// A history of version 1 with one message.
fn old_history(path: &Path) {
    let connection = Connection::open(path).expect("can be made");
    sql(&connection, MIGRATIONS[0]);
    mark(&connection, APPLICATION_ID, 1);
    sql(
        &connection,
        "INSERT INTO sessions (session_id, agent_name, model, started_at)
         VALUES ('old', 'coder', 'claude', '2026-01-02T03:04:05Z');
         INSERT INTO messages (session, position, message, words)
         VALUES (1, 0, '{\"role\":\"user\",\"content\":\"A walnut.\"}', 'A walnut.')",
    );
}

#[track_caller]
fn refused(path: &Path, why: &str) -> HistoryError {
    match SessionHistory::open(path) {
        Ok(_) => panic!("this should be refused, and was opened: {why}"),
        Err(error) => error,
    }
}

#[track_caller]
fn assert_an_empty_database_is_migrated() {
    let mut connection = Connection::open_in_memory().expect("in memory");
    let migrated = migrate(&mut connection);
    assert!(
        migrated.is_ok(),
        "an empty database can be brought up to date; it gave {:?}",
        migrated.err()
    );
}
