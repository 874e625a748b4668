//! Writing and editing

use claw_code::transcript::narrate::*;
use serde_json::{Value, json};

use super::support::*;

#[tokio::test]
async fn write_gives_the_size() {
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
async fn edit_counts_the_places_that_it_changed() {
    let tools = tools_that_read_a_file().await;
    for (args, expected) in [
        (edit("two", "2", false), "Edited a.txt"),
        (edit("one", "1", true), "Edited a.txt (2 places)"),
    ] {
        tools
            .assert_outcome("edit", &EditNarrator, in_a_txt(args), expected)
            .await;
    }
}

#[tokio::test]
async fn multi_edit_counts_its_edits() {
    let tools = tools_that_read_a_file().await;
    let one = json!({ "edits": [edit("two", "2", false)] });
    let three = json!({ "edits": [
        edit("one", "1", true), edit("2", "two", false), edit("three", "3", false) ] });
    for (args, expected) in [(one, "Edited a.txt"), (three, "Edited a.txt (3 edits)")] {
        tools
            .assert_outcome("multi_edit", &EditNarrator, in_a_txt(args), expected)
            .await;
    }
}

#[test]
fn a_text_of_another_tool_has_no_outcome() {
    let args = json!({ "path": "a" });
    for text in ["saved", "took 12", "created `a` (1 line, many bytes)"] {
        let outcome = WriteNarrator.outcome(&args, text);
        assert_eq!(outcome, None, "`write` does not write such a text: {text}");
    }
    for text in ["done", "renamed `a`: line 4", "edited `a` "] {
        let outcome = EditNarrator.outcome(&args, text);
        assert_eq!(outcome, None, "`edit` does not write such a text: {text}");
    }
}

#[test]
fn edits_are_in_the_arguments_and_places_at_the_end() {
    for (edits, text, expected) in [
        (3, "edited `a`: line 4", "Edited a (3 edits)"),
        (1, "edited `a`: 2 places, …", "Edited a (2 places)"),
        (1, "edited `a`: 2 places, b`: line 4", "Edited a"),
    ] {
        let args = json!({ "path": "a", "edits": vec![json!({}); edits] });
        assert_eq!(
            EditNarrator.outcome(&args, text).as_deref(),
            Some(expected),
            "the arguments say how many edits there are ({edits}), the end of the text says how many places, and a file's name may look like the end: {text}"
        );
    }
}

/// Tools that have read `a.txt`, so that they may edit it.
async fn tools_that_read_a_file() -> StandardTools {
    let tools = StandardTools::with_files(&[("a.txt", "one\none\ntwo\nthree\n")]);
    tools.call("read", json!({ "path": "a.txt" })).await;
    tools
}

fn edit(old: &str, new: &str, all: bool) -> Value {
    json!({ "old_string": old, "new_string": new, "replace_all": all })
}

/// These arguments with the path `a.txt`.
fn in_a_txt(mut args: Value) -> Value {
    args["path"] = json!("a.txt");
    args
}
