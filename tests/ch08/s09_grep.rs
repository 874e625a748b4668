//! Section 8.9: Search all files

use std::fs::File;

use claw_code::tools::search::MAX_MEMORY;
use claw_code::tools::*;
use claw_code::types::*;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::support::*;

#[test]
fn test_ch8_grep_finds_lines() {
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
            search(&folder, &args),
            ToolResult::text(expected),
            "{rule}: grep {args}"
        );
    }
}

#[test]
fn test_ch8_grep_lists_files_or_counts() {
    let folder = project();
    for (mode, expected) in [
        ("files", "src/bin/tool.rs\nsrc/lib.rs\nsrc/main.rs"),
        ("count", "src/bin/tool.rs:1\nsrc/lib.rs:2\nsrc/main.rs:1"),
    ] {
        let args = json!({ "pattern": "fn ", "output_mode": mode });
        assert_eq!(
            search(&folder, &args),
            ToolResult::text(expected),
            "grep {args}"
        );
    }
}

#[test]
fn test_ch8_grep_is_cut_at_the_limit() {
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
        let result = search(&folder, &args);
        assert!(
            result.is_truncated && result.content.starts_with(start),
            "grep {args}: the result should show the first three in path order, whichever file was searched first: {}",
            result.content
        );
    }
}

#[test]
fn test_ch8_grep_without_a_match_is_no_error() {
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
        let none = search(&folder, &args);
        assert!(
            !none.is_error && parts.iter().all(|part| none.content.contains(part)),
            "{rule}: grep {args} should contain {parts:?}; the result is: {}",
            none.content
        );
    }
}

#[test]
fn test_ch8_equal_grep_calls_have_equal_results() {
    let folder = sixty_files();
    let args = json!({ "pattern": "x", "limit": 25, "context": 1 });
    let first = search(&folder, &args);
    assert!(
        first.content.contains("0/1/04.txt") && first.content.contains("[25 of 120 matches"),
        "all 60 files should be searched, and the first in path order shown: {}",
        first.content
    );
    for _ in 0..8 {
        let again = search(&folder, &args);
        assert_eq!(
            again, first,
            "the same call should have the same result, byte for byte"
        );
    }
}

#[test]
fn test_ch8_grep_reports_a_file_that_it_cannot_search() {
    let folder = project();
    let (name, shown) = match cfg!(unix) {
        true => ("src/too\nlarge", "src/too\\nlarge"),
        false => ("src/too large", "src/too large"),
    };
    // A search across lines reads a whole file into memory. This one takes no room on disk.
    let file = File::create(folder.path().join(name)).expect("files can be created here");
    file.set_len(MAX_MEMORY as u64 + 1)
        .expect("its length can be set");
    let args = json!({ "pattern": "\\{\\s+run", "multiline": true, "path": "src/" });
    let result = search(&folder, &args);
    assert!(
        result.content.contains("could not be read"),
        "a file that can't be searched is reported: {}",
        result.content
    );
    assert!(
        result.content.contains("3:fn main() {")
            && result.content.contains(&format!("such as {shown}: ")),
        "the report begins with the path as results show it, and the other files are searched: {}",
        result.content
    );
}

#[test]
fn test_ch8_grep_reports_what_the_walk_could_not_read() {
    let folder = project();
    folder.write(".ignore", "{\n");
    let result = search(&folder, &json!({ "pattern": "fn", "path": "src" }));
    assert!(
        result.content.contains("fn main") && result.content.contains("could not be read"),
        "an error of the walk becomes a note below the matches: {}",
        result.content
    );
}

#[test]
fn test_ch8_cancelled_grep_searches_no_file() {
    let stop = CancellationToken::new();
    stop.cancel();
    let result = grep(project().path(), &json!({ "pattern": "fn" }), &stop);
    assert!(
        result.content.starts_with("no file was searched")
            && !result.content.contains("could not be read"),
        "the walk and the searchers should get the token `stop`; it is cancelled, and the result is: {}",
        result.content
    );
}

/// The result of a search with these arguments.
fn search(folder: &TempFolder, args: &Value) -> ToolResult {
    grep(folder.path(), args, &CancellationToken::new())
}
