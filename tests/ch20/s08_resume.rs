//! Section 20.8: Resume a session

use std::time::Duration;

use claw_code::session::*;
use rusqlite::Connection;

use super::support::*;

#[test]
fn test_ch20_resume_changes_nothing() {
    let mut stored = session("a", 3);
    stored.ended_at = Some(stored.started_at);
    let history = in_memory(std::slice::from_ref(&stored));
    let (resumed, cursor) = history.resume("a").expect("can be resumed");
    assert_session("resume returns the stored session", &resumed, &stored);
    assert_session(
        "resume does not change the session",
        &load(&history, "a"),
        &stored,
    );
    assert_eq!(
        (cursor.session_id(), cursor.position()),
        ("a", 3),
        "the cursor is after the last message"
    );
}

#[test]
fn test_ch20_resumed_session_continues() {
    let mut history = in_memory(&[session("a", 3)]);
    let (_, mut cursor) = history.resume("a").expect("can be resumed");
    let appended = history.append(&mut cursor, &[user("next")]);
    assert!(
        appended.is_ok(),
        "appending at the cursor gave {appended:?}"
    );
    assert_eq!(
        load(&history, "a").messages.len(),
        4,
        "the message is stored"
    );
}

#[test]
fn test_ch20_resume_and_finish_need_a_session() {
    let mut history = in_memory(&[]);
    assert_not_found(history.resume("nobody"));
    let end = session("a", 0).started_at;
    assert_not_found(history.finish("nobody", end, None));
}

#[test]
fn test_ch20_latest_session_has_the_newest_message() {
    let mut began_last = session("began last", 1);
    began_last.started_at += Duration::from_secs(60);
    let mut ended = session("b", 1);
    ended.ended_at = Some(ended.started_at);
    let others = [session("a", 3), ended, session("empty", 0)];
    let mut history = in_memory(&[&[began_last][..], &others].concat());
    assert_eq!(
        latest(&history).as_deref(),
        Some("b"),
        "the session with the newest message, whenever it began, however short it is, and even \
         if it has ended"
    );
    let mut cursor = Cursor::new("a", 3);
    history
        .append(&mut cursor, &[user("again")])
        .expect("can be appended");
    assert_eq!(
        latest(&history).as_deref(),
        Some("a"),
        "a got a newer message"
    );
}

#[test]
fn test_ch20_without_messages_there_is_no_latest_session() {
    assert_eq!(latest(&in_memory(&[])), None, "an empty history");
    let history = in_memory(&[session("empty", 0)]);
    assert_eq!(latest(&history), None, "a session without messages");
}

#[test]
fn test_ch20_latest_passes_on_errors() {
    let no_tables = Connection::open_in_memory().expect("a database in memory");
    assert_error(
        "`None` means that there are no messages; a history that cannot be read is an error",
        SessionHistory::over(no_tables).latest(),
        "Sqlite",
    );
}

#[test]
fn test_ch20_finish_stores_end_and_usage() {
    let mut history = in_memory(&[session("a", 2), session("b", 2)]);
    for (rule, end, counted, stored) in [
        ("the end and the usage are stored", 1, Some(usage(1, 2)), 1),
        (
            "a second end and usage replace them",
            2,
            Some(usage(5, 6)),
            5,
        ),
        ("without a usage, the stored one stays", 3, None, 5),
    ] {
        let end = format!("2026-03-0{end}T05:06:07.5Z")
            .parse()
            .expect("a time");
        let finished = history.finish("a", end, counted.as_ref());
        assert!(finished.is_ok(), "finishing gave {finished:?}");
        let expected = Session {
            ended_at: Some(end),
            usage: Some(usage(stored, stored + 1)),
            ..session("a", 2)
        };
        assert_session(rule, &load(&history, "a"), &expected);
    }
    assert_session(
        "others stay as they are",
        &load(&history, "b"),
        &session("b", 2),
    );
}

#[test]
fn test_ch20_failed_finish_stores_nothing() {
    for column in ["ended_at", "usage"] {
        let database = Database::with(&[session("a", 1)]);
        let refuse = format!(
            "CREATE TRIGGER refuse BEFORE UPDATE OF {column} ON sessions
             BEGIN SELECT RAISE(ABORT, 'no'); END"
        );
        sql(&database.connection(), &refuse);
        let (mut history, stored) = (database.history(), session("a", 1));
        let finished = history.finish("a", stored.started_at, Some(&usage(1, 2)));
        assert_error("this column cannot be changed", finished, "Sqlite");
        assert_session(
            "the end and the usage are stored in one `UPDATE`, so both or none",
            &load(&history, "a"),
            &stored,
        );
    }
}

fn latest(history: &SessionHistory) -> Option<String> {
    history.latest().expect("the history can be read")
}
