//! Section 8.10: The grep tool

use std::time::Duration;

use claw_code::tools::*;
use claw_code::types::*;
use serde_json::json;

use super::support::*;
use crate::support::run_beside_busy_thread;

#[test]
fn test_ch8_grep_definition_and_summary() {
    let tool = GrepTool::new("/");
    assert_eq!(tool.definition().name, "grep");
    assert!(
        tool.is_read_only() && tool.is_concurrent_safe(),
        "a search changes nothing"
    );
    assert_eq!(
        tool.summary(&json!({ "pattern": "fn main", "path": "src" })),
        "[grep: fn main in src]",
        "the terminal shows the pattern"
    );
}

#[tokio::test]
async fn test_ch8_grep_tool_returns_what_grep_finds() {
    let folder = project();
    for (args, expected) in [
        (
            json!({ "pattern": "fn main" }),
            "src/bin/tool.rs\n1:fn main() {}\n\nsrc/main.rs\n3:fn main() {",
        ),
        (
            json!({ "pattern": "fn ", "output_mode": "count" }),
            "src/bin/tool.rs:1\nsrc/lib.rs:2\nsrc/main.rs:1",
        ),
        (
            json!({ "pattern": "x", "path": "src", "limit": 1.0 }),
            "src/main.rs\n1:use x;",
        ),
    ] {
        assert_eq!(
            call_tool(&GrepTool::new(folder.path()), &args).await,
            ToolResult::text(expected),
            "the tool returns the result of `grep`, and cancels it only when it is dropped: grep {args}"
        );
    }
}

#[test]
fn test_ch8_grep_runs_on_a_blocking_thread() {
    let folder = project();
    let tool = GrepTool::new(folder.path());
    let result = run_beside_busy_thread(tool.call(json!({ "pattern": "fn main" })));
    assert!(
        result.is_some(),
        "the search should run in `spawn_blocking`, whose only thread is busy"
    );
}

#[tokio::test]
async fn test_ch8_bad_grep_call_is_an_error() {
    let folder = project();
    let tool = GrepTool::new(folder.path());
    for (rule, args, part) in [
        (
            "the pattern must be valid",
            json!({ "pattern": "main(" }),
            "`\\(`",
        ),
        (
            "the pattern must not be empty",
            json!({ "pattern": "" }),
            "empty",
        ),
        (
            "the type must exist",
            json!({ "pattern": "a", "type": "rs" }),
            "did you mean `rust`?",
        ),
        (
            "the glob must be valid",
            json!({ "pattern": "a", "glob": "*.{rs" }),
            "unclosed",
        ),
        (
            "the path must exist",
            json!({ "pattern": "a", "path": "nowhere" }),
            "there is no `nowhere`",
        ),
        (
            "the path must be relative",
            json!({ "pattern": "a", "path": "/etc" }),
            "absolute",
        ),
        (
            "the mode must be known",
            json!({ "pattern": "a", "output_mode": "lines" }),
            "\"content\" or \"files\" or \"count\"",
        ),
        (
            "the limit must be positive",
            json!({ "pattern": "a", "limit": 0 }),
            "at least 1",
        ),
        (
            "the context must not be negative",
            json!({ "pattern": "a", "context": -1 }),
            "at least 0",
        ),
        (
            "the context must be whole lines",
            json!({ "pattern": "a", "context": 1.5 }),
            "must be integer",
        ),
        (
            "the pattern is required",
            json!({ "query": "a" }),
            "`pattern` is required",
        ),
    ] {
        let result = call_tool(&tool, &args).await;
        assert_error(rule, &args, &result, part);
    }
}

#[test]
fn test_ch8_dropped_grep_call_stops_its_threads() {
    let Some(folder) = huge_folder() else {
        return; // This file system has no hard links.
    };
    let tool = GrepTool::new(folder.path());
    // With room for one blocking task, a second one runs when the first has ended.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .max_blocking_threads(1)
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let mut call = Box::pin(tool.call(json!({ "pattern": "\\b.{9}\\b.[0-9]" })));
        let first_poll = std::future::poll_fn(|context| {
            std::task::Poll::Ready(call.as_mut().poll(context).is_ready())
        });
        assert!(
            !first_poll.await,
            "the search takes long, and should run on another thread"
        );
    });
    let (done, search_ended) = std::sync::mpsc::channel();
    runtime.spawn_blocking(move || done.send(()));
    let ended = search_ended.recv_timeout(Duration::from_secs(5));
    runtime.shutdown_background();
    assert!(
        ended.is_ok(),
        "the call was dropped, and 5 seconds later its threads still search for a result that nobody reads"
    );
}

/// A folder that takes far longer to search than the test waits: one file under many
/// names. A pattern without a fixed letter is slow on text that is not ASCII.
fn huge_folder() -> Option<TempFolder> {
    let folder = TempFolder::new();
    folder.write(
        "0",
        "Wäre es nicht schön, fände man hier etwas?\n".repeat(12_000),
    );
    for number in 1..2_000 {
        let name = folder.path().join(number.to_string());
        std::fs::hard_link(folder.path().join("0"), name).ok()?;
    }
    Some(folder)
}
