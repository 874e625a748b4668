//! Appending one message to a session, which waits for the disk.

use claw_code_solutions::chat::ChatMessage;
use claw_code_solutions::session::{Session, SessionHistory, searchable_text};
use rusqlite::{Connection, TransactionBehavior};

use crate::harness::{Measure, seconds};

/// The measure of this file.
pub fn measures() -> Vec<Measure<'static>> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let text = "what there is to say, in a sentence or two of a common length";
    let message = ChatMessage::assistant(format!("message number 7: {text}, {text}"));
    let mut history = SessionHistory::open(path("ours.db")).expect("can be made");
    let session = Session::new("coder", "claude");
    let mut cursor = history.create(&session).expect("can be stored");
    // The same tables, triggers and settings.
    let connect = |name: &str| {
        let mut bare = SessionHistory::open(path(name)).expect("can be made");
        bare.create(&session).expect("can be stored");
        drop(bare);
        let bare = Connection::open(path(name)).expect("can be opened");
        bare.pragma_update(None, "synchronous", "FULL")
            .expect("a setting");
        bare
    };
    let (mut bare, mut careful) = (connect("bare.db"), connect("careful.db"));
    let (mut position, mut careful_position) = (0, 0);
    let (ours, same) = (message.clone(), message.clone());
    let id = session.session_id.clone();
    let measure = Measure::new("session: append one message", move || {
        // The folder lives as long as the measure.
        let _ = &folder;
        seconds(|| {
            history
                .append(&mut cursor, std::slice::from_ref(&ours))
                .expect("appends")
        })
    });
    let measure = measure
        .at_most(1.15)
        .peer(
            "rusqlite",
            "the same tables, FTS5 index and sync, without a check for other writers",
            move || seconds(|| insert(&mut bare, &message, &mut position, None)),
        )
        .peer(
            "rusqlite",
            "the same, with the check for other writers",
            move || seconds(|| insert(&mut careful, &same, &mut careful_position, Some(&id))),
        );
    vec![measure]
}

/// Inserts a message of session 1 in a transaction. With `session_id`, it first looks that
/// session up and checks that `position` follows its last message, and at the end it opens the
/// session again.
fn insert(
    connection: &mut Connection,
    message: &ChatMessage,
    position: &mut i64,
    session_id: Option<&str>,
) {
    let json = serde_json::to_string(message).expect("JSON");
    let started = connection.transaction_with_behavior(TransactionBehavior::Immediate);
    let started = started.expect("a transaction");
    let statement = |sql| started.prepare_cached(sql).expect("SQL");
    if let Some(session_id) = session_id {
        let session: i64 = statement("SELECT id FROM sessions WHERE session_id = ?1")
            .query_row([session_id], |row| row.get(0))
            .expect("a session");
        let next: i64 =
            statement("SELECT coalesce(max(position) + 1, 0) FROM messages WHERE session = ?1")
                .query_row([session], |row| row.get(0))
                .expect("a position");
        assert_eq!(next, *position);
    }
    statement("INSERT INTO messages (session, position, message, words) VALUES (1, ?1, ?2, ?3)")
        .execute((*position, json, searchable_text(message)))
        .expect("inserts");
    if session_id.is_some() {
        statement("UPDATE sessions SET ended_at = NULL WHERE id = 1 AND ended_at IS NOT NULL")
            .execute([])
            .expect("updates");
    }
    started.commit().expect("commits");
    *position += 1;
}
