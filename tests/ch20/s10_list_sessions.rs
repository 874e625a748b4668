//! Section 20.10: Which sessions there are

use std::collections::HashMap;

use claw_code::chat::*;
use claw_code::session::*;
use rusqlite::Connection;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch20_a_list_of_sessions() {
    let mut history = in_memory();
    assert_eq!(list(&history), [], "an empty history has no sessions");
    let mut cursor = create(&mut history, &session("a", 3));
    create(&mut history, &session("empty", 0));
    create(&mut history, &session("b", 2));
    create(&mut history, &session("later", 0));
    history
        .append(&mut cursor, &[user("again")])
        .expect("can go on");
    let listed = list(&history);
    let rows: Vec<(&str, usize)> = listed
        .iter()
        .map(|summary| (summary.session_id.as_str(), summary.messages))
        .collect();
    let mut ids: Vec<&str> = rows.iter().map(|(id, _)| *id).collect();
    ids.sort();
    assert_eq!(
        ids,
        ["a", "b", "empty", "later"],
        "every session is listed, also one without messages"
    );
    let counts: HashMap<&str, usize> = rows.iter().copied().collect();
    assert_eq!(
        counts,
        HashMap::from([("a", 4), ("b", 2), ("empty", 0), ("later", 0)]),
        "each session comes with the number of its messages, which may be 0"
    );
    assert_eq!(
        rows,
        [("a", 4), ("b", 2), ("later", 0), ("empty", 0)],
        "the session with the newest message comes first, those without messages last, and of \
         these the one that was stored last first"
    );
    assert_eq!(
        (listed[0].model.as_str(), listed[0].started_at),
        ("claude", session("a", 0).started_at),
        "with the model and the time that it began with"
    );
    history.delete("a").expect("can be deleted");
    assert_eq!(list(&history).len(), 3, "what was deleted is not listed");
}

#[test]
fn test_ch20_how_a_session_opens() {
    let mut history = in_memory();
    assert_eq!(list(&history), [], "no session, no opening");
    let picture = ChatMessage::new(Role::User);
    let blocks = [text_block("Look"), image_block(), text_block("here")];
    let in_blocks = ChatMessage {
        raw_content_blocks: Some(blocks.iter().map(block).collect()),
        ..ChatMessage::new(Role::User)
    };
    for (why, messages, opening) in [
        (
            "what others said is passed over",
            vec![
                ChatMessage::system("Be brief."),
                user("Hello"),
                user("Well?"),
            ],
            Some("Hello"),
        ),
        (
            "the user has said nothing",
            vec![ChatMessage::assistant("Hello")],
            None,
        ),
        (
            "the user's first message has no text, and the second is not the first",
            vec![picture, user("What is it?")],
            None,
        ),
        (
            "an empty text is a text",
            vec![user(""), user("What is it?")],
            Some(""),
        ),
        (
            "where there are raw blocks, it is what they say that counts",
            vec![in_blocks],
            Some("Look\nhere"),
        ),
    ] {
        let mut session = session(why, 0);
        session.messages = messages;
        create(&mut history, &session);
        let opened = list(&history).remove(0).opening;
        assert_eq!(
            opened.as_deref(),
            opening,
            "a session opens with the text of the user's first message: {why}; this one opened \
             with {opened:?}"
        );
    }
}

#[test]
fn test_ch20_a_damaged_message_hides_no_session() {
    assert_eq!(list(&in_memory()), [], "no session, no opening");
    let folder = folder();
    let path = folder.path().join("history.db");
    let mut history = open(&path);
    let [damaged, later, good] = ["damaged", "later", "good"];
    for id in [damaged, later, good] {
        let mut session = session(id, 0);
        session.messages = vec![user("Hello"), user("Well?")];
        create(&mut history, &session);
    }
    let connection = Connection::open(&path).expect("can be opened");
    let damage = |id: &str, position: usize, message: &str| {
        let change = format!(
            "UPDATE messages SET message = {message} WHERE position = {position} AND session =
             (SELECT id FROM sessions WHERE session_id = '{id}')"
        );
        sql(&connection, &change);
    };
    damage(later, 1, "'{\"role\":'");
    for message in [
        "'{\"role\":\"us'",
        "'{\"role\":\"king\"}'",
        "CAST(x'FF' AS TEXT)",
        "''",
    ] {
        damage(damaged, 0, message);
        let listed = match history.list() {
            Ok(listed) => listed,
            Err(error) => panic!(
                "one message is damaged, `{message}`: all sessions are listed nevertheless; it \
                 gave {error:?}"
            ),
        };
        let rows: Vec<_> = listed
            .iter()
            .map(|it| (it.session_id.as_str(), it.messages, it.opening.as_deref()))
            .collect();
        assert_eq!(
            rows,
            [
                (good, 2, Some("Hello")),
                (later, 2, Some("Hello")),
                (damaged, 2, None)
            ],
            "with its first message damaged, `{message}`, a session has no opening: nobody knows \
             what the user said first"
        );
    }
}

#[test]
fn test_ch20_ids_by_their_beginning() {
    let mut history = in_memory();
    let ids = |history: &SessionHistory, start: &str| match history.ids(start) {
        Ok(ids) => ids.join(" "),
        Err(error) => panic!("ids that begin with {start:?}: it gave {error:?}"),
    };
    assert_eq!(ids(&history, ""), "", "an empty history has no ids");
    for id in ["b1", "a_1", "ab2", "äb", "a%3", "a[4]"] {
        create(&mut history, &session(id, 1));
    }
    for (start, expected) in [
        ("a", "a%3 a[4] a_1 ab2"),
        ("ab2", "ab2"),
        ("", "a%3 a[4] a_1 ab2 b1 äb"),
        ("b", "b1"),
        ("A", ""),
        ("a_", "a_1"),
        ("a%", "a%3"),
        ("*", ""),
        ("[", ""),
        ("a[", "a[4]"),
        ("1", ""),
        ("ab23", ""),
        ("'", ""),
    ] {
        assert_eq!(
            ids(&history, start),
            expected,
            "the ids that begin with {start:?}, in alphabetical order; no letter and no sign \
             stands for another"
        );
    }
}

fn image_block() -> Value {
    json!({ "type": "image", "source": { "type": "url", "url": "https://example.org/a.png" } })
}

#[track_caller]
fn list(history: &SessionHistory) -> Vec<Summary> {
    history.list().expect("can be listed")
}
