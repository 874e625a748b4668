//! Section 20.11: List sessions

use claw_code::chat::*;
use claw_code::session::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch20_every_session_is_listed() {
    let history = four_sessions();
    let mut ids: Vec<_> = list(&history).into_iter().map(|it| it.session_id).collect();
    ids.sort();
    assert_eq!(
        ids,
        ["a", "b", "empty", "later"],
        "every session is listed, even one without messages"
    );
}

#[test]
fn test_ch20_empty_history_has_no_sessions() {
    assert_eq!(list(&in_memory(&[])), [], "there is nothing to list");
}

#[test]
fn test_ch20_summary_counts_messages() {
    let mut counts: Vec<_> = list(&four_sessions())
        .into_iter()
        .map(|it| (it.session_id, it.messages))
        .collect();
    counts.sort();
    let expected = [("a", 3), ("b", 2), ("empty", 0), ("later", 0)];
    assert_eq!(
        counts,
        expected.map(|(id, count)| (id.to_string(), count)),
        "each session has the number of its messages, which can be 0"
    );
}

#[test]
fn test_ch20_newest_message_comes_first() {
    let mut history = four_sessions();
    assert_eq!(
        ids_in_order(&history),
        "b a later empty",
        "the session with the newest message comes first; those without messages come last, the \
         one that was stored last first"
    );
    let appended = history.append(&mut Cursor::new("a", 3), &[user("again")]);
    appended.expect("can be appended");
    assert_eq!(
        ids_in_order(&history),
        "a b later empty",
        "a has a newer message"
    );
}

#[test]
fn test_ch20_summary_has_model_and_start() {
    let listed = list(&in_memory(&[session("a", 1)]));
    assert_eq!(
        (&*listed[0].model, listed[0].started_at),
        ("claude", session("a", 0).started_at),
        "the model and the time that the session began with"
    );
}

#[test]
fn test_ch20_deleted_session_is_not_listed() {
    let mut history = four_sessions();
    assert_eq!(list(&history).len(), 4, "all sessions are listed");
    history.delete("a").expect("can be deleted");
    assert_eq!(
        ids_in_order(&history),
        "b later empty",
        "the deleted session is not"
    );
}

#[test]
fn test_ch20_opening_is_the_first_text_of_the_user() {
    let system = ChatMessage::system("Be brief.");
    assert_opening(
        "messages of other roles do not count",
        vec![system, user("Hello"), user("Well?")],
        Some("Hello"),
    );
    assert_opening(
        "an empty text is a text",
        vec![user(""), user("What is it?")],
        Some(""),
    );
    let image = json!({ "type": "image", "source": { "type": "url", "url": "https://a.test/a" } });
    let blocks = [text_block("Look"), image, text_block("here")];
    assert_opening(
        "the text in raw blocks counts",
        vec![raw(Role::User, &blocks)],
        Some("Look\nhere"),
    );
    let shown = ChatMessage {
        content: Some("shown".into()),
        ..raw(Role::User, &[text_block("sent")])
    };
    assert_opening("raw blocks take precedence", vec![shown], Some("sent"));
    let result = json!({ "type": "tool_result", "tool_use_id": "a", "content": "src" });
    assert_opening(
        "the text of a tool's result does not count",
        vec![raw(Role::User, &[result, text_block("Go on.")])],
        Some("Go on."),
    );
}

#[test]
fn test_ch20_session_may_have_no_opening() {
    assert_opening(
        "without a message of the user, there is no opening",
        vec![ChatMessage::assistant("Hello")],
        None,
    );
    assert_opening(
        "the first message has no text, and the second one is not the first",
        vec![ChatMessage::new(Role::User), user("What is it?")],
        None,
    );
}

#[test]
fn test_ch20_damaged_message_hides_no_session() {
    for damage in DAMAGES {
        let database = database_with_damage(0, damage);
        let listed = database.history().list();
        let listed = listed.unwrap_or_else(|error| {
            panic!("with a message `{damage}` all sessions are still listed; it gave {error:?}")
        });
        let rows: Vec<_> = listed
            .iter()
            .map(|it| (&*it.session_id, it.messages, it.opening.as_deref()))
            .collect();
        assert_eq!(
            rows,
            [("good", 2, Some("Hello")), ("damaged", 2, None)],
            "with a first message `{damage}`, the sender of that message is unknown, so the \
             session has no opening"
        );
    }
}

#[test]
fn test_ch20_damage_after_the_opening_does_not_matter() {
    let database = database_with_damage(1, DAMAGES[0]);
    let openings: Vec<_> = list(&database.history())
        .into_iter()
        .map(|it| it.opening)
        .collect();
    let hello = Some("Hello".to_string());
    assert_eq!(
        openings,
        [hello.clone(), hello],
        "the first message can be read"
    );
}

#[test]
fn test_ch20_list_does_not_notice_a_missing_message() {
    let database = Database::with(&[session_of("a", vec![user("Hello"), user("Well?")])]);
    let delete = "DELETE FROM messages WHERE position = 0";
    sql(&database.connection(), delete);
    let listed = list(&database.history());
    assert_eq!(
        (listed[0].messages, listed[0].opening.as_deref()),
        (1, Some("Well?")),
        "a missing message is not noticed here: the stored messages are counted, and the user's \
         first one is the opening"
    );
}

#[test]
fn test_ch20_session_with_a_damaged_time_is_an_error() {
    let database = database_with_damaged_time();
    assert_error(
        "a session whose time is damaged is not left out",
        database.history().list(),
        "Corrupt",
    );
}

#[test]
fn test_ch20_ids_begin_with_a_prefix() {
    for (rule, prefix, expected) in [
        ("in alphabetical order", "a", "a%3 a[4] a_1 ab2"),
        ("a whole id", "ab2", "ab2"),
        ("every id", "", "a%3 a[4] a_1 ab2 b1 äb"),
        ("one id", "b", "b1"),
        ("case matters", "A", ""),
        ("an id does not begin with its end", "1", ""),
        ("a longer text than the id", "ab23", ""),
    ] {
        assert_ids(rule, prefix, expected);
    }
}

#[test]
fn test_ch20_prefix_has_no_special_characters() {
    for (rule, prefix, expected) in [
        ("`_` is only itself", "a_", "a_1"),
        ("`%` is only itself", "a%", "a%3"),
        ("`*` is only itself", "*", ""),
        ("`[` is only itself", "[", ""),
        ("`[` is only itself", "a[", "a[4]"),
        ("a quote is only itself", "'", ""),
    ] {
        assert_ids(rule, prefix, expected);
    }
}

#[test]
fn test_ch20_empty_history_has_no_ids() {
    let ids = in_memory(&[]).ids("");
    assert_eq!(
        ids.expect("the history can be read"),
        [""; 0],
        "the empty prefix is that of every id, and there are none"
    );
}

#[test]
fn test_ch20_damage_hides_no_id() {
    let ids = database_with_damaged_time().history().ids("");
    assert_eq!(
        ids.expect("only ids are read"),
        ["a", "b"],
        "a session whose time is damaged still has its id"
    );
}

/// SQL values that are not the JSON of a message: torn, of an unknown role, not UTF-8, empty.
const DAMAGES: [&str; 4] = [
    "'{\"role\":\"us'",
    "'{\"role\":\"king\"}'",
    "CAST(x'FF' AS TEXT)",
    "''",
];

/// A database with two sessions of two messages, one of which has this damaged message.
fn database_with_damage(position: usize, damage: &str) -> Database {
    let messages = vec![user("Hello"), user("Well?")];
    let sessions = ["damaged", "good"].map(|id| session_of(id, messages.clone()));
    let database = Database::with(&sessions);
    let update = format!(
        "UPDATE messages SET message = {damage} WHERE position = {position} AND session =
         (SELECT id FROM sessions WHERE session_id = 'damaged')"
    );
    sql(&database.connection(), &update);
    database
}

/// A database with two sessions, one of which has a damaged time.
fn database_with_damaged_time() -> Database {
    let database = Database::with(&[session("a", 1), session("b", 1)]);
    let damage = "UPDATE sessions SET started_at = 'noon' WHERE session_id = 'b'";
    sql(&database.connection(), damage);
    database
}

/// Fails unless a session with these messages is listed with this opening.
#[track_caller]
fn assert_opening(rule: &str, messages: Vec<ChatMessage>, expected: Option<&str>) {
    let history = in_reverse(&[session_of("a", messages)]);
    let found = list(&history).remove(0).opening;
    assert_eq!(
        found.as_deref(),
        expected,
        "{rule}; this opening is {found:?}"
    );
}

/// Fails unless these are the ids with this prefix among six.
#[track_caller]
fn assert_ids(rule: &str, prefix: &str, expected: &str) {
    let ids = ["b1", "a_1", "ab2", "äb", "a%3", "a[4]"];
    let history = in_reverse(&ids.map(|id| session(id, 1)));
    let found = history.ids(prefix).map(|ids| ids.join(" "));
    let found = found.unwrap_or_else(|error| panic!("ids({prefix:?}) gave {error:?}"));
    assert_eq!(
        found, expected,
        "{rule}: the ids that begin with {prefix:?}"
    );
}

/// Sessions with 3, 0, 2 and 0 messages, stored in this order.
fn four_sessions() -> SessionHistory {
    let sessions = [("a", 3), ("empty", 0), ("b", 2), ("later", 0)];
    in_memory(&sessions.map(|(id, count)| session(id, count)))
}

fn ids_in_order(history: &SessionHistory) -> String {
    let ids: Vec<_> = list(history).into_iter().map(|it| it.session_id).collect();
    ids.join(" ")
}

#[track_caller]
fn list(history: &SessionHistory) -> Vec<Summary> {
    history.list().expect("the sessions can be listed")
}
