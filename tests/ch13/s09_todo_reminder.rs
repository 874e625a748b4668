//! Section 13.9: The reminder

use claw_code::engine::*;
use claw_code::plan::*;
use claw_code::tools::DynamicTool;
use claw_code::types::*;
use serde_json::json;

use super::support::*;
use crate::support::FnTool;

/// A list with one open item.
fn open_list() -> TodoList {
    list(&[
        ("read", TodoStatus::Completed),
        ("write", TodoStatus::InProgress),
    ])
}

/// Sends this many calls of another tool to the gate, and returns the numbers of those that got a
/// reminder, counted from 1.
async fn reminded(gate: &TodoReminder, calls: usize) -> Vec<usize> {
    let schema = json!({ "type": "object", "properties": {}, "required": [] });
    let tool = DynamicTool::new("read", "A tool for a test", schema, |_| async {
        Ok(ToolResult::text("ran"))
    });
    let mut reminded = Vec::new();
    for number in 1..=calls {
        let call = call("read", json!({}));
        match gate.before(&call, &tool).await {
            Decision::Pass => {}
            Decision::Change {
                arguments: None,
                context: Some(_),
            } => reminded.push(number),
            other => panic!("a reminder only adds text: {other:?}"),
        }
        // Calls that fail count, too.
        let note = gate.after(&call, &ToolResult::error("no such file")).await;
        assert_eq!(note, None, "`after` adds no text");
    }
    reminded
}

/// Tells the gate that a call of `todo` has this result.
async fn write_list(gate: &TodoReminder, call: &ToolCall, result: ToolResult) {
    let before = gate.before(call, &TodoTool::new()).await;
    assert_eq!(before, Decision::Pass, "`todo` itself needs no reminder");
    let note = gate.after(call, &result).await;
    assert_eq!(note, None, "the result of `todo` stays as it is");
}

#[tokio::test]
async fn test_ch13_every_tenth_call_gets_a_reminder() {
    let gate = TodoReminder::new(open_list());
    assert_eq!(
        reminded(&gate, 25).await,
        [10, 20],
        "REMIND_AFTER is 10, and the list never changes"
    );
}

#[tokio::test]
async fn test_ch13_every_tool_but_todo_counts() {
    let gate = TodoReminder::new(open_list());
    assert!(reminded(&gate, 9).await.is_empty(), "nine calls");
    let (exit_plan, _, _) = exit_plan([]);
    let decision = gate.before(&call("exit_plan", json!({})), &exit_plan).await;
    assert!(
        matches!(decision, Decision::Change { .. }),
        "`exit_plan` is the tenth call of another tool: {decision:?}"
    );
}

#[tokio::test]
async fn test_ch13_finished_list_needs_no_reminder() {
    for list in [TodoList::default(), list(&[("a", TodoStatus::Completed)])] {
        let gate = TodoReminder::new(list);
        assert!(reminded(&gate, 25).await.is_empty(), "no item is open");
    }
}

#[tokio::test]
async fn test_ch13_written_list_begins_a_new_count() {
    let gate = TodoReminder::new(open_list());
    assert!(reminded(&gate, 9).await.is_empty(), "nine calls");
    let same = todo(&[("read", "completed"), ("write", "in_progress")]);
    write_list(&gate, &same, ToolResult::text("ok")).await;
    assert_eq!(
        reminded(&gate, 12).await,
        [10],
        "ten calls after the list was written"
    );
}

#[tokio::test]
async fn test_ch13_new_list_decides_whether_items_are_open() {
    let gate = TodoReminder::new(open_list());
    let done = todo(&[("write", "completed")]);
    write_list(&gate, &done, ToolResult::text("ok")).await;
    assert!(reminded(&gate, 12).await.is_empty(), "all is done");
    let more = todo(&[("check", "pending")]);
    write_list(&gate, &more, ToolResult::text("ok")).await;
    assert_eq!(reminded(&gate, 12).await, [10], "a new item is open");
    write_list(&gate, &todo(&[]), ToolResult::text("(no todos)")).await;
    assert!(
        reminded(&gate, 12).await.is_empty(),
        "an empty list replaces the one before"
    );
}

#[tokio::test]
async fn test_ch13_failed_call_of_todo_changes_nothing() {
    let gate = TodoReminder::new(open_list());
    assert!(reminded(&gate, 9).await.is_empty(), "nine calls");
    let mut refused = ToolResult::error("refused");
    refused.content = "a result whose text does not say that it failed".into();
    write_list(&gate, &todo(&[]), refused).await;
    assert_eq!(
        reminded(&gate, 2).await,
        [1],
        "the tenth call, since the list did not change"
    );
}

#[tokio::test]
async fn test_ch13_items_of_another_tool_are_not_the_list() {
    let gate = TodoReminder::new(open_list());
    assert!(reminded(&gate, 8).await.is_empty(), "eight calls");
    let other = call("order", todo(&[]).arguments);
    write_list(&gate, &other, ToolResult::text("ordered")).await;
    assert_eq!(
        reminded(&gate, 2).await,
        [1],
        "the tenth call, since only `todo` writes the list"
    );
}

#[tokio::test]
async fn test_ch13_reminder_names_the_open_items() {
    let gate = TodoReminder::new(open_list());
    assert_eq!(reminded(&gate, 19).await, [10], "nineteen calls");
    let tool = TodoTool::new();
    let before = gate.before(&call("bash", json!({})), &tool).await;
    let Decision::Change {
        context: Some(text),
        ..
    } = before
    else {
        panic!("the twentieth call gets a reminder, not {before:?}");
    };
    for part in ["20", "write", "`todo`"] {
        assert!(text.contains(part), "the reminder has {part}: {text}");
    }
}

#[tokio::test]
async fn test_ch13_calls_that_run_together_are_counted_in_call_order() {
    let gate = TodoReminder::new(open_list());
    assert!(reminded(&gate, 8).await.is_empty(), "eight calls");
    // The second of these calls is the tenth, and it ends last.
    let slow = FnTool::new("slow", |_| async {
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        Ok(ToolResult::text("slow"))
    });
    let tools = ToolSet::new()
        .with(slow.concurrent_safe())
        .with(FnTool::text("quick", "quick").concurrent_safe());
    let calls = ["quick", "slow", "quick"].map(|name| call(name, json!({})));
    let results = dispatch(tools, vec![Box::new(gate)], calls).await;
    let has_reminder = |result: &ToolResultMessage| result.content.contains("Reminder");
    let reminded: Vec<bool> = results.iter().map(has_reminder).collect();
    assert_eq!(
        reminded,
        [false, true, false],
        "the order of the calls decides, not the order of their ends: {results:?}"
    );
}
