//! Section 13.7: Todo lists

use claw_code::plan::*;
use claw_code::types::*;
use serde_json::{Value, json};

use super::support::*;

/// The error of a list with these items.
#[track_caller]
fn error(items: Value) -> String {
    let parsed = TodoList::parse(&json!({ "items": items }));
    parsed.expect_err("this list has a mistake")
}

#[test]
fn test_ch13_list_has_its_items_in_order() {
    let call = todo(&[
        ("read the code", "completed"),
        ("write tests", "in_progress"),
        ("write the code", "pending"),
    ]);
    assert_eq!(
        TodoList::parse(&call.arguments),
        Ok(list(&[
            ("read the code", TodoStatus::Completed),
            ("write tests", TodoStatus::InProgress),
            ("write the code", TodoStatus::Pending),
        ])),
        "content and status of each item"
    );
}

#[test]
fn test_ch13_list_may_be_empty_or_have_no_item_in_progress() {
    assert_eq!(
        TodoList::parse(&json!({ "items": [] })),
        Ok(TodoList::default()),
        "nothing is left to do"
    );
    let call = todo(&[("write tests", "pending"), ("read", "completed")]);
    assert!(
        TodoList::parse(&call.arguments).is_ok(),
        "the agent may be between two items"
    );
}

#[test]
fn test_ch13_two_items_in_progress_are_an_error() {
    let call = todo(&[
        ("read the code", "in_progress"),
        ("plan", "completed"),
        ("write tests", "in_progress"),
    ]);
    assert_eq!(
        TodoList::parse(&call.arguments),
        Err("2 items are in progress (`read the code`, `write tests`), and at most one may be; send the whole list again".into()),
        "the model reads which items to change"
    );
    let call = todo(&["a", "b", "c"].map(|content| (content, "in_progress")));
    let error = TodoList::parse(&call.arguments).expect_err("three are in progress");
    assert!(
        error.starts_with("3 items are in progress (`a`, `b`, `c`)"),
        "all of them: {error}"
    );
}

#[test]
fn test_ch13_empty_content_is_an_error() {
    for content in ["", " \t"] {
        let items = json!([
            { "content": "read", "status": "pending" },
            { "content": content, "status": "completed" },
        ]);
        assert_eq!(
            error(items),
            "`items[1].content` is empty; say what to do",
            "the model reads which item"
        );
    }
}

#[test]
fn test_ch13_other_shapes_are_errors() {
    for items in [
        json!(null),
        json!("read the code"),
        json!([{ "content": "read" }]),
        json!([{ "content": "read", "status": "doing" }]),
        json!([{ "content": 7, "status": "pending" }]),
    ] {
        let error = error(items.clone());
        let serde_error = error.strip_prefix("`items` is not a todo list: ");
        assert!(
            serde_error.is_some_and(|text| !text.is_empty()),
            "the prefix and serde's error, for {items}: {error}"
        );
    }
    let error = error(json!([{ "content": "read", "status": "doing" }]));
    assert!(
        error.contains("`doing`"),
        "serde's error tells the model what is wrong: {error}"
    );
    for args in [
        json!([1, 2]),
        json!([]),
        json!([{ "content": "read", "status": "pending" }]),
    ] {
        assert!(
            TodoList::parse(&args).is_err(),
            "arguments that are not an object: {args}"
        );
    }
}

#[test]
fn test_ch13_tool_refuses_a_list_with_a_mistake() {
    let call = todo(&[("a", "in_progress"), ("b", "in_progress")]);
    let expected = TodoList::parse(&call.arguments).expect_err("two are in progress");
    let ValidationResult::Error { message, .. } = TodoTool::new().validate_input(&call.arguments)
    else {
        panic!("the tool must not run with this list");
    };
    assert_eq!(message, expected, "the model reads the same error");
}
