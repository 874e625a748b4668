//! Section 20.9: Branch a session

use claw_code::session::*;

use super::support::*;

#[test]
fn test_ch20_branch_copies_the_first_messages() {
    for position in [2, 0, 4] {
        let (mut history, stored) = ended_session();
        let (branch, cursor) = branch(&mut history, position);
        assert_messages(
            &format!("the branch begins with the first {position} messages"),
            &branch.messages,
            &stored.messages[..position],
        );
        assert_eq!(
            (cursor.session_id(), cursor.position()),
            (&*branch.session_id, position),
            "the cursor is after the last copied message"
        );
    }
}

#[test]
fn test_ch20_branch_is_a_new_session() {
    let (mut history, stored) = ended_session();
    let (branch, _) = branch(&mut history, 2);
    assert_ne!(branch.session_id, "a", "a branch has an id of its own");
    assert_eq!(
        (branch.agent_name, branch.model),
        (stored.agent_name, stored.model),
        "a branch has the same agent and model"
    );
    assert_eq!(
        (branch.ended_at, branch.usage),
        (None, None),
        "a branch has not ended and has no usage yet"
    );
    assert!(
        branch.started_at > stored.started_at,
        "a branch begins now, not when its origin began"
    );
}

#[test]
fn test_ch20_branch_knows_its_origin() {
    let (mut history, _) = ended_session();
    for position in [2, 0, 4] {
        let (branch, _) = branch(&mut history, position);
        let origin = Origin {
            session_id: "a".into(),
            position,
        };
        assert_eq!(
            history.origin(&branch.session_id).expect("can be read"),
            Some(origin),
            "the origin is the session and the position of the branch"
        );
    }
    assert_eq!(
        history.origin("a").expect("can be read"),
        None,
        "a session that is not a branch has no origin"
    );
    let (first, _) = branch(&mut history, 2);
    let second = history.branch(&first.session_id, 1);
    let (second, _) = second.expect("a branch can be branched");
    let origin = history.origin(&second.session_id).expect("can be read");
    assert_eq!(
        origin.map(|origin| origin.session_id),
        Some(first.session_id),
        "the origin of a branch of a branch is the branch"
    );
}

#[test]
fn test_ch20_branch_and_origin_are_independent() {
    for position in [2, 0, 4] {
        let (mut history, stored) = ended_session();
        let (branch, mut cursor) = branch(&mut history, position);
        history
            .append(&mut cursor, &[user("another way")])
            .expect("can be appended");
        assert_messages(
            "a message appended to a branch comes after the copied ones",
            &load(&history, &branch.session_id).messages[position..],
            &[user("another way")],
        );
        assert_session("the origin does not change", &load(&history, "a"), &stored);
    }
}

#[test]
fn test_ch20_branch_copies_the_searchable_text() {
    let database = Database::with(&[session("a", 4)]);
    branch(&mut database.history(), 2);
    let query = "SELECT count(*) FROM message_search WHERE message_search MATCH '\"message 1\"'";
    assert_eq!(
        query_number(&database.connection(), query),
        2,
        "a search finds the message in the origin and in the branch"
    );
}

#[test]
fn test_ch20_branch_beyond_the_end_is_too_short() {
    let database = Database::with(&[session("a", 2)]);
    assert_error(
        "a session of 2 messages has no first 3 messages",
        database.history().branch("a", 3),
        "TooShort { asked: 3, found: 2 }",
    );
    assert_one_session(
        "a branch that is too short must not be stored: count its messages before the commit",
        &database,
    );
}

#[test]
fn test_ch20_branch_of_a_missing_session_is_not_found() {
    assert_not_found(in_memory(&[]).branch("nobody", 0));
}

#[test]
fn test_ch20_branch_compares_after_waiting() {
    let database = Database::with(&[session("a", 3)]);
    let delete = "DELETE FROM messages WHERE position > 0";
    assert_error(
        "while this connection waited, another one deleted messages: compare inside the \
         transaction, which waits because it is immediate",
        history_with_writer(&database, delete).branch("a", 3),
        "TooShort { asked: 3, found: 1 }",
    );
    assert_error(
        "while this connection waited, another one deleted the session: look for it inside the \
         transaction, too",
        history_with_writer(&database, "DELETE FROM sessions").branch("a", 0),
        "NotFound(\"a\")",
    );
}

#[test]
fn test_ch20_failed_branch_stores_nothing() {
    let database = Database::with(&[session("a", 3)]);
    let refuse = "CREATE TRIGGER refuse BEFORE INSERT ON messages
                  BEGIN SELECT RAISE(ABORT, 'no'); END";
    sql(&database.connection(), refuse);
    assert_error(
        "the messages cannot be copied",
        database.history().branch("a", 2),
        "Sqlite",
    );
    assert_one_session(
        "without its messages, the branch is not stored either",
        &database,
    );
}

#[test]
fn test_ch20_branch_with_a_damaged_message_is_not_stored() {
    for (rule, damage, undamaged) in [
        (
            "one of the copied messages cannot be read",
            "UPDATE messages SET message = '{' WHERE position = 2",
            2,
        ),
        (
            "one of the messages to copy is missing, and the others keep their positions",
            "DELETE FROM messages WHERE position = 1",
            1,
        ),
    ] {
        let database = Database::with(&[session("a", 4)]);
        sql(&database.connection(), damage);
        assert_error(rule, database.history().branch("a", 3), "Corrupt");
        assert_one_session(
            "a branch that cannot be loaded is an error, so it must not be stored: read it before \
             the commit",
            &database,
        );
        let (branch, _) = branch(&mut database.history(), undamaged);
        assert_messages(
            "damage after the branch does not matter",
            &branch.messages,
            &talk(undamaged),
        );
    }
}

#[test]
fn test_ch20_branch_outlives_its_origin() {
    let (mut history, _) = ended_session();
    let (branch, _) = branch(&mut history, 1);
    history.delete("a").expect("can be deleted");
    assert_session(
        "a branch has its own copy of the messages",
        &load(&history, &branch.session_id),
        &branch,
    );
    assert_eq!(
        history.origin(&branch.session_id).expect("can be read"),
        None,
        "a deleted session is not an origin any more"
    );
}

/// A history with the session `a`, which has 4 messages, an end and a usage.
fn ended_session() -> (SessionHistory, Session) {
    let mut session = session("a", 4);
    session.usage = Some(usage(5, 6));
    session.ended_at = Some(session.started_at);
    (in_memory(std::slice::from_ref(&session)), session)
}

#[track_caller]
fn branch(history: &mut SessionHistory, position: usize) -> (Session, Cursor) {
    match history.branch("a", position) {
        Ok(branch) => branch,
        Err(error) => panic!("session a should be branched at {position}, but: {error:?}"),
    }
}

/// Fails unless the database still has one session: no branch was stored.
#[track_caller]
fn assert_one_session(rule: &str, database: &Database) {
    let count = query_number(&database.connection(), "SELECT count(*) FROM sessions");
    assert_eq!(count, 1, "{rule}");
}
