//! Section 4.2: One call, one result

use claw_code::engine::*;
use claw_code::tools::truncate_result;
use claw_code::types::*;

use super::support::*;

#[test]
fn test_ch4_finished_call_gets_its_output() {
    let mut open = finished(ToolResult::text("42 lines"));
    let message = open.finalize(8);
    assert_eq!(message.tool_use_id, "a", "the result names its call");
    assert_eq!(message.content, "42 lines");
    assert!(!message.is_truncated, "42 lines fit into exactly 8 bytes");
    let blank = finished(ToolResult::text("  x\n")).finalize(100);
    assert_eq!(blank.content, "  x\n", "white space is output too");
    assert_eq!(
        open.state,
        CallState::Answered(message),
        "the final result is kept in the state"
    );
}

#[test]
fn test_ch4_unfinished_call_gets_the_reason() {
    for (state, reason) in [(CallState::Waiting, NOT_RUN), (CallState::Running, CUT_OFF)] {
        let mut open = OpenCall::new(call("a", "t"));
        open.state = state.clone();
        open.notes.push("a note".into());
        let message = open.finalize(1000);
        assert_eq!(
            message.content,
            format!("error: {reason}\n\na note"),
            "the model reads the reason and then the note; the state was {state:?}"
        );
        assert!(message.is_error, "a call that was {state:?} failed");
    }
}

#[test]
fn test_ch4_result_keeps_whether_the_call_failed() {
    for (result, is_error) in [
        (ToolResult::error("no such file"), true),
        (ToolResult::text("error: 3 warnings"), false),
    ] {
        let mut open = finished(result.clone());
        open.notes.push("error: a note".into());
        let message = open.finalize(1000);
        assert_eq!(
            (message.is_error, message.content),
            (is_error, format!("{}\n\nerror: a note", result.content)),
            "is_error comes from the tool; output and notes do not change it: {result:?}"
        );
    }
}

#[test]
fn test_ch4_finalizing_twice_gives_the_same_message() {
    let mut open = finished(ToolResult::text("x"));
    open.notes.push("a note".into());
    let first = open.finalize(100);
    for limit in [100, 3] {
        assert_eq!(
            open.finalize(limit),
            first,
            "the same message again, with the same id, and with the note once"
        );
    }
}

#[test]
fn test_ch4_notes_follow_the_output() {
    let mut open = finished(ToolResult::text("output"));
    open.notes = vec!["first".into(), "second".into()];
    assert_eq!(
        open.finalize(100).content,
        "output\n\nfirst\n\nsecond",
        "an empty line precedes each note, and notes keep their order"
    );
    let mut open = finished(ToolResult::text("output\n"));
    open.notes.push("a note".into());
    let rule = "the output itself stays as it is";
    assert_eq!(open.finalize(100).content, "output\n\n\na note", "{rule}");
}

#[test]
fn test_ch4_output_and_notes_are_truncated_together() {
    let mut open = finished(ToolResult::text("x".repeat(5_000)));
    open.notes.push("n".repeat(5_000));
    let message = open.finalize(1_000);
    assert!(
        message.content.len() <= 1_000,
        "the limit of 1000 bytes is for output and notes together; they have {}",
        message.content.len()
    );
    assert!(message.is_truncated, "10,000 bytes were cut to 1,000");
    assert!(
        message.content.ends_with('n'),
        "`truncate_result` keeps the end of the text, and so the note: {}",
        message.content
    );
    let whole = format!("{}\n\n{}", "x".repeat(5_000), "n".repeat(5_000));
    assert_eq!(
        message.content,
        truncate_result(ToolResult::text(whole), 1_000).content,
        "the whole text is truncated once, when it is complete"
    );
    let length = finished(ToolResult::text("é".repeat(8)))
        .finalize(8)
        .content
        .len();
    assert!(
        length <= 8,
        "the limit is in bytes, and `é` has two: {length}"
    );
}

#[test]
fn test_ch4_truncated_output_stays_marked() {
    let mut open = finished(ToolResult {
        is_truncated: true,
        ..ToolResult::text("the first of 900 files")
    });
    assert!(
        open.finalize(1_000).is_truncated,
        "the tool marked its output as truncated, and the mark must stay"
    );
}

fn finished(result: ToolResult) -> OpenCall {
    let mut open = OpenCall::new(call("a", "t"));
    open.state = CallState::Finished(result);
    open
}
