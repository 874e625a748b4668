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
    // The same tables, triggers and settings, without what `append` checks.
    let mut bare = SessionHistory::open(path("bare.db")).expect("can be made");
    bare.create(&session).expect("can be stored");
    drop(bare);
    let mut bare = Connection::open(path("bare.db")).expect("can be opened");
    bare.pragma_update(None, "synchronous", "FULL")
        .expect("a setting");
    let mut position = 0;
    let ours = message.clone();
    let measure = Measure::new("session: append one message", move || {
        // The folder lives as long as the measure.
        let _ = &folder;
        seconds(|| {
            history
                .append(&mut cursor, std::slice::from_ref(&ours))
                .expect("appends")
        })
    });
    let measure = measure.at_most(1.15).peer(
        "rusqlite",
        "the same tables, FTS5 index and sync, without a check for other writers",
        move || {
            seconds(|| {
                let json = serde_json::to_string(&message).expect("JSON");
                let started = bare.transaction_with_behavior(TransactionBehavior::Immediate);
                let started = started.expect("a transaction");
                started
                    .prepare_cached("INSERT INTO messages (session, position, message, words) VALUES (1, ?1, ?2, ?3)")
                    .expect("SQL")
                    .execute((position, json, searchable_text(&message)))
                    .expect("inserts");
                started.commit().expect("commits");
                position += 1;
            })
        },
    );
    vec![measure]
}
