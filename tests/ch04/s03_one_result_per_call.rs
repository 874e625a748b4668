//! Section 4.3: One call, one result

use claw_code::engine::*;
use claw_code::types::*;

use super::support::*;

#[test]
fn test_ch4_a_finished_call_settles_with_its_output() {
    let mut open = OpenCall::new(call("a", "t"));
    open.state = CallState::Finished(ToolResult::text("42 lines"));
    let message = open.settle(100);
    assert_eq!(message.tool_use_id, "a", "the result names its call");
    assert_eq!(message.content, "42 lines");
    assert!(!message.is_truncated, "42 lines fit into 100 bytes");
    assert_eq!(
        open.state,
        CallState::Answered(message),
        "the result is final and stands in the state"
    );
}

#[test]
fn test_ch4_an_unfinished_call_settles_with_the_reason() {
    for (state, reason) in [(CallState::Waiting, NOT_RUN), (CallState::Running, CUT_OFF)] {
        let mut open = OpenCall::new(call("a", "t"));
        open.state = state.clone();
        open.notes.push("a note".into());
        let message = open.settle(1000);
        assert_eq!(
            message.content,
            format!("error: {reason}\n\na note"),
            "what the model reads of a call that was {state:?} and has a note"
        );
        assert!(message.is_error, "a call that was {state:?} failed");
    }
}

#[test]
fn test_ch4_a_result_keeps_whether_the_call_failed() {
    for (result, is_error) in [
        (ToolResult::error("no such file"), true),
        (ToolResult::text("error: 3 warnings"), false),
    ] {
        let mut open = OpenCall::new(call("a", "t"));
        open.state = CallState::Finished(result.clone());
        open.notes.push("error: a note".into());
        let message = open.settle(1000);
        assert_eq!(
            (message.is_error, message.content),
            (is_error, format!("{}\n\nerror: a note", result.content)),
            "is_error comes from the tool, and neither output nor notes change it: {result:?}"
        );
    }
}

#[test]
fn test_ch4_a_call_settles_once() {
    let mut open = OpenCall::new(call("a", "t"));
    open.notes.push("a note".into());
    open.state = CallState::Finished(ToolResult::text("x"));
    let first = open.settle(100);
    assert_eq!(
        open.settle(100),
        first,
        "the second time it is the same message: the same id, the note once"
    );
}

#[test]
fn test_ch4_notes_follow_the_output() {
    let mut open = OpenCall::new(call("a", "t"));
    open.notes = vec!["first".into(), "second".into()];
    open.state = CallState::Finished(ToolResult::text("output"));
    assert_eq!(
        open.settle(100).content,
        "output\n\nfirst\n\nsecond",
        "each note stands behind an empty line, in order"
    );
}

#[test]
fn test_ch4_a_result_is_truncated_last() {
    let mut open = OpenCall::new(call("a", "t"));
    open.notes.push("n".repeat(5_000));
    open.state = CallState::Finished(ToolResult::text("x".repeat(5_000)));
    let message = open.settle(1_000);
    assert!(
        message.content.len() <= 1_000,
        "output and notes together fit into the limit of 1000 bytes; they have {}",
        message.content.len()
    );
    assert!(message.is_truncated, "10,000 bytes were cut to 1,000");

    let mut open = OpenCall::new(call("a", "t"));
    open.state = CallState::Finished(ToolResult {
        is_truncated: true,
        ..ToolResult::text("the first of 900 files")
    });
    assert!(
        open.settle(1_000).is_truncated,
        "a tool that cut its own output short has said so; that must not get lost"
    );
}
