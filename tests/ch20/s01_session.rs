//! Section 20.1: A session

use std::collections::HashSet;

use claw_code::agent::{Usage, now_ms};
use claw_code::chat::*;
use claw_code::session::*;
use serde_json::{Value, json};

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

#[test]
fn test_ch20_calls_with_results_are_not_open() {
    assert_open_calls("without calls, none are open", vec![user("Hi.")], "");
    assert_open_calls(
        "calls with results are not open, in whatever order the results come",
        vec![calls(&["a", "b"]), result("b"), result("a")],
        "",
    );
    assert_open_calls(
        "a result without a call changes nothing",
        vec![result("x"), user("Hi.")],
        "",
    );
}

#[test]
fn test_ch20_calls_without_results_are_open() {
    assert_open_calls(
        "calls without results are open",
        vec![user("Go."), calls(&["a", "b"])],
        "a b",
    );
    assert_open_calls(
        "open calls keep their order",
        vec![calls(&["a", "b", "c"]), result("a")],
        "b c",
    );
    assert_open_calls(
        "calls of one id keep their places",
        vec![calls(&["a", "b"]), calls(&["a"])],
        "a b a",
    );
    assert_open_calls(
        "an earlier reply can have open calls too",
        vec![calls(&["a"]), user("Go on."), calls(&["b"])],
        "a b",
    );
}

#[test]
fn test_ch20_result_answers_a_call_before_it() {
    assert_open_calls(
        "a result answers a call before it, not one after it",
        vec![calls(&["a"]), result("a"), calls(&["a"])],
        "a",
    );
    assert_open_calls(
        "each of two calls has its own result",
        vec![calls(&["a"]), result("a"), calls(&["a"]), result("a")],
        "",
    );
}

#[test]
fn test_ch20_one_result_answers_one_call() {
    assert_open_calls(
        "one result answers one call, the last open one with its id before it",
        vec![calls(&["a"]), calls(&["a"]), result("a")],
        "a",
    );
    assert_open_calls(
        "two results answer two calls with their id",
        vec![calls(&["a", "a"]), result("a"), result("a")],
        "",
    );
    assert_open_calls(
        "two results answer two calls with their id, but not a third one",
        vec![calls(&["a", "a", "a"]), result("a"), result("a")],
        "a",
    );
}

#[test]
fn test_ch20_unknown_fields_of_calls_and_results_do_not_matter() {
    let call = json!({ "type": "tool_use", "id": "a", "name": "bash", "input": {}, "cached": 1 });
    let answer = json!({ "type": "tool_result", "tool_use_id": "a", "content": "x", "cached": 1 });
    let called = raw(Role::Assistant, &[call]);
    assert_open_calls(
        "a call with an unknown field is a call",
        vec![called.clone()],
        "a",
    );
    assert_open_calls(
        "a result with an unknown field is a result",
        vec![called, raw(Role::User, &[answer])],
        "",
    );
}

#[test]
fn test_ch20_only_a_tool_message_with_an_id_is_a_result() {
    let user_result = ChatMessage {
        role: Role::User,
        ..result("a")
    };
    assert_open_calls(
        "only a message with the role `Tool` is a result",
        vec![calls(&["a"]), user_result],
        "a",
    );
    let no_call_id = ChatMessage {
        tool_call_id: None,
        ..result("a")
    };
    assert_open_calls(
        "a result without the id of its call answers nothing",
        vec![calls(&["a"]), no_call_id.clone()],
        "a",
    );
    assert_open_calls(
        "the messages after such a result count",
        vec![no_call_id, calls(&["a"])],
        "a",
    );
}

#[test]
fn test_ch20_tool_message_can_have_several_results() {
    let results = ["a", "b"].map(|id| block(&result_block(id)));
    let message = ChatMessage::from_blocks(Role::Tool, results.to_vec());
    assert_open_calls(
        "one `Tool` message can hold several results; its `tool_call_id` is only the first id",
        vec![calls(&["a", "b", "c"]), message],
        "c",
    );
}

#[test]
fn test_ch20_open_calls_come_from_blocks() {
    let two_calls = raw(Role::Assistant, &[call_block("a"), call_block("b")]);
    assert_open_calls(
        "calls can be in raw blocks alone",
        vec![two_calls.clone()],
        "a b",
    );
    assert_open_calls(
        "results can be in raw blocks alone",
        vec![two_calls, raw(Role::User, &[result_block("a")])],
        "b",
    );
    let raw_content = ChatMessage {
        tool_call_id: Some("a".into()),
        ..raw(Role::Tool, &[text_block("done")])
    };
    assert_open_calls(
        "the raw blocks of a `Tool` message can be the content of its result: read the result \
         from `to_blocks`, not from the raw blocks",
        vec![calls(&["a"]), raw_content],
        "",
    );
    let unknown = json!({ "type": "compaction" });
    assert_open_calls(
        "a block of an unknown kind is skipped, and the others count",
        vec![raw(
            Role::Assistant,
            &[call_block("a"), unknown, call_block("b")],
        )],
        "a b",
    );
}

#[test]
fn test_ch20_result_in_a_message_answers_the_call_before_it() {
    let (call, answer) = (call_block("a"), result_block("a"));
    assert_open_calls(
        "a result after a call in the same message answers it",
        vec![raw(Role::Assistant, &[call.clone(), answer.clone()])],
        "",
    );
    assert_open_calls(
        "a result before a call in the same message does not answer it",
        vec![raw(Role::Assistant, &[answer, call])],
        "a",
    );
}

#[test]
fn test_ch20_raw_blocks_count_before_tool_calls() {
    let sent_and_shown = ChatMessage {
        raw_content_blocks: Some(vec![block(&call_block("sent"))]),
        ..calls(&["shown"])
    };
    assert_open_calls(
        "raw blocks count, and not `tool_calls` beside them, since they are sent",
        vec![sent_and_shown],
        "sent",
    );
}

#[test]
fn test_ch20_result_answers_the_last_open_call() {
    let call = |number: u64| {
        let input = json!({ "number": number });
        json!({ "type": "tool_use", "id": "a", "name": "bash", "input": input })
    };
    let session = Session {
        messages: vec![raw(Role::Assistant, &[call(1), call(2)]), result("a")],
        ..Session::new("coder", "claude")
    };
    assert_eq!(
        arguments_of_open_calls(&session),
        "{\"number\":1}",
        "of two open calls with one id, the result answers the last one, so the first is open"
    );
}

#[test]
fn test_ch20_open_calls_keep_their_arguments() {
    let session = Session {
        messages: vec![calls(&["a"]), raw(Role::Assistant, &[call_block("b")])],
        ..Session::new("coder", "claude")
    };
    assert_eq!(
        session.open_calls(),
        ["a", "b"].map(|id| ToolCall::new(id, "bash", "{}")),
        "an open call is returned with its tool and its arguments"
    );
}

#[test]
fn test_ch20_cut_off_arguments_of_an_open_call_are_its_text() {
    let cut_off = json!({ "type": "tool_use", "id": "a", "name": "bash", "input": "{\"comm" });
    let session = Session {
        messages: vec![raw(Role::Assistant, &[cut_off])],
        ..Session::new("coder", "claude")
    };
    assert_eq!(
        arguments_of_open_calls(&session),
        "{\"comm",
        "arguments that were cut off are a string in the block, and the open call has the text \
         of that string, without quotes around it"
    );
}

fn arguments_of_open_calls(session: &Session) -> String {
    let calls = session.open_calls().into_iter();
    let arguments: Vec<_> = calls.map(|call| call.function.arguments).collect();
    arguments.join(" ")
}

#[track_caller]
fn assert_open_calls(rule: &str, messages: Vec<ChatMessage>, open: &str) {
    let session = Session {
        messages,
        ..Session::new("coder", "claude")
    };
    let ids: Vec<_> = session.open_calls().into_iter().map(|it| it.id).collect();
    assert_eq!(ids.join(" "), open, "{rule}");
}
