//! Section 13.8: The list in the history

use claw_code::plan::*;
use claw_code::types::Message;
use serde_json::json;

use super::support::*;

/// The list at the end of these parts of a history.
fn list_of(parts: &[&[Message]]) -> TodoList {
    TodoList::from_messages(&parts.concat())
}

#[test]
fn test_ch13_history_without_a_list_has_an_empty_one() {
    assert_eq!(list_of(&[]), TodoList::default(), "an empty history");
    let arguments = todo(&[("read", "pending")]).arguments;
    let other = answered(call("order", arguments), "ordered");
    assert_eq!(
        list_of(&[&other]),
        TodoList::default(),
        "another tool has items, too"
    );
}

#[test]
fn test_ch13_last_list_replaces_the_others() {
    let first = answered(todo(&[("read", "in_progress"), ("write", "pending")]), "ok");
    let second = answered(todo(&[("write", "completed")]), "ok");
    assert_eq!(
        list_of(&[&first, &second, &[Message::user("go on")]]),
        list(&[("write", TodoStatus::Completed)]),
        "each call sends the whole list"
    );
}

#[test]
fn test_ch13_list_can_be_emptied() {
    let first = answered(todo(&[("read", "in_progress")]), "ok");
    let second = answered(todo(&[]), "(no todos)");
    assert_eq!(
        list_of(&[&first, &second]),
        TodoList::default(),
        "an empty list replaces the one before"
    );
}

#[test]
fn test_ch13_failed_call_changes_no_list() {
    let first = answered(todo(&[("read", "in_progress")]), "ok");
    let second = refused(
        todo(&[("write", "in_progress")]),
        "the user refused this call",
    );
    assert_eq!(
        list_of(&[&first, &second]),
        list(&[("read", TodoStatus::InProgress)]),
        "the second list was refused"
    );
    let strange = answered(call("todo", json!({ "items": "all" })), "ok");
    assert_eq!(
        list_of(&[&first, &strange]),
        list(&[("read", TodoStatus::InProgress)]),
        "the arguments of the second call are not a list, so it is skipped"
    );
}

#[test]
fn test_ch13_call_without_a_result_changes_no_list() {
    let first = answered(todo(&[("read", "in_progress")]), "ok");
    let cut = [reply([todo(&[("write", "in_progress")])])];
    assert_eq!(
        list_of(&[&first, &cut]),
        list(&[("read", TodoStatus::InProgress)]),
        "the second call has no result"
    );
}

#[test]
fn test_ch13_result_does_not_decide_what_is_in_the_list() {
    let items = todo(&[("plan", "completed"), (" read\n", "in_progress")]);
    let written = answered(items, "error: [x] something else");
    assert_eq!(
        list_of(&[&written]),
        list(&[
            ("plan", TodoStatus::Completed),
            (" read\n", TodoStatus::InProgress)
        ]),
        "the list is in the arguments, as the model wrote it"
    );
    let mut cut = answered(todo(&[("write", "in_progress")]), "[>] wr");
    if let Message::ToolResult(result) = &mut cut[1] {
        result.is_truncated = true;
    }
    assert_eq!(
        list_of(&[&cut]),
        list(&[("write", TodoStatus::InProgress)]),
        "the result was truncated, but the arguments hold the whole list"
    );
}
