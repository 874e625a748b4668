//! Section 20.1: A session

use std::collections::HashSet;

use claw_code::agent::Usage;
use claw_code::chat::*;
use claw_code::session::*;
use serde_json::Value;

use super::support::*;

#[test]
fn test_ch20_a_new_session() {
    let before = claw_code::agent::now_ms() as i64;
    let session = Session::new("coder", "claude");
    let after = claw_code::agent::now_ms() as i64;
    assert_eq!(
        (&*session.agent_name, &*session.model),
        ("coder", "claude"),
        "the first argument is the agent's name, the second the model's"
    );
    assert!(
        (before..=after).contains(&session.started_at.timestamp_millis()),
        "a new session begins now; this one began at {}",
        session.started_at
    );
    assert_eq!(
        (session.messages.len(), session.ended_at, session.usage),
        (0, None, None),
        "nothing was said yet, it has not ended, and nobody has counted"
    );
    assert_eq!(session.total_usage(), Usage::default());
    let counted = Session {
        usage: Some(usage(7, 5)),
        ..session
    };
    assert_eq!(counted.total_usage(), usage(7, 5));
    let ids: HashSet<_> = (0..50).map(|_| Session::new("a", "m").session_id).collect();
    assert_eq!(ids.len(), 50, "each session gets an id of its own");
}

#[test]
fn test_ch20_a_session_as_json() {
    let mut session = Session::new("coder", "claude");
    assert_eq!(
        keys(&session),
        [
            "agent_name",
            "messages",
            "model",
            "session_id",
            "started_at"
        ],
        "what is `None` is left out"
    );
    session.ended_at = Some(session.started_at);
    session.usage = Some(usage(3, 4));
    session.messages = talk(2);
    let text = serde_json::to_string(&session).expect("a session can be written");
    assert_eq!(
        serde_json::from_str::<Session>(&text).expect("what was written can be read"),
        session,
        "a session comes back from JSON as it was: {text}"
    );
}

#[test]
fn test_ch20_open_calls() {
    for (why, said, open) in [
        ("nothing was called", vec![user("Hi.")], vec![]),
        (
            "all were answered",
            vec![calls(&["a", "b"]), result("b"), result("a")],
            vec![],
        ),
        (
            "nobody answered",
            vec![user("Go."), calls(&["a", "b"])],
            vec!["a", "b"],
        ),
        (
            "one was answered",
            vec![calls(&["a", "b", "c"]), result("b")],
            vec!["a", "c"],
        ),
        (
            "an earlier reply has open calls as well",
            vec![calls(&["a"]), user("Go on."), calls(&["b"])],
            vec!["a", "b"],
        ),
        (
            "a result without a call answers nothing",
            vec![result("x"), user("Hi.")],
            vec![],
        ),
    ] {
        assert_open(why, said, &open);
    }
}

#[test]
fn test_ch20_ids_may_come_again() {
    let twice = vec![calls(&["a"]), result("a"), calls(&["a"])];
    assert_open(
        "a result answers a call before it, not one after it",
        twice,
        &["a"],
    );
    let both = vec![calls(&["a"]), result("a"), calls(&["a"]), result("a")];
    assert_open("each of the two calls has its result", both, &[]);
    let first = vec![calls(&["a"]), calls(&["a"]), result("a")];
    assert_open(
        "one result answers one call: the last open one of its id before it",
        first,
        &["a"],
    );
    let in_a_row = vec![calls(&["a", "a"]), result("a"), result("a")];
    assert_open("two results answer two calls of their id", in_a_row, &[]);
    let one_more = vec![calls(&["a", "a", "a"]), result("a"), result("a")];
    assert_open(
        "two results answer two calls of their id, and not a third",
        one_more,
        &["a"],
    );
    let not_a_tool = vec![
        calls(&["a"]),
        ChatMessage {
            role: Role::User,
            ..result("a")
        },
    ];
    assert_open(
        "only a message of the role `Tool` is a result",
        not_a_tool,
        &["a"],
    );
}

#[test]
fn test_ch20_blocks_make_calls_and_results() {
    let blocks = |role, blocks: &[Value]| ChatMessage {
        raw_content_blocks: Some(blocks.iter().map(block).collect()),
        ..ChatMessage::new(role)
    };
    let results = |ids: &[&str]| ids.iter().map(|id| result_block(id)).collect::<Vec<_>>();
    assert_open(
        "one `Tool` message may hold several results, and its `tool_call_id` names the first",
        vec![
            calls(&["a", "b", "c"]),
            ChatMessage::from_blocks(Role::Tool, results(&["a", "b"]).iter().map(block).collect()),
        ],
        &["c"],
    );
    let asked = blocks(Role::Assistant, &[call_block("a"), call_block("b")]);
    assert_open(
        "calls may stand in raw blocks alone",
        vec![asked.clone()],
        &["a", "b"],
    );
    assert_open(
        "results may stand in raw blocks alone",
        vec![asked, blocks(Role::User, &results(&["a"]))],
        &["b"],
    );
    let [call, answer] = [call_block("a"), result_block("a")];
    for (why, order, open) in [
        ("behind it, answers it", [&call, &answer], vec![]),
        ("before it, does not", [&answer, &call], vec!["a"]),
    ] {
        let message = blocks(Role::Assistant, &order.map(Value::clone));
        assert_open(
            &format!("a result in the call's own message, {why}"),
            vec![message],
            &open,
        );
    }
    let both = ChatMessage {
        raw_content_blocks: Some(vec![block(&call_block("sent"))]),
        ..calls(&["shown"])
    };
    assert_open(
        "where there are raw blocks, they are what is sent, whatever `tool_calls` shows",
        vec![both],
        &["sent"],
    );
    let unnamed = ChatMessage {
        tool_call_id: None,
        ..result("a")
    };
    assert_open(
        "a result that names no call answers none",
        vec![calls(&["a"]), unnamed],
        &["a"],
    );
    let session = Session {
        messages: vec![calls(&["a"]), blocks(Role::Assistant, &[call_block("b")])],
        ..Session::new("coder", "claude")
    };
    assert_eq!(
        session.open_calls(),
        ["a", "b"].map(|id| ToolCall::new(id, "bash", "{}")),
        "an open call comes with its tool and its arguments"
    );
}

fn keys(session: &Session) -> Vec<String> {
    match serde_json::to_value(session).expect("a session can be written") {
        Value::Object(fields) => fields.keys().cloned().collect(),
        other => panic!("a session is an object, not {other}"),
    }
}

#[track_caller]
fn assert_open(why: &str, said: Vec<ChatMessage>, open: &[&str]) {
    let session = Session {
        messages: said,
        ..Session::new("coder", "claude")
    };
    let calls = session.open_calls();
    let found: Vec<_> = calls.iter().map(|call| &*call.id).collect();
    assert_eq!(found, open, "{why}: these calls are open");
}
