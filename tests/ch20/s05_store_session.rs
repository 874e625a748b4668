//! Section 20.5: Store a session

use claw_code::chat::*;
use claw_code::session::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch20_searchable_text_of_flat_fields() {
    let message = ChatMessage {
        reasoning: Some("Look there.".into()),
        tool_calls: Some(vec![
            ToolCall::new("t", "grep", "{\"pattern\": 1}"),
            ToolCall::new("u", "read", "{}"),
        ]),
        ..ChatMessage::assistant("I look.")
    };
    assert_eq!(
        searchable_text(&message),
        "I look.\nLook there.\ngrep\n{\"pattern\": 1}\nread\n{}",
        "the text, the reasoning, and the name and the arguments of each call, one per line"
    );
}

#[test]
fn test_ch20_searchable_text_of_a_result_needs_no_id() {
    let no_call_id = ChatMessage {
        tool_call_id: None,
        ..result("a")
    };
    assert_eq!(
        searchable_text(&no_call_id),
        "done",
        "the text of a result, even without the id of its call"
    );
}

#[test]
fn test_ch20_searchable_text_of_raw_blocks() {
    let thought = json!({ "type": "thinking", "thinking": "A nut?", "signature": "seal" });
    let call = json!({ "type": "tool_use", "id": "t", "name": "grep", "input": { "n": 1 } });
    let texts = [text_block("A walnut."), text_block("Another.")];
    assert_eq!(
        searchable_text(&raw(Role::User, &texts)),
        "A walnut.\nAnother.",
        "text that is only in raw blocks can be found"
    );
    assert_eq!(
        searchable_text(&raw(Role::Assistant, &[thought.clone(), call])),
        "A nut?\ngrep\n{\"n\":1}",
        "reasoning and calls that are only in raw blocks can be found"
    );
    assert_eq!(
        searchable_text(&raw(Role::Assistant, &[thought, text_block("Yes.")])),
        "Yes.\nA nut?",
        "the text comes before the reasoning, although its block comes after"
    );
    let listed = json!({ "type": "tool_result", "tool_use_id": "a",
                         "content": [text_block("done")] });
    assert_eq!(
        searchable_text(&raw(Role::User, &[listed, text_block("Well?")])),
        "done\nWell?",
        "results in the raw blocks of a user's message can be found, here one whose content is a \
         list of blocks"
    );
    assert_eq!(
        searchable_text(&raw(Role::Tool, &[text_block("done")])),
        "done",
        "the raw blocks of a result can be found even without the id of its call, for which \
         `to_blocks` would fail"
    );
}

#[test]
fn test_ch20_raw_blocks_are_searched_and_not_the_fields_beside_them() {
    let blocks = [result_block("a"), text_block("Well?")];
    let blocks = blocks.iter().map(block).collect();
    let message = ChatMessage::from_blocks(Role::User, blocks);
    assert_eq!(
        (message.content.as_deref(), &*searchable_text(&message)),
        (Some("Well?"), "done\nWell?"),
        "the text is that of all blocks, although `content` has only a part of it"
    );
    let shown_and_sent = ChatMessage {
        content: Some("walnut".into()),
        ..raw(Role::User, &[text_block("pecan")])
    };
    assert_eq!(
        searchable_text(&shown_and_sent),
        "pecan",
        "raw blocks take precedence over the flat fields"
    );
}

#[test]
fn test_ch20_empty_raw_blocks_count_as_none() {
    let no_blocks = ChatMessage {
        raw_content_blocks: Some(vec![]),
        ..user("A walnut.")
    };
    assert_eq!(
        searchable_text(&no_blocks),
        "A walnut.",
        "an empty list of blocks counts as no blocks"
    );
}

#[test]
fn test_ch20_create_stores_all_messages() {
    let database = Database::new();
    for count in [0, 7, 1] {
        let session = session(&format!("of {count}"), count);
        let cursor = create(&mut database.history(), &session);
        assert_messages(
            "the messages are stored, in order",
            &stored_messages(&database.connection(), &session.session_id),
            &session.messages,
        );
        let first = "SELECT coalesce(min(position), 0) FROM messages";
        assert_eq!(
            query_number(&database.connection(), first),
            0,
            "the messages have the positions 0, 1, 2 and so on: the first one gets `position`"
        );
        assert_eq!(
            (cursor.session_id(), cursor.position()),
            (&*session.session_id, count),
            "the cursor is after the last message"
        );
    }
}

#[test]
fn test_ch20_create_stores_the_searchable_text() {
    let database = Database::new();
    let blocks = raw(Role::User, &[text_block("A walnut.")]);
    create(&mut database.history(), &session_of("a", vec![blocks]));
    let query = "SELECT count(*) FROM messages WHERE words = 'A walnut.'";
    assert_eq!(
        query_number(&database.connection(), query),
        1,
        "the column `words` contains the searchable text of the message"
    );
}

#[test]
fn test_ch20_create_rejects_messages_that_cannot_be_read() {
    let database = Database::new();
    for message in unreadable() {
        let messages = [talk(2), vec![message]].concat();
        assert_error(
            "this message can be written as JSON but not read again, which would make the whole \
             session unreadable",
            database.history().create(&session_of("a", messages)),
            "Unwritable",
        );
        assert_eq!(
            stored_sessions(&database),
            0,
            "after an error nothing is stored"
        );
    }
    let readable = session_of("a", vec![nested_arguments(50)]);
    create(&mut database.history(), &readable);
}

#[test]
fn test_ch20_create_rejects_an_existing_id() {
    let database = Database::new();
    let mut history = database.history();
    create(&mut history, &session("a", 2));
    let other = Session {
        model: "another".into(),
        ..session("a", 1)
    };
    assert_error(
        "there is already a session with this id",
        history.create(&other),
        "Exists(\"a\")",
    );
    let query = "SELECT count(*) FROM sessions WHERE model = 'claude'";
    let connection = database.connection();
    assert_eq!(
        query_number(&connection, query),
        1,
        "the first session stays as it is"
    );
    assert_messages(
        "the first session keeps its messages",
        &stored_messages(&connection, "a"),
        &talk(2),
    );
}

#[test]
fn test_ch20_failed_create_stores_nothing() {
    let database = Database::new();
    let mut history = database.history();
    let messages = [talk(2), vec![unwritable()]].concat();
    assert_error(
        "JSON cannot represent an infinite duration",
        history.create(&session_of("a", messages)),
        "Unwritable",
    );
    assert_eq!(
        stored_sessions(&database),
        0,
        "after an error nothing of the session is stored"
    );
    create(&mut history, &session("a", 2));
}

#[test]
fn test_ch20_create_waits_for_another_writer() {
    let database = Database::new();
    let created = history_with_writer(&database, "SELECT 1").create(&session("a", 2));
    assert!(
        created.is_ok(),
        "`create` waits until the other writer commits; a transaction that is not immediate \
         begins as a reader and fails at once instead; it gave {created:?}"
    );
}

#[test]
fn test_ch20_create_looks_for_the_id_after_waiting() {
    let database = Database::new();
    let insert = "INSERT INTO sessions (session_id, agent_name, model, started_at)
                  VALUES ('a', '', '', '2026-01-02T03:04:05Z')";
    assert_error(
        "while this connection waited, another one stored a session with this id: look for it \
         inside the transaction",
        history_with_writer(&database, insert).create(&session("a", 2)),
        "Exists(\"a\")",
    );
}

#[test]
fn test_ch20_other_errors_of_create_are_not_an_existing_id() {
    let database = Database::new();
    let refuse = "CREATE TRIGGER refuse BEFORE INSERT ON sessions
                  BEGIN SELECT RAISE(ABORT, 'no'); END";
    sql(&database.connection(), refuse);
    assert_error(
        "there is no session with this id; the database refuses the row for another reason",
        database.history().create(&session("a", 0)),
        "Sqlite",
    );
}

#[test]
fn test_ch20_unwritable_error_says_what_json_says() {
    let created = in_memory(&[]).create(&session_of("a", vec![unwritable()]));
    let error = created.expect_err("JSON cannot represent an infinite duration");
    let message = error.to_string();
    assert!(
        message.contains("duration_ms"),
        "the message should contain that of the JSON error; it is: {message}"
    );
    assert_eq!(
        format!("{:#}", anyhow::Error::from(error)),
        message,
        "printed with its causes, the error says everything once"
    );
}

/// The number of rows in both tables.
fn stored_sessions(database: &Database) -> i64 {
    let query = "SELECT (SELECT count(*) FROM sessions) + (SELECT count(*) FROM messages)";
    query_number(&database.connection(), query)
}
