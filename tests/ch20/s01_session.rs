//! Section 20.1: A session

use std::collections::HashSet;

use claw_code::agent::{Usage, now_ms};
use claw_code::session::*;
use serde_json::Value;

use super::support::*;

#[test]
fn test_ch20_new_session_has_its_names_and_no_messages() {
    let session = Session::new("coder", "claude");
    assert_eq!(
        (&*session.agent_name, &*session.model),
        ("coder", "claude"),
        "the first argument is the agent's name, the second one the model's"
    );
    assert_eq!(
        (session.messages.len(), session.ended_at, session.usage),
        (0, None, None),
        "a new session has no messages, has not ended, and has no usage yet"
    );
}

#[test]
fn test_ch20_new_session_begins_now() {
    let before = now_ms() as i64;
    let session = Session::new("coder", "claude");
    let after = now_ms() as i64;
    assert!(
        (before..=after).contains(&session.started_at.timestamp_millis()),
        "a new session begins now; this one began at {}",
        session.started_at
    );
}

#[test]
fn test_ch20_new_sessions_have_different_ids() {
    let ids: HashSet<_> = (0..50)
        .map(|_| Session::new("coder", "claude").session_id)
        .collect();
    assert_eq!(ids.len(), 50, "each session gets an id of its own");
    let is_random =
        |id: &str| uuid::Uuid::parse_str(id).is_ok_and(|uuid| uuid.get_version_num() == 4);
    let other = ids.iter().find(|id| !is_random(id));
    assert_eq!(
        other, None,
        "each id is a random UUID, so another process makes other ids"
    );
}

#[test]
fn test_ch20_total_usage_of_a_session() {
    let uncounted = Session::new("coder", "claude");
    assert_eq!(
        uncounted.total_usage(),
        Usage::default(),
        "without a usage, all counts are zero"
    );
    let counted = Session {
        usage: Some(usage(7, 5)),
        ..uncounted
    };
    assert_eq!(counted.total_usage(), usage(7, 5), "the stored usage");
}

#[test]
fn test_ch20_session_json_leaves_out_none() {
    let session = Session::new("coder", "claude");
    let json = serde_json::to_value(&session).expect("a session can be written");
    let Value::Object(fields) = json else {
        panic!("a session is an object, not {json}");
    };
    let keys: Vec<_> = fields.keys().map(String::as_str).collect();
    let expected = "agent_name messages model session_id started_at";
    assert_eq!(
        keys.join(" "),
        expected,
        "a field that is `None` is left out"
    );
}

#[test]
fn test_ch20_session_comes_back_from_json() {
    let mut session = Session::new("coder", "claude");
    session.ended_at = Some(session.started_at);
    session.usage = Some(usage(3, 4));
    session.messages = talk(2);
    let text = serde_json::to_string(&session).expect("a session can be written");
    assert_session(
        "reading the JSON of a session gives an equal one",
        &serde_json::from_str(&text).expect("its JSON can be read"),
        &session,
    );
}
