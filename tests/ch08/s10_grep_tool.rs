//! Section 8.10: The tool grep

use std::time::{Duration, Instant};

use claw_code::tools::*;
use claw_code::types::*;
use serde_json::json;

use super::support::*;

#[tokio::test]
async fn test_ch8_grep_finds_lines() {
    let folder = project();
    let tool = GrepTool::new(folder.path());
    assert_eq!(tool.definition().name, "grep");
    assert!(
        tool.is_read_only() && tool.is_concurrent_safe(),
        "a search changes nothing"
    );
    assert_eq!(
        tool.summary(&json!({ "pattern": "fn main", "path": "src" })),
        "[grep: fn main in src]",
        "people see the pattern"
    );
    for (args, answer) in [
        (
            json!({ "pattern": "fn main" }),
            "src/bin/tool.rs\n1:fn main() {}\n\nsrc/main.rs\n3:fn main() {",
        ),
        (
            json!({ "pattern": "fn main", "path": "src/main.rs", "context": 1 }),
            "src/main.rs\n2-\n3:fn main() {\n4-    run(1);",
        ),
        (
            json!({ "pattern": "fn main", "path": "src/main.rs", "context": 1, "after": 2, "before": 0 }),
            "src/main.rs\n3:fn main() {\n4-    run(1);\n5-}",
        ),
        (
            json!({ "pattern": "run(1)", "literal": true }),
            "src/main.rs\n4:    run(1);",
        ),
        (
            json!({ "pattern": "CLAW", "ignore_case": true, "type": "toml" }),
            "Cargo.toml\n2:name = \"claw\"",
        ),
        (
            json!({ "pattern": "claw", "glob": "*.md" }),
            "README.md\n1:# claw",
        ),
        (
            json!({ "pattern": "claw", "glob": "*.md", "path": "README.md" }),
            "README.md\n1:# claw",
        ),
        (json!({ "pattern": "KEY", "hidden": true }), ".env\n1:KEY=1"),
        (
            json!({ "pattern": "out", "ignored": true }),
            "target/main.o\n1:out",
        ),
        (
            json!({ "pattern": "\\{\\s+run", "multiline": true }),
            "src/main.rs\n3:fn main() {\n4:    run(1);",
        ),
    ] {
        assert_eq!(
            called(&tool, &args).await,
            ToolResult::text(answer),
            "grep {args}"
        );
    }
}

#[tokio::test]
async fn test_ch8_grep_modes_and_limits() {
    let folder = project();
    let tool = GrepTool::new(folder.path());
    for (mode, answer) in [
        ("files", "src/bin/tool.rs\nsrc/lib.rs\nsrc/main.rs"),
        ("count", "src/bin/tool.rs:1\nsrc/lib.rs:2\nsrc/main.rs:1"),
    ] {
        let args = json!({ "pattern": "fn ", "output_mode": mode });
        assert_eq!(
            called(&tool, &args).await,
            ToolResult::text(answer),
            "grep {args}"
        );
    }
    let folder = sixty_files();
    let tool = GrepTool::new(folder.path());
    for (mode, answer) in [
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
        let result = called(&tool, &args).await;
        assert!(
            result.is_truncated && result.content.starts_with(answer),
            "grep {args}: the first three in path order are shown, whichever file was searched first: {}",
            result.content
        );
    }
}

#[tokio::test]
async fn test_ch8_grep_finds_nothing() {
    let folder = project();
    let tool = GrepTool::new(folder.path());
    let none = called(&tool, &json!({ "pattern": "klingon", "path": "src" })).await;
    assert!(
        !none.is_error && none.content.contains("3 of 3 files") && none.content.contains("`src`"),
        "that nothing matches is an answer, and it says how much was searched: {}",
        none.content
    );
    let none = called(
        &tool,
        &json!({ "pattern": "fn", "glob": "src/*.py", "type": "py" }),
    )
    .await;
    assert!(
        ["no file", "`src/*.py`", "`py`"]
            .iter()
            .all(|piece| none.content.contains(piece)),
        "that no file was searched is another answer, and it says which were meant: {}",
        none.content
    );
    let none = called(&tool, &json!({ "pattern": "x", "path": "picture.png" })).await;
    assert!(
        none.content.contains("binary"),
        "a file that is not text was not searched, and the model should know: {}",
        none.content
    );
}

#[tokio::test]
async fn test_ch8_grep_bad_calls() {
    let folder = project();
    let tool = GrepTool::new(folder.path());
    for (args, says) in [
        (json!({ "pattern": "main(" }), "`\\(`"),
        (json!({ "pattern": "" }), "empty"),
        (json!({ "pattern": "a", "type": "rs" }), "there is `rust`"),
        (json!({ "pattern": "a", "glob": "*.{rs" }), "unclosed"),
        (
            json!({ "pattern": "a", "path": "nowhere" }),
            "there is no `nowhere`",
        ),
        (json!({ "pattern": "a", "path": "/etc" }), "absolute"),
        (
            json!({ "pattern": "a", "output_mode": "lines" }),
            "\"content\" or \"files\" or \"count\"",
        ),
        (json!({ "pattern": "a", "limit": 0 }), "at least 1"),
        (json!({ "pattern": "a", "context": -1 }), "at least 0"),
        (json!({ "pattern": "a", "context": 1.5 }), "must be integer"),
        (json!({ "query": "a" }), "`pattern` is required"),
    ] {
        let result = called(&tool, &args).await;
        assert!(
            result.is_error
                && result.content.starts_with("error: ")
                && result.content.contains(says),
            "grep {args} should be an error that says {says:?}; the content is {:?}",
            result.content
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn test_ch8_grep_gives_one_answer() {
    let folder = sixty_files();
    let tool = GrepTool::new(folder.path());
    let args = json!({ "pattern": "x", "limit": 25, "context": 1 });
    let first = called(&tool, &args).await;
    assert!(
        first.content.contains("0/1/04.txt") && first.content.contains("[25 of 120 matches"),
        "all 60 files are searched, and the first in path order shown: {}",
        first.content
    );
    for _ in 0..8 {
        let again = called(&tool, &args).await;
        assert_eq!(
            again, first,
            "the same call gives the same answer, byte for byte"
        );
    }
}

#[test]
fn test_ch8_grep_stops_when_it_is_dropped() {
    // Far more than can be searched in the time given: many names for one file, and a
    // pattern without a letter to look for, which is slow where letters are not ASCII.
    let text = "Wäre es nicht schön, fände man hier etwas?\n".repeat(25_000);
    let folder = Folder::new(&[("0", &text)]);
    for number in 1..200 {
        let name = folder.path().join(number.to_string());
        if std::fs::hard_link(folder.path().join("0"), name).is_err() {
            return; // This file system has one name a file.
        }
    }
    let tool = GrepTool::new(folder.path());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let mut call = Box::pin(tool.call(json!({ "pattern": "\\b.{9}\\b.[0-9]" })));
        let first = std::future::poll_fn(|context| {
            std::task::Poll::Ready(call.as_mut().poll(context).is_ready())
        });
        assert!(
            !first.await,
            "so much is not searched at once, and not on this thread"
        );
    });
    let begun = Instant::now();
    // Waits for the threads that search, but not for ever.
    runtime.shutdown_timeout(Duration::from_secs(2));
    assert!(
        begun.elapsed() < Duration::from_secs(2),
        "the call was dropped, and 2 seconds later its threads still search for an answer that nobody waits for"
    );
}
