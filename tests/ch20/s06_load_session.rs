//! Section 20.6: Load and delete a session

use std::fs;
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::thread;

use claw_code::chat::*;
use claw_code::session::*;
use rusqlite::{Connection, TransactionBehavior};
use serde_json::json;

use super::support::*;

#[test]
fn test_ch20_loaded_session_equals_the_stored_one() {
    let thought = json!({ "type": "thinking", "thinking": "", "signature": "s" });
    let special = ChatMessage {
        content: Some("with \u{0} and 'quotes' and 🦀".into()),
        ..raw(Role::User, &[thought])
    };
    let mut full = session("full", 7);
    full.ended_at = Some("2026-01-02T03:04:05.000000678Z".parse().expect("a time"));
    full.usage = Some(usage(30, 40));
    full.messages.extend([calls(&["a"]), special]);
    let nested = session_of("nested", vec![nested_arguments(50)]);
    let database = Database::new();
    let mut history = checked_history(&database);
    for session in [session("empty", 0), full, session("short", 1), nested] {
        create(&mut history, &session);
        assert_session(
            "every field is loaded as it was stored",
            &load(&history, &session.session_id),
            &session,
        );
    }
}

#[test]
fn test_ch20_missing_session_is_not_found() {
    let mut history = in_memory(&[session("a", 1)]);
    assert_error(
        "case matters in an id",
        history.load("A"),
        "NotFound(\"A\")",
    );
    assert_error(
        "a session that does not exist cannot be deleted",
        history.delete("b"),
        "NotFound(\"b\")",
    );
}

#[test]
fn test_ch20_messages_are_loaded_in_order() {
    let database = Database::with(&[session("a", 5)]);
    let connection = database.connection();
    let swap = "UPDATE messages SET position = 9 WHERE position = 1;
                UPDATE messages SET position = 1 WHERE position = 3;
                UPDATE messages SET position = 3 WHERE position = 9";
    sql(&connection, swap);
    sql(&connection, "PRAGMA reverse_unordered_selects = ON");
    let mut expected = talk(5);
    expected.swap(1, 3);
    match SessionHistory::over(connection).load("a") {
        Ok(loaded) => assert_messages(ORDERED, &loaded.messages, &expected),
        Err(error) => panic!("{ORDERED}, but: {error}"),
    }
}

/// The rule of the test above.
const ORDERED: &str = "messages are loaded in the order of their positions; that is not the order \
                       of their ids, and without `ORDER BY`, SQLite may return the rows in any \
                       order, here in reverse";

#[test]
fn test_ch20_load_reads_one_snapshot() {
    let database = Database::with(&[session_of("a", vec![user("0")])]);
    let history = database.history();
    let other = database.connection();
    sql(
        &other,
        "UPDATE sessions SET agent_name = '0'; PRAGMA synchronous = OFF",
    );
    let (stop, stopped) = mpsc::channel();
    thread::scope(|scope| {
        scope.spawn(move || write_numbers(other, stopped));
        // Dropped at the end of this closure, even by a panic.
        let _stop = stop;
        for _ in 0..1_000 {
            let session = load(&history, "a");
            assert_eq!(
                session.messages[0].content.as_deref(),
                Some(session.agent_name.as_str()),
                "another writer stores a number in the session and, in the same transaction, in \
                 its message, so a loaded session contains one number twice"
            );
        }
    });
}

/// Stores 1, 2, 3, … as the agent's name and as the message, both in one transaction, until
/// the sender of `stopped` is dropped.
fn write_numbers(mut connection: Connection, stopped: Receiver<()>) {
    let updates = [
        "UPDATE sessions SET agent_name = ?1",
        "UPDATE messages SET message = ?1",
    ];
    for number in (1..).map(|number: u32| number.to_string()) {
        if stopped.try_recv() == Err(TryRecvError::Disconnected) {
            return;
        }
        let message = json_line(&user(&number));
        let transaction = connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .expect("the test's own transaction");
        for (update, value) in updates.iter().zip([number, message]) {
            let statement = transaction.prepare_cached(update);
            let done = statement.and_then(|mut statement| statement.execute([value]));
            done.expect("the test's own SQL");
        }
        transaction.commit().expect("the test's own transaction");
    }
}

#[test]
fn test_ch20_load_reports_damaged_rows() {
    for (damage, part) in [
        ("DELETE FROM messages WHERE position = 0", "message 0"),
        ("DELETE FROM messages WHERE position = 1", "1"),
        (
            "UPDATE messages SET message = '{\"role\":' WHERE position = 2",
            "2",
        ),
        (
            "UPDATE messages SET message = CAST(x'FF' AS TEXT) WHERE position = 3",
            "3",
        ),
        (
            "UPDATE messages SET message =
             CAST(x'7b22726f6c65223a2275736572222c22636f6e74656e74223a22ff227d' AS TEXT)
             WHERE position = 3",
            "3",
        ),
        ("UPDATE sessions SET started_at = 'soon'", "soon"),
        (
            "UPDATE sessions SET started_at = CAST(x'FF' AS TEXT)",
            "utf-8",
        ),
        ("UPDATE sessions SET usage = '{}'", "usage"),
    ] {
        let database = Database::with(&[session("session", 4)]);
        sql(&database.connection(), damage);
        match database.history().load("session") {
            Err(HistoryError::Corrupt(detail)) => assert!(
                detail.contains(part),
                "after `{damage}` the error should say `{part}`; it says: {detail}"
            ),
            other => panic!(
                "after `{damage}` the error is `Corrupt`; loading gave {:?}",
                other.map(|session| format!("{} messages", session.messages.len()))
            ),
        }
    }
}

#[test]
fn test_ch20_load_reports_damaged_pages() {
    let database = Database::with(&[session("a", 200)]);
    // Copies the log into the database.
    drop(checked_history(&database));
    let mut bytes = read_bytes(&database.path());
    for page in (4096..bytes.len()).step_by(4096) {
        bytes[page..page + 64].fill(0xAB);
    }
    fs::write(database.path(), &bytes).expect("can be written");
    let opened = SessionHistory::open(database.path());
    let loaded = opened.and_then(|history| history.load("a"));
    assert_error("overwritten pages are damage", loaded, "Corrupt");
    assert!(
        bytes == read_bytes(&database.path()),
        "the file stays as it is"
    );
}

#[test]
fn test_ch20_deleted_session_is_gone() {
    let mut history = in_memory(&[session("a", 3), session("b", 3)]);
    let deleted = history.delete("a");
    assert!(deleted.is_ok(), "deleting gave {deleted:?}");
    assert_error(
        "a deleted session is gone",
        history.load("a"),
        "NotFound(\"a\")",
    );
    assert_session("others stay", &load(&history, "b"), &session("b", 3));
}

#[test]
fn test_ch20_deleted_messages_are_gone() {
    let database = Database::new();
    let mut history = checked_history(&database);
    for id in ["a", "b"] {
        create(&mut history, &session(id, 3));
    }
    history.delete("a").expect("can be deleted");
    let connection = database.connection();
    let query = "SELECT count(*) FROM message_search WHERE message_search MATCH 'message'";
    assert_eq!(
        (
            query_number(&connection, "SELECT count(*) FROM messages"),
            query_number(&connection, query)
        ),
        (3, 3),
        "its messages are deleted from the table and from the index; the others stay"
    );
}

#[test]
fn test_ch20_failed_delete_deletes_nothing() {
    let database = Database::with(&[session("a", 3)]);
    let refuse = "CREATE TRIGGER refuse BEFORE DELETE ON sessions
                  BEGIN SELECT RAISE(ABORT, 'no'); END";
    sql(&database.connection(), refuse);
    let mut history = database.history();
    assert_error("the session is refused", history.delete("a"), "Sqlite");
    assert_session(
        "a session that could not be deleted keeps its messages: delete it with one statement",
        &load(&history, "a"),
        &session("a", 3),
    );
}

/// A history that `open` has set up. Before that, this loads a session that does not exist,
/// so that a test stops at this section's stub first.
#[track_caller]
fn checked_history(database: &Database) -> SessionHistory {
    assert_not_found(in_memory(&[]).load("nobody"));
    open(&database.path())
}
