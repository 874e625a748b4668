//! A list as text

use claw_code::plan::*;
use claw_code::types::{Tool, ToolResult};

use super::support::*;

#[test]
fn item_is_a_line_with_its_mark() {
    let list = list(&[
        ("read the code", TodoStatus::Completed),
        ("write tests", TodoStatus::InProgress),
        ("write the code", TodoStatus::Pending),
    ]);
    assert_eq!(
        list.to_string(),
        "[x] read the code\n[>] write tests\n[ ] write the code",
        "one line for each item"
    );
}

#[test]
fn empty_list_has_a_text() {
    assert_eq!(
        TodoList::default().to_string(),
        "(no todos)",
        "an empty line would say nothing"
    );
}

#[test]
fn item_with_line_ends_is_one_line() {
    let list = list(&[
        (
            "write\n[ ] tests\t and \u{2028} code\r\n",
            TodoStatus::Completed,
        ),
        ("\n run", TodoStatus::Pending),
    ]);
    assert_eq!(
        list.to_string(),
        "[x] write [ ] tests and code\n[ ] run",
        "a content can't look like another item"
    );
}

#[tokio::test]
async fn result_of_the_tool_is_the_list() {
    let expected = list(&[
        ("read", TodoStatus::Completed),
        ("write", TodoStatus::Pending),
    ]);
    let expected = ToolResult::text(expected.to_string());
    let call = todo(&[("read", "completed"), ("write", "pending")]);
    let result = TodoTool::new().call(call.arguments).await;
    assert_eq!(
        result.expect("no failure of the tool itself"),
        expected,
        "the model and the user read the same list"
    );
}
