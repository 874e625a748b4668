//! Section 17.7: Files

use claw_code::transcript::narrate::*;
use serde_json::{Value, json};

use super::support::*;

#[tokio::test]
async fn test_ch17_reading() {
    let tools = Tools::new();
    tools.file("a.txt", &"x\n".repeat(20));
    tools.file("one.txt", "[lines 1 to 2 of 3]");
    tools.file("empty.txt", "");
    tools.file("p.png", "GIF89a000000");
    for (args, expected) in [
        (json!({ "path": "a.txt" }), "Read a.txt (20 lines)"),
        (json!({ "path": "one.txt" }), "Read one.txt (1 line)"),
        (json!({ "path": "empty.txt" }), "Read empty.txt (empty)"),
        (
            json!({ "path": "a.txt", "offset": 5, "limit": 5 }),
            "Read a.txt (lines 5 to 9 of 20)",
        ),
        (
            json!({ "path": "a.txt", "offset": 19 }),
            "Read a.txt (lines 19 to 20 of 20)",
        ),
        (
            json!({ "path": "p.png" }),
            "Looked at p.png (image/gif, 12 bytes)",
        ),
    ] {
        tools.deed("read", &ReadNarrator, args, expected).await;
    }
    tools.file("q.txt", &("x\n".repeat(9) + "tail"));
    let part = json!({ "path": "q.txt", "offset": 10 });
    tools
        .deed(
            "read",
            &ReadNarrator,
            part,
            "Read q.txt (lines 10 to 10 of 10)",
        )
        .await;
}

#[tokio::test]
async fn test_ch17_listing() {
    let tools = Tools::new();
    tools.file("src/a", "");
    tools.file("src/b", "");
    tools.file("one/[x]", "");
    std::fs::create_dir(tools.folder.join("none")).expect("a folder");
    for (args, expected) in [
        (json!({}), "Listed the root folder (3 entries)"),
        (json!({ "path": "." }), "Listed the root folder (3 entries)"),
        (json!({ "path": "src" }), "Listed src (2 entries)"),
        (json!({ "path": "one" }), "Listed one (1 entry)"),
        (json!({ "path": "none" }), "Listed none (empty)"),
    ] {
        tools.deed("list", &ListNarrator, args, expected).await;
    }
    let long = "a\n".repeat(1000) + "[7 more entries left out]";
    assert_eq!(
        ListNarrator.deed(&json!({ "path": "d" }), &long).as_deref(),
        Some("Listed d (1007 entries)"),
        "entries that were left out are counted, and the line that says so is none"
    );
    let cut = "a\n[1234 bytes left out]\nb";
    assert_eq!(
        ListNarrator.deed(&json!({ "path": "d" }), cut).as_deref(),
        Some("Listed d"),
        "of a text that was cut in its middle nobody can count the lines: better no number than a false one"
    );
}

#[tokio::test]
async fn test_ch17_writing() {
    let tools = Tools::new();
    let page = |size: usize| json!({ "path": "index.html", "content": "x".repeat(size) });
    tools
        .deed(
            "write",
            &WriteNarrator,
            page(4096),
            "Wrote index.html (4 KB)",
        )
        .await;
    tools
        .deed(
            "write",
            &WriteNarrator,
            page(1),
            "Wrote index.html (1 byte)",
        )
        .await;
    let odd = json!({ "path": "a (2 lines, 9 bytes).txt", "content": "" });
    let expected = "Wrote a (2 lines, 9 bytes).txt (0 bytes)";
    tools.deed("write", &WriteNarrator, odd, expected).await;
    assert_eq!(
        WriteNarrator.deed(&json!({ "path": "a" }), "saved"),
        None,
        "a text that the tool does not write tells nothing"
    );
}

#[tokio::test]
async fn test_ch17_editing() {
    let tools = Tools::new();
    tools.file("a.txt", "one\none\ntwo\nthree\n");
    tools.result("read", json!({ "path": "a.txt" })).await;
    let edit = |old: &str, new: &str, all: bool| json!({ "old_string": old, "new_string": new, "replace_all": all });
    let with_path = |mut args: Value| {
        args["path"] = json!("a.txt");
        args
    };
    let args = with_path(edit("two", "2", false));
    tools
        .deed("edit", &EditNarrator, args, "Edited a.txt")
        .await;
    let args = with_path(edit("one", "1", true));
    tools
        .deed("edit", &EditNarrator, args, "Edited a.txt (2 places)")
        .await;
    let args = with_path(
        json!({ "edits": [edit("1", "one", true), edit("2", "two", false), edit("three", "3", false)] }),
    );
    tools
        .deed("multi_edit", &EditNarrator, args, "Edited a.txt (3 edits)")
        .await;
    let args = with_path(json!({ "edits": [edit("two", "2", false)] }));
    tools
        .deed("multi_edit", &EditNarrator, args, "Edited a.txt")
        .await;
    assert_eq!(
        EditNarrator.deed(&json!({ "path": "a" }), "done"),
        None,
        "a text that the tool does not write tells nothing"
    );
}
