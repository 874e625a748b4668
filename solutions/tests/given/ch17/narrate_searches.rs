//! Searches

use claw_code::transcript::narrate::*;
use serde_json::json;

use super::support::*;

#[tokio::test]
async fn glob_counts_files() {
    let tools = StandardTools::with_files(&[("a.rs", ""), ("b/c.rs", ""), ("[id].rs", "")]);
    for (args, expected) in [
        (json!({ "pattern": "*.rs" }), "Looked for *.rs: 3 files"),
        (json!({ "pattern": "a.*" }), "Looked for a.*: 1 file"),
        (json!({ "pattern": "*.zip" }), "Looked for *.zip: no files"),
        (
            json!({ "pattern": "*.rs", "limit": 1 }),
            "Looked for *.rs: 3 files",
        ),
    ] {
        tools
            .assert_outcome("glob", &GlobNarrator, args, expected)
            .await;
    }
}

#[test]
fn glob_does_not_count_unread_folders() {
    let unread = "a.rs\n[2 files or folders could not be read, such as d: Permission denied]";
    assert_eq!(
        GlobNarrator
            .outcome(&json!({ "pattern": "*.rs" }), unread)
            .as_deref(),
        Some("Looked for *.rs: 1 file"),
        "files that could not be read do not count"
    );
}

#[tokio::test]
async fn grep_counts_results_and_files() {
    let tools = StandardTools::with_files(&[
        ("a.rs", "todo 1\n\nx\n2: no\ntodo 3\n"),
        ("b.rs", "x\ntodo: 1:2\n"),
        ("12:c.rs", "todo\n"),
    ]);
    for (options, expected) in [
        (json!({}), "4 results in 3 files"),
        (json!({ "context": 1 }), "4 results in 3 files"),
        (json!({ "limit": 1 }), "4 results in 3 files"),
        (json!({ "path": "b.rs" }), "1 result in 1 file"),
        (json!({ "output_mode": "files" }), "3 files"),
        (json!({ "output_mode": "files", "limit": 2 }), "3 files"),
        (json!({ "output_mode": "count" }), "4 results in 3 files"),
        (json!({ "output_mode": "count", "limit": 2 }), "3 files"),
        (json!({ "multiline": true }), "3 files"),
        (
            json!({ "multiline": true, "output_mode": "count" }),
            "4 results in 3 files",
        ),
        (json!({ "glob": "*.zip" }), "no results"),
    ] {
        let mut args = options;
        args["pattern"] = json!("todo");
        let expected = format!("Searched for todo: {expected}");
        tools
            .assert_outcome("grep", &GrepNarrator, args, &expected)
            .await;
    }
}

#[test]
fn a_row_without_a_number_leaves_the_results_unknown() {
    let counts = SearchCounts::from_counts("a:3\nb");
    assert_eq!(
        (counts.files, counts.results),
        (2, None),
        "each row is a file, and the sum is unknown if a row has no number"
    );
    let counts = SearchCounts::from_counts(&format!("a:{}\nb:1", usize::MAX));
    assert_eq!(
        counts.results, None,
        "the sum is unknown if it does not fit into a `usize`"
    );
}

#[tokio::test]
async fn grep_tells_rows_from_remarks() {
    let tools = StandardTools::with_files(&[("d.rs", "[7 are shown\ntwo[9] // are shown]\n")]);
    tools
        .assert_outcome(
            "grep",
            &GrepNarrator,
            json!({ "pattern": "are shown" }),
            "Searched for are shown: 2 results in 1 file",
        )
        .await;
    for mode in ["content", "files", "count"] {
        tools
            .assert_outcome(
                "grep",
                &GrepNarrator,
                json!({ "pattern": "fixme", "output_mode": mode }),
                "Searched for fixme: no results",
            )
            .await;
    }
}
