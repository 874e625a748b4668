//! Section 20.6: Storing a session

use std::fs;

use claw_code::chat::*;
use claw_code::session::*;
use rusqlite::Connection;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch20_words_that_can_be_found() {
    let flat = ChatMessage {
        reasoning: Some("Look there.".into()),
        tool_calls: Some(vec![ToolCall::new("t", "grep", "{\"pattern\": 1}")]),
        ..ChatMessage::assistant("I look.")
    };
    assert_eq!(
        searchable_text(&flat),
        "I look.\nLook there.\ngrep\n{\"pattern\": 1}",
        "the text, the thoughts, and the name and the arguments of each call, a line each"
    );
    assert_eq!(
        searchable_text(&ChatMessage {
            tool_call_id: None,
            ..result("a")
        }),
        "done",
        "a result's text, also where nobody knows which call it answers"
    );
    for (why, role, blocks, words) in [
        (
            "words in raw blocks alone",
            Role::User,
            vec![text_block("A walnut."), text_block("Another.")],
            "A walnut.\nAnother.",
        ),
        (
            "thoughts and calls in raw blocks alone",
            Role::Assistant,
            vec![
                json!({ "type": "thinking", "thinking": "A nut?", "signature": "seal" }),
                json!({ "type": "tool_use", "id": "t", "name": "grep", "input": { "n": 1 } }),
            ],
            "A nut?\ngrep\n{\"n\":1}",
        ),
        (
            "results in a user's raw blocks",
            Role::User,
            vec![result_block("a"), text_block("Well?")],
            "done\nWell?",
        ),
    ] {
        let message = ChatMessage {
            raw_content_blocks: Some(blocks.iter().map(block).collect()),
            ..ChatMessage::new(role)
        };
        assert_eq!(searchable_text(&message), words, "{why} can be found");
    }
    let empty = ChatMessage {
        raw_content_blocks: Some(vec![]),
        ..user("A walnut.")
    };
    assert_eq!(
        searchable_text(&empty),
        "A walnut.",
        "an empty list of blocks counts as none"
    );
}

#[test]
fn test_ch20_a_session_is_stored() {
    let mut history = in_memory();
    let mut full = session("full", 7);
    full.ended_at = Some("2026-01-02T03:04:05.000000678Z".parse().expect("a time"));
    full.usage = Some(usage(30, 40));
    full.messages.push(calls(&["a"]));
    full.messages.push(ChatMessage {
        raw_content_blocks: Some(vec![
            serde_json::from_value(json!({ "type": "thinking", "thinking": "", "signature": "s" }))
                .expect("a block"),
        ]),
        ..user("with \u{0} and 'quotes' and 🦀")
    });
    for session in [session("empty", 0), full, session("short", 1)] {
        let cursor = create(&mut history, &session);
        assert_eq!(
            (cursor.session_id(), cursor.position()),
            (&*session.session_id, session.messages.len()),
            "the cursor stands behind the last message"
        );
        assert_eq!(
            load(&history, &session.session_id),
            session,
            "what was stored is loaded, field by field"
        );
    }
}

#[test]
fn test_ch20_a_session_that_could_not_be_read() {
    let mut history = in_memory();
    for message in unreadable() {
        let mut lost = session("a", 2);
        lost.messages.push(message);
        let created = history.create(&lost);
        assert!(
            matches!(created, Err(HistoryError::Unwritable(_))),
            "JSON holds this message, but nobody can read it again: with it the whole session \
             would be lost, so it is `Unwritable`; it gave {created:?}"
        );
        assert_not_there(&history, "a");
    }
    let mut deepest = session("a", 2);
    deepest.messages.push(deep(50));
    create(&mut history, &deepest);
    assert_eq!(
        load(&history, "a"),
        deepest,
        "what is deep but can be read is stored"
    );
}

#[test]
fn test_ch20_a_session_is_stored_once() {
    let mut history = in_memory();
    create(&mut history, &session("a", 2));
    let mut other = session("a", 1);
    other.model = "another".into();
    let error = history.create(&other).expect_err("it is there already");
    assert!(
        matches!(&error, HistoryError::Exists(id) if id == "a"),
        "a second session of an id is `Exists`; it gave {error:?}"
    );
    assert_eq!(load(&history, "a"), session("a", 2), "the first one stays");
}

#[test]
fn test_ch20_a_session_is_stored_whole_or_not_at_all() {
    let mut history = in_memory();
    let mut broken = session("a", 2);
    broken.messages.push(unwritable());
    let error = history.create(&broken).expect_err("an endless duration");
    assert!(
        matches!(error, HistoryError::Unwritable(_)),
        "what JSON cannot hold is `Unwritable`; it gave {error:?}"
    );
    let words = error.to_string();
    assert!(
        words.contains("duration_ms"),
        "the error says what JSON says; it reads: {words}"
    );
    assert_eq!(
        format!("{:#}", anyhow::Error::from(error)),
        words,
        "printed with its causes, it says everything once"
    );
    let error = history.load("a").expect_err("nothing was stored");
    assert!(
        matches!(error, HistoryError::NotFound(_)),
        "after an error nothing of the session is there; loading it gave {error:?}"
    );
    create(&mut history, &session("a", 2));
}

#[test]
fn test_ch20_what_is_loaded_is_of_one_moment() {
    assert_not_found(in_memory().load("nobody"));
    let folder = folder();
    let path = folder.path().join("history.db");
    let mut history = open(&path);
    create(&mut history, &session("a", 1));
    let other = Connection::open(&path).expect("can be opened");
    sql(&other, "PRAGMA synchronous = OFF");
    std::thread::scope(|scope| {
        let (stop, stopped) = std::sync::mpsc::channel::<()>();
        scope.spawn(move || {
            let over = std::sync::mpsc::TryRecvError::Disconnected;
            for number in 0.. {
                if stopped.try_recv() == Err(over) {
                    break;
                }
                let message = json_line(&user(&number.to_string()));
                let change = format!(
                    "BEGIN IMMEDIATE; UPDATE sessions SET agent_name = '{number}'; \
                     UPDATE messages SET message = '{message}'; COMMIT"
                );
                sql(&other, &change);
            }
        });
        for _ in 0..2_000 {
            let found = load(&history, "a");
            let said = found.messages[0].content.as_deref();
            if said.is_some_and(|said| said.starts_with(|it: char| it.is_ascii_digit())) {
                assert_eq!(
                    said,
                    Some(found.agent_name.as_str()),
                    "another process writes a number into the session and the same one into its \
                     message, both at once; they have to be read at once, too"
                );
            }
        }
        drop(stop);
    });
}

#[test]
fn test_ch20_what_is_not_there() {
    let mut history = in_memory();
    create(&mut history, &session("a", 1));
    for error in [history.load("A").err(), history.delete("b").err()] {
        assert!(
            matches!(&error, Some(HistoryError::NotFound(id)) if id == "A" || id == "b"),
            "a session that is not there is `NotFound`, with its id; it gave {error:?}"
        );
    }
}

#[test]
fn test_ch20_delete() {
    assert_not_found(in_memory().delete("nobody"));
    let folder = folder();
    let path = folder.path().join("history.db");
    let mut history = open(&path);
    for id in ["a", "b"] {
        create(&mut history, &session(id, 3));
    }
    assert!(history.delete("a").is_ok(), "a session can be deleted");
    assert!(history.load("a").is_err(), "a deleted session is gone");
    assert_eq!(load(&history, "b"), session("b", 3), "others stay");
    let connection = Connection::open(&path).expect("can be opened");
    let found = "SELECT count(*) FROM message_search WHERE message_search MATCH 'message'";
    assert_eq!(
        [
            number(&connection, "SELECT count(*) FROM messages"),
            number(&connection, found)
        ],
        [3, 3],
        "its messages are gone as well, from the table and from the index"
    );
}

#[test]
fn test_ch20_damage_inside_is_reported() {
    assert_not_found(in_memory().load("nobody"));
    let folder = folder();
    let path = folder.path().join("history.db");
    let mut history = open(&path);
    let connection = Connection::open(&path).expect("can be opened");
    for (id, damage, says) in [
        ("gap", "DELETE FROM messages WHERE position = 1", "1"),
        (
            "json",
            "UPDATE messages SET message = '{\"role\":' WHERE position = 2",
            "2",
        ),
        (
            "bytes",
            "UPDATE messages SET message = CAST(x'FF' AS TEXT) WHERE position = 3",
            "3",
        ),
        ("time", "UPDATE sessions SET started_at = 'soon'", "soon"),
        ("usage", "UPDATE sessions SET usage = '{}'", "usage"),
    ] {
        create(&mut history, &session(id, 4));
        sql(&connection, damage);
        match history.load(id) {
            Err(HistoryError::Corrupt(what)) => assert!(
                what.contains(says),
                "the error should say what is damaged, with `{says}`; it says: {what}"
            ),
            other => panic!("after `{damage}` it is `Corrupt`; loading gave {other:?}"),
        }
    }
}

#[test]
fn test_ch20_a_damaged_page() {
    assert_not_found(in_memory().load("nobody"));
    let folder = folder();
    let path = folder.path().join("history.db");
    let mut history = open(&path);
    create(&mut history, &session("a", 200));
    drop(history);
    let mut bytes = read_bytes(&path);
    for page in (4096..bytes.len()).step_by(4096) {
        bytes[page..page + 64].fill(0xAB);
    }
    fs::write(&path, &bytes).expect("can be written");
    let error = match SessionHistory::open(&path) {
        Ok(history) => history.load("a").err(),
        Err(error) => Some(error),
    };
    assert!(
        matches!(error, Some(HistoryError::Corrupt(_))),
        "pages that are overwritten are `Corrupt`; it gave {error:?}"
    );
    assert!(bytes == read_bytes(&path), "and the file stays as it is");
}

#[track_caller]
fn assert_not_there(history: &SessionHistory, session_id: &str) {
    let error = history.load(session_id).err();
    assert!(
        matches!(error, Some(HistoryError::NotFound(_))),
        "after an error nothing of the session is there; loading it gave {error:?}"
    );
}
