//! Section 20.7: Append at a cursor

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use claw_code::chat::ChatMessage;
use claw_code::session::*;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};

use super::support::*;

#[test]
fn test_ch20_append_adds_messages_in_order() {
    let database = Database::with(&[session("a", 1)]);
    let mut history = database.history();
    let mut cursor = Cursor::new("a", 1);
    let mut expected = talk(1);
    for count in [1, 0, 3] {
        append(&mut history, &mut cursor, &talk(count));
        expected.extend(talk(count));
        assert_messages(
            "new messages come after the others, in order",
            &stored_messages(&database.connection(), "a"),
            &expected,
        );
        assert_eq!(
            cursor.position(),
            expected.len(),
            "the cursor moves past them"
        );
    }
}

#[test]
fn test_ch20_append_leaves_other_sessions_unchanged() {
    let mut ended = session("b", 2);
    ended.ended_at = Some(ended.started_at);
    let mut history = in_memory(&[session("a", 1), ended.clone()]);
    append(&mut history, &mut Cursor::new("a", 1), &talk(3));
    assert_session(
        "a message for session a changes nothing in session b, which has ended",
        &load(&history, "b"),
        &ended,
    );
}

#[test]
fn test_ch20_append_compiles_its_statements_once() {
    let database = Database::with(&[session("a", 1)]);
    let mut connection = database.connection();
    let compiled = Arc::new(AtomicUsize::new(0));
    let count = compiled.clone();
    // SQLite asks for permission when it compiles a statement, not when it runs one.
    let ask = move |asked: AuthContext| {
        // Not for `BEGIN` and `COMMIT`, which rusqlite compiles each time.
        if !matches!(asked.action, AuthAction::Transaction { .. }) {
            count.fetch_add(1, Relaxed);
        }
        Authorization::Allow
    };
    connection.authorizer(Some(ask)).expect("can be set");
    let mut history = SessionHistory::over(connection);
    let mut cursor = Cursor::new("a", 1);
    append(&mut history, &mut cursor, &talk(1));
    assert!(compiled.swap(0, Relaxed) > 0, "the first append compiles");
    append(&mut history, &mut cursor, &talk(1));
    assert_eq!(
        compiled.load(Relaxed),
        0,
        "the second append compiled a statement again: `prepare_cached` keeps compiled statements with the connection"
    );
}

#[test]
fn test_ch20_empty_session_can_be_continued() {
    let mut history = in_memory(&[session("empty", 0)]);
    let appended = history.append(&mut Cursor::new("empty", 0), &talk(1));
    assert!(
        appended.is_ok(),
        "an empty session can be continued; without rows, `max` is `NULL`; it gave {appended:?}"
    );
}

#[test]
fn test_ch20_count_is_the_largest_position_plus_one() {
    let database = Database::with(&[session("a", 3)]);
    let delete = "DELETE FROM messages WHERE position = 0";
    sql(&database.connection(), delete);
    let mut history = database.history();
    let appended = history.append(&mut Cursor::new("a", 3), &[user("next")]);
    assert!(
        appended.is_ok(),
        "the largest position is 2, so the session counts as one of 3 messages, although one of \
         them is missing: use the largest position plus 1, and do not count rows; it gave \
         {appended:?}"
    );
}

#[test]
fn test_ch20_failed_append_stores_nothing() {
    let mut history = in_memory(&[session("a", 1)]);
    let mut cursor = Cursor::new("a", 1);
    assert_error(
        "JSON cannot represent an infinite duration",
        history.append(&mut cursor, &[user("fine"), unwritable()]),
        "Unwritable",
    );
    assert_session(
        "after an error not even the good message is stored",
        &load(&history, "a"),
        &session("a", 1),
    );
    assert_eq!(
        cursor.position(),
        1,
        "after an error the cursor has not moved"
    );
    append(&mut history, &mut cursor, &[user("next")]);
}

#[test]
fn test_ch20_failed_commit_does_not_move_the_cursor() {
    // SQLite checks a deferred reference when the transaction commits.
    assert_nothing_appended(
        "the commit fails",
        "CREATE TABLE t (x INTEGER REFERENCES sessions (id) DEFERRABLE INITIALLY DEFERRED);
         CREATE TRIGGER fail AFTER INSERT ON messages BEGIN INSERT INTO t VALUES (999); END",
    );
}

#[test]
fn test_ch20_append_and_reopening_are_one_transaction() {
    assert_nothing_appended(
        "`ended_at` cannot be changed",
        "CREATE TRIGGER fail BEFORE UPDATE ON sessions BEGIN SELECT RAISE(ABORT, 'no'); END",
    );
}

/// Fails unless an append, after this SQL, is an error that stores nothing and leaves the cursor.
#[track_caller]
fn assert_nothing_appended(why: &str, statements: &str) {
    let mut ended = session("a", 1);
    ended.ended_at = Some(ended.started_at);
    let database = Database::with(&[ended]);
    sql(&database.connection(), statements);
    let mut history = database.history();
    let mut cursor = Cursor::new("a", 1);
    let appended = history.append(&mut cursor, &[user("next")]);
    assert_error(why, appended, "Sqlite");
    assert_eq!(
        (load(&history, "a").messages.len(), cursor.position()),
        (1, 1),
        "{why}: nothing is stored, and the cursor has not moved"
    );
}

#[test]
fn test_ch20_append_to_a_history_rejects_messages_that_cannot_be_read() {
    let mut history = in_memory(&[session("a", 1)]);
    let mut cursor = Cursor::new("a", 1);
    for message in unreadable() {
        assert_error(
            "this message can be written as JSON but not read again",
            history.append(&mut cursor, &[user("fine"), message]),
            "Unwritable",
        );
        assert_session(
            "after an error nothing is stored",
            &load(&history, "a"),
            &session("a", 1),
        );
        assert_eq!(
            cursor.position(),
            1,
            "after an error the cursor has not moved"
        );
    }
    append(&mut history, &mut cursor, &[nested_arguments(50)]);
}

#[test]
fn test_ch20_append_after_another_process_is_a_conflict() {
    if let Some(path) = child_argument() {
        let mut history = open(&path);
        return append(&mut history, &mut Cursor::new("a", 2), &[user("theirs")]);
    }
    let database = Database::with(&[session("a", 2)]);
    let mut history = database.history();
    let mut cursor = Cursor::new("a", 2);
    append(&mut history, &mut cursor, &[]);
    let test = "s07_append_at_cursor::test_ch20_append_after_another_process_is_a_conflict";
    run(child(test, &database.path(), &[])).expect("the other process appends first");
    assert_error(
        "another process has appended a message that this one has not seen",
        history.append(&mut cursor, &[user("ours")]),
        "Conflict { known: 2, found: 3 }",
    );
    assert_messages(
        "after a conflict nothing is stored",
        &load(&history, "a").messages,
        &[talk(2), vec![user("theirs")]].concat(),
    );
    assert_eq!(
        cursor.position(),
        2,
        "after a conflict the cursor has not moved"
    );
}

#[test]
fn test_ch20_cursor_beyond_the_end_is_a_conflict() {
    let mut history = in_memory(&[session("a", 3)]);
    for messages in [&[user("eight")][..], &[]] {
        assert_error(
            "a cursor beyond the end is of another session, one that was deleted since, even if \
             there is nothing to append",
            history.append(&mut Cursor::new("a", 7), messages),
            "Conflict { known: 7, found: 3 }",
        );
    }
}

#[test]
fn test_ch20_append_to_a_deleted_session_is_not_found() {
    let database = Database::with(&[session("a", 2)]);
    let mut history = database.history();
    let mut cursor = Cursor::new("a", 2);
    append(&mut history, &mut cursor, &[]);
    database.history().delete("a").expect("can be deleted");
    assert_error(
        "another connection has deleted the session",
        history.append(&mut cursor, &[user("three")]),
        "NotFound(\"a\")",
    );
}

#[test]
fn test_ch20_append_is_busy_after_the_timeout() {
    let (database, mut history) = impatient_history();
    let writer = database.connection();
    sql(&writer, "BEGIN IMMEDIATE");
    let start = Instant::now();
    assert_error(
        "another process writes for longer than the timeout",
        history.append(&mut Cursor::new("a", 1), &[user("next")]),
        "Busy",
    );
    assert!(
        start.elapsed() < Duration::from_secs(2),
        "a timeout of a millisecond ends within two seconds"
    );
}

#[test]
fn test_ch20_append_can_be_repeated_after_busy() {
    let (database, mut history) = impatient_history();
    let mut cursor = Cursor::new("a", 1);
    let writer = database.connection();
    sql(&writer, "BEGIN IMMEDIATE");
    let appended = history.append(&mut cursor, &[user("next")]);
    assert_error("another process writes", appended, "Busy");
    assert_session(
        "reading does not wait",
        &load(&history, "a"),
        &session("a", 1),
    );
    sql(&writer, "COMMIT");
    append(&mut history, &mut cursor, &[user("next")]);
}

#[test]
fn test_ch20_append_waits_for_another_writer() {
    let database = Database::with(&[session("a", 1)]);
    let mut history = history_with_writer(&database, "SELECT 1");
    let appended = history.append(&mut Cursor::new("a", 1), &[user("next")]);
    assert!(
        appended.is_ok(),
        "append waits until the other writer commits; a transaction that begins as a reader \
         fails at once instead; it gave {appended:?}"
    );
}

#[test]
fn test_ch20_append_compares_after_waiting() {
    let database = Database::with(&[session("a", 1)]);
    let insert = "INSERT INTO messages (session, position, message, words)
                  VALUES (1, 1, '{\"role\":\"user\",\"content\":\"theirs\"}', '')";
    let mut history = history_with_writer(&database, insert);
    assert_error(
        "while this connection waited, another one appended a message: compare inside the \
         transaction that writes",
        history.append(&mut Cursor::new("a", 1), &[user("ours")]),
        "Conflict { known: 1, found: 2 }",
    );
}

#[test]
fn test_ch20_append_reopens_an_ended_session() {
    let mut ended = session("a", 1);
    ended.ended_at = Some(ended.started_at);
    let mut history = in_memory(&[ended]);
    append(
        &mut history,
        &mut Cursor::new("a", 1),
        &[user("One more thing.")],
    );
    assert_eq!(
        load(&history, "a").ended_at,
        None,
        "a session with a new message has not ended"
    );
}

#[test]
fn test_ch20_acknowledged_messages_survive_a_kill() {
    if let Some(path) = child_argument() {
        return append_until_killed(&path);
    }
    let database = Database::with(&[session("a", 0)]);
    append(&mut database.history(), &mut Cursor::new("a", 0), &[]);
    for kill_after in [1, 7] {
        let last = append_and_kill(&database.path(), kill_after);
        let found = load(&open(&database.path()), "a").messages;
        assert!(
            found.len() == last || found.len() == last + 1,
            "the process acknowledged {last} messages before it was killed; those and at most \
             one more should be stored, but {} are",
            found.len()
        );
        assert_messages(
            "they are the right ones, in order",
            &found,
            &talk(found.len()),
        );
    }
}

/// Starts a child process that appends, kills it after this many messages, and returns the
/// number of messages that it has acknowledged.
fn append_and_kill(path: &Path, kill_after: usize) -> usize {
    let test = "s07_append_at_cursor::test_ch20_acknowledged_messages_survive_a_kill";
    let mut command = child(test, path, &[]);
    let process = command.stdout(Stdio::piped()).spawn();
    let mut process = process.expect("a child process can be started");
    let output = BufReader::new(process.stdout.take().expect("piped")).lines();
    let mut stored = output.map_while(Result::ok).filter_map(acknowledged);
    let last = stored.nth(kill_after).expect("the child process appends");
    process.kill().expect("the child process runs");
    process.wait().expect("the child process ends");
    stored.last().unwrap_or(last)
}

/// The child process: it continues the session and prints the number of stored messages after
/// each append. It ends even if it is not killed.
fn append_until_killed(path: &Path) {
    let mut history = open(path);
    let stored = load(&history, "a").messages.len();
    let mut cursor = Cursor::new("a", stored);
    for message in talk(5000).drain(stored..) {
        append(&mut history, &mut cursor, &[message]);
        println!("stored {}", cursor.position());
    }
}

fn acknowledged(line: String) -> Option<usize> {
    line.strip_prefix("stored ")?.parse().ok()
}

/// A history with one session that waits at most a millisecond for another writer.
fn impatient_history() -> (Database, SessionHistory) {
    let database = Database::with(&[session("a", 1)]);
    let history = database.history();
    let timeout = Duration::from_millis(1);
    history.set_busy_timeout(timeout).expect("can be set");
    (database, history)
}

#[track_caller]
fn append(history: &mut SessionHistory, cursor: &mut Cursor, messages: &[ChatMessage]) {
    if let Err(error) = history.append(cursor, messages) {
        panic!("the messages should be appended, but: {error} ({error:?})");
    }
}
