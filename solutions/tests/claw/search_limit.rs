//! The time limit of searches.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use claw_code_solutions::claw::LimitedSearch;
use claw_code_solutions::tools::{GrepTool, Reporter};
use claw_code_solutions::types::{Tool, ToolResult};
use serde_json::json;

use crate::support::Workspace;

#[tokio::test]
async fn a_long_search_reports_its_seconds_and_ends_at_its_limit() {
    let workspace = long_to_search();
    let reports = Arc::new(Mutex::new(Vec::new()));
    let sent = reports.clone();
    let reporter = Reporter::new("call_1", move |it| sent.lock().unwrap().push(it.data));
    let limit = Duration::from_millis(1_100);
    let grep = LimitedSearch::new(GrepTool::new(workspace.path()), limit);
    let call = grep.call(json!({ "pattern": r"\b\w{9}\b \d{3}$" }));
    let result = reporter.during(call).await.expect("a result");
    assert!(result.is_error, "{}", result.content);
    for part in ["stopped after 1.1 s", "narrow it", "`path`"] {
        assert!(result.content.contains(part), "{part}: {}", result.content);
    }
    assert_eq!(*reports.lock().unwrap(), [json!({ "seconds": 1 })]);
}

#[tokio::test]
async fn a_short_search_returns_what_it_finds() {
    let workspace = Workspace::with(&[("a.txt", "one\ntwo\n")]);
    let grep = LimitedSearch::new(GrepTool::new(workspace.path()), Duration::from_secs(60));
    let result = grep.call(json!({ "pattern": "two" })).await;
    assert_eq!(result.expect("a result"), ToolResult::text("a.txt\n2:two"));
}

/// One file under many names, which takes far longer to search than a test waits: a pattern
/// without a fixed letter is slow on text that is not ASCII.
fn long_to_search() -> Workspace {
    let line = "Wäre es nicht schön, fände man hier etwas?\n";
    let workspace = Workspace::with(&[("0", &line.repeat(25_000))]);
    for number in 1..2_000 {
        let name = workspace.path().join(number.to_string());
        std::fs::hard_link(workspace.path().join("0"), name).expect("a link");
    }
    workspace
}
