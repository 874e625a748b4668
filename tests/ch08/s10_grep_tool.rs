//! Section 8.10: The grep tool

use std::time::{Duration, Instant};

use claw_code::tools::*;
use claw_code::types::*;
use serde_json::json;

use super::support::*;

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
async fn test_ch8_grep_finds_lines() {
    let folder = project();
    for (rule, args, expected) in [
        (
            "in all files",
            json!({ "pattern": "fn main" }),
            "src/bin/tool.rs\n1:fn main() {}\n\nsrc/main.rs\n3:fn main() {",
        ),
        (
            "in one file, with `context`",
            json!({ "pattern": "fn main", "path": "src/main.rs", "context": 1 }),
            "src/main.rs\n2-\n3:fn main() {\n4-    run(1);",
        ),
        (
            "`before` and `after` override `context`",
            json!({ "pattern": "fn main", "path": "src/main.rs", "context": 1, "after": 2, "before": 0 }),
            "src/main.rs\n3:fn main() {\n4-    run(1);\n5-}",
        ),
        (
            "plain text",
            json!({ "pattern": "run(1)", "literal": true }),
            "src/main.rs\n4:    run(1);",
        ),
        (
            "in files of a type, ignoring case",
            json!({ "pattern": "CLAW", "ignore_case": true, "type": "toml" }),
            "Cargo.toml\n2:name = \"claw\"",
        ),
        (
            "in files that match a glob",
            json!({ "pattern": "claw", "glob": "*.md" }),
            "README.md\n1:# claw",
        ),
        (
            "in one file, with a glob",
            json!({ "pattern": "claw", "glob": "*.md", "path": "README.md" }),
            "README.md\n1:# claw",
        ),
        (
            "in hidden files",
            json!({ "pattern": "KEY", "hidden": true }),
            ".env\n1:KEY=1",
        ),
        (
            "in ignored files",
            json!({ "pattern": "out", "ignored": true }),
            "target/main.o\n1:out",
        ),
        (
            "across lines",
            json!({ "pattern": "\\{\\s+run", "multiline": true }),
            "src/main.rs\n3:fn main() {\n4:    run(1);",
        ),
    ] {
        assert_eq!(
            call_tool(&GrepTool::new(folder.path()), &args).await,
            ToolResult::text(expected),
            "{rule}: grep {args}"
        );
    }
}

#[tokio::test]
async fn test_ch8_grep_lists_files_or_counts() {
    let folder = project();
    for (mode, expected) in [
        ("files", "src/bin/tool.rs\nsrc/lib.rs\nsrc/main.rs"),
        ("count", "src/bin/tool.rs:1\nsrc/lib.rs:2\nsrc/main.rs:1"),
    ] {
        let args = json!({ "pattern": "fn ", "output_mode": mode });
        assert_eq!(
            call_tool(&GrepTool::new(folder.path()), &args).await,
            ToolResult::text(expected),
            "grep {args}"
        );
    }
}

#[tokio::test]
async fn test_ch8_grep_is_cut_at_the_limit() {
    let folder = sixty_files();
    for (mode, start) in [
        (
            "content",
            "0/0/00.txt\n1:x\n3:x\n\n0/0/12.txt\n1:x\n\n[3 of 120 matches",
        ),
        (
            "files",
            "0/0/00.txt\n0/0/12.txt\n0/0/24.txt\n[3 of 60 files",
        ),
        (
            "count",
            "0/0/00.txt:2\n0/0/12.txt:2\n0/0/24.txt:2\n[3 of 60 files",
        ),
    ] {
        let args = json!({ "pattern": "x", "limit": 3, "output_mode": mode });
        let result = call_tool(&GrepTool::new(folder.path()), &args).await;
        assert!(
            result.is_truncated && result.content.starts_with(start),
            "grep {args}: the result should show the first three in path order, whichever file was searched first: {}",
            result.content
        );
    }
}

#[tokio::test]
async fn test_ch8_grep_without_a_match_is_no_error() {
    let folder = project();
    for (rule, args, parts) in [
        (
            "the result says how many files were searched, and where",
            json!({ "pattern": "klingon", "path": "src" }),
            &["3 of 3 files", "`src`"] as &[&str],
        ),
        (
            "if no file was searched, the result says so and names glob and type",
            json!({ "pattern": "fn", "glob": "src/*.py", "type": "py" }),
            &["no file", "`src/*.py`", "`py`"],
        ),
        (
            "the result counts binary files, which were not searched",
            json!({ "pattern": "x", "path": "picture.png" }),
            &["binary"],
        ),
    ] {
        let none = call_tool(&GrepTool::new(folder.path()), &args).await;
        assert!(
            !none.is_error && parts.iter().all(|part| none.content.contains(part)),
            "{rule}: grep {args} should contain {parts:?}; the result is: {}",
            none.content
        );
    }
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

#[tokio::test(flavor = "multi_thread")]
async fn test_ch8_equal_grep_calls_have_equal_results() {
    let folder = sixty_files();
    let tool = GrepTool::new(folder.path());
    let args = json!({ "pattern": "x", "limit": 25, "context": 1 });
    let first = call_tool(&tool, &args).await;
    assert!(
        first.content.contains("0/1/04.txt") && first.content.contains("[25 of 120 matches"),
        "all 60 files should be searched, and the first in path order shown: {}",
        first.content
    );
    for _ in 0..8 {
        let again = call_tool(&tool, &args).await;
        assert_eq!(
            again, first,
            "the same call should have the same result, byte for byte"
        );
    }
}

#[test]
fn test_ch8_dropped_grep_call_stops_its_threads() {
    let Some(folder) = huge_folder() else {
        return; // This file system has no hard links.
    };
    let tool = GrepTool::new(folder.path());
    let runtime = tokio::runtime::Builder::new_current_thread()
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
    let start = Instant::now();
    // Waits until the search threads end, or for this time.
    runtime.shutdown_timeout(Duration::from_secs(2));
    assert!(
        start.elapsed() < Duration::from_secs(2),
        "the call was dropped, and 2 seconds later its threads still search for a result that nobody reads"
    );
}

/// A folder that takes far longer to search than the test waits: one file under many
/// names. A pattern without a fixed letter is slow on text that is not ASCII.
fn huge_folder() -> Option<TempFolder> {
    let folder = TempFolder::new();
    folder.write(
        "0",
        "Wäre es nicht schön, fände man hier etwas?\n".repeat(25_000),
    );
    for number in 1..200 {
        let name = folder.path().join(number.to_string());
        std::fs::hard_link(folder.path().join("0"), name).ok()?;
    }
    Some(folder)
}
