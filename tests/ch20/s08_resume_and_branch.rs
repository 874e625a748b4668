//! Section 20.8: Resume and branch

use std::time::Duration;

use claw_code::session::*;

use super::support::*;

#[test]
fn test_ch20_a_session_is_resumed() {
    assert_not_found(in_memory().resume("nobody"));
    let folder = folder();
    let path = folder.path().join("history.db");
    let mut history = open(&path);
    let mut stored = session("a", 3);
    stored.ended_at = Some(stored.started_at);
    create(&mut history, &stored);
    drop(history);
    let mut history = open(&path);
    let (resumed, mut cursor) = history.resume("a").expect("can be resumed");
    assert_eq!(resumed, stored, "resuming gives the session as it is");
    assert_eq!(
        load(&history, "a"),
        stored,
        "and changes nothing in the history"
    );
    assert_eq!(
        (cursor.session_id(), cursor.position()),
        ("a", 3),
        "the cursor stands behind its last message"
    );
    history
        .append(&mut cursor, &[user("next")])
        .expect("can go on");
    assert_eq!(
        load(&history, "a").messages.len(),
        4,
        "and it goes on there"
    );
}

#[test]
fn test_ch20_the_latest_session() {
    let mut history = in_memory();
    let latest = |history: &SessionHistory| history.latest().expect("can be asked");
    assert_eq!(
        latest(&history),
        None,
        "an empty history has no latest session"
    );
    let mut began_last = session("began last", 1);
    began_last.started_at += Duration::from_secs(60);
    create(&mut history, &began_last);
    let mut cursor = create(&mut history, &session("a", 1));
    create(&mut history, &session("b", 1));
    create(&mut history, &session("c", 0));
    assert_eq!(
        latest(&history).as_deref(),
        Some("b"),
        "the one with the newest message, whenever it began"
    );
    history
        .append(&mut cursor, &[user("again")])
        .expect("can go on");
    assert_eq!(latest(&history).as_deref(), Some("a"), "it went on last");
}

#[test]
fn test_ch20_a_session_is_finished() {
    assert_not_found(in_memory().finish("nobody", session("a", 0).started_at, None));
    let mut history = in_memory();
    for id in ["a", "b"] {
        create(&mut history, &session(id, 2));
    }
    let mut expected = session("a", 2);
    let end = "2026-03-04T05:06:07.5Z".parse().expect("a time");
    for counted in [Some(usage(5, 6)), None] {
        history
            .finish("a", end, counted.as_ref())
            .expect("can be finished");
        expected.ended_at = Some(end);
        expected.usage = Some(usage(5, 6));
        assert_eq!(
            load(&history, "a"),
            expected,
            "it has the end, and the usage if there is one; without one, what is there stays"
        );
    }
    assert_eq!(
        load(&history, "b"),
        session("b", 2),
        "others stay as they are"
    );
}

#[test]
fn test_ch20_a_session_is_branched() {
    assert_not_found(in_memory().branch("nobody", 0));
    let mut history = in_memory();
    let mut stored = session("a", 4);
    stored.usage = Some(usage(5, 6));
    stored.ended_at = Some(stored.started_at);
    create(&mut history, &stored);
    for position in [2, 0, 4] {
        let (branch, mut cursor) = history.branch("a", position).expect("can be branched");
        assert_ne!(branch.session_id, "a", "a branch is a session of its own");
        assert_eq!(
            branch.messages,
            stored.messages[..position],
            "it begins with the first {position} messages"
        );
        assert_eq!(
            (
                &branch.agent_name,
                &branch.model,
                branch.ended_at,
                branch.usage
            ),
            (&stored.agent_name, &stored.model, None, None),
            "with the same agent and model; it has not ended, and has cost nothing yet"
        );
        assert!(
            branch.started_at > stored.started_at,
            "it begins now, not when the other one began"
        );
        let origin = Origin {
            session_id: "a".into(),
            position,
        };
        assert_eq!(
            history.origin(&branch.session_id).expect("can be asked"),
            Some(origin),
            "the history knows where it comes from"
        );
        let next = user("another way");
        history
            .append(&mut cursor, std::slice::from_ref(&next))
            .expect("goes its own way");
        assert_eq!(
            load(&history, &branch.session_id).messages[position..],
            [next],
            "what is appended to a branch stands behind what was copied"
        );
        assert_eq!(
            load(&history, "a"),
            stored,
            "the session that it comes from stays as it is"
        );
    }
}

#[test]
fn test_ch20_a_branch_beyond_the_end() {
    assert_not_found(in_memory().branch("nobody", 0));
    let mut history = in_memory();
    create(&mut history, &session("a", 2));
    let error = history.branch("a", 3).expect_err("there are two messages");
    assert!(
        matches!(error, HistoryError::TooShort { asked: 3, found: 2 }),
        "two messages are too few for a branch behind the third; it gave {error:?}"
    );
}

#[test]
fn test_ch20_a_branch_outlives_its_origin() {
    assert_not_found(in_memory().branch("nobody", 0));
    let mut history = in_memory();
    create(&mut history, &session("a", 2));
    let (branch, _) = history.branch("a", 1).expect("can be branched");
    history.delete("a").expect("can be deleted");
    assert_eq!(
        load(&history, &branch.session_id),
        branch,
        "a branch has all it needs"
    );
    assert_eq!(
        history.origin(&branch.session_id).expect("can be asked"),
        None,
        "the session that it comes from is gone"
    );
}
