//! Section 17.11: Writing and editing

use claw_code::transcript::narrate::*;
use serde_json::{Value, json};

use super::support::*;

#[tokio::test]
async fn test_ch17_write_gives_the_size() {
    let tools = StandardTools::new();
    for (path, bytes, expected) in [
        ("index.html", 4096, "Wrote index.html (4 KB)"),
        ("index.html", 1, "Wrote index.html (1 byte)"),
        (
            "a (2 lines, 9 bytes).txt",
            0,
            "Wrote a (2 lines, 9 bytes).txt (0 bytes)",
        ),
    ] {
        let args = json!({ "path": path, "content": "x".repeat(bytes) });
        tools
            .assert_outcome("write", &WriteNarrator, args, expected)
            .await;
    }
}

#[tokio::test]
async fn test_ch17_edit_counts_edits_or_places() {
    let tools = StandardTools::with_files(&[("a.txt", "one\none\ntwo\nthree\n")]);
    tools.call("read", json!({ "path": "a.txt" })).await;
    let edit = |old: &str, new: &str, all: bool| json!({ "old_string": old, "new_string": new, "replace_all": all });
    let edits = |edits: &[Value]| json!({ "edits": edits });
    for (tool, mut args, expected) in [
        ("edit", edit("two", "2", false), "Edited a.txt"),
        ("edit", edit("one", "1", true), "Edited a.txt (2 places)"),
        (
            "multi_edit",
            edits(&[
                edit("1", "one", true),
                edit("2", "two", false),
                edit("three", "3", false),
            ]),
            "Edited a.txt (3 edits)",
        ),
        (
            "multi_edit",
            edits(&[edit("two", "2", false)]),
            "Edited a.txt",
        ),
    ] {
        args["path"] = json!("a.txt");
        tools
            .assert_outcome(tool, &EditNarrator, args, expected)
            .await;
    }
}

#[test]
fn test_ch17_a_text_of_another_tool_has_no_outcome() {
    let args = json!({ "path": "a" });
    for (tool, outcome) in [
        ("write", WriteNarrator.outcome(&args, "saved")),
        ("edit", EditNarrator.outcome(&args, "done")),
    ] {
        assert_eq!(outcome, None, "`{tool}` does not write such a text");
    }
}
