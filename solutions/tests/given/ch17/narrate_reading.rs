//! Listing and reading

use claw_code::transcript::narrate::*;
use serde_json::json;

use super::support::*;

#[tokio::test]
async fn read_counts_the_lines_of_a_whole_file() {
    let tools = StandardTools::with_files(&[
        ("a.txt", &"x\n".repeat(20)),
        ("one.txt", "[lines 1 to 2 of 3]"),
        ("note.txt", "`x` is an image (image/png, 5 bytes)"),
        ("about.txt", "(the file is empty)"),
        ("tabs.txt", "\ta\tb\n"),
        ("empty.txt", ""),
        ("p.png", "GIF89a000000"),
        ("q.gif", &format!("GIF89a{}", "0".repeat(4090))),
    ]);
    for (path, expected) in [
        ("a.txt", "Read a.txt (20 lines)"),
        ("one.txt", "Read one.txt (1 line)"),
        ("note.txt", "Read note.txt (1 line)"),
        ("about.txt", "Read about.txt (1 line)"),
        ("tabs.txt", "Read tabs.txt (1 line)"),
        ("empty.txt", "Read empty.txt (empty)"),
        ("p.png", "Looked at p.png (image/gif, 12 bytes)"),
        ("q.gif", "Looked at q.gif (image/gif, 4 KB)"),
    ] {
        let args = json!({ "path": path });
        tools
            .assert_outcome("read", &ReadNarrator, args, expected)
            .await;
    }
}

#[tokio::test]
async fn read_names_the_lines_of_a_part() {
    let tools = StandardTools::with_files(&[
        ("a.txt", &"x\n".repeat(20)),
        ("q.txt", &("x\n".repeat(9) + "tail")),
    ]);
    for (args, expected) in [
        (
            json!({ "path": "a.txt", "offset": 5, "limit": 5 }),
            "Read a.txt (lines 5 to 9 of 20)",
        ),
        (
            json!({ "path": "a.txt", "offset": 19 }),
            "Read a.txt (lines 19 to 20 of 20)",
        ),
        (
            json!({ "path": "q.txt", "offset": 10 }),
            "Read q.txt (lines 10 to 10 of 10)",
        ),
    ] {
        tools
            .assert_outcome("read", &ReadNarrator, args, expected)
            .await;
    }
}

#[test]
fn read_gives_the_type_and_the_size_of_an_image() {
    let args = json!({ "path": "cat.png" });
    for note in [
        "`cat.png` is an image (image/png, 4096 bytes); it is attached",
        "`cat.png` is an image (image/png, 4096 bytes); this connection carries text only",
        "`a (1), b.png` is an image (image/png, 4096 bytes); it is attached",
        "`a` is an image (b.png` is an image (image/png, 4096 bytes); it is attached",
    ] {
        assert_eq!(
            ReadNarrator.outcome(&args, note).as_deref(),
            Some("Looked at cat.png (image/png, 4 KB)"),
            "the type and the size follow the last \"` is an image (\", whatever the path contains and the note says after them: {note}"
        );
    }
}

#[test]
fn read_gives_no_number_that_it_does_not_know() {
    let args = json!({ "path": "a.txt" });
    for (text, expected) in [
        (" 1\tx\n[1234 bytes left out]\n 9\tx", Some("Read a.txt")),
        (
            " 5\tx\n[1234 bytes left out]\n 9\tx\n[lines 5 to 9 of 20]",
            Some("Read a.txt (lines 5 to 9 of 20)"),
        ),
        ("saved", None),
        ("[a note]", None),
    ] {
        assert_eq!(
            ReadNarrator.outcome(&args, text).as_deref(),
            expected,
            "a text that was cut has no number of lines, but its range counts if it has one, and a text without a numbered line is not `read`'s: {text:?}"
        );
    }
}

#[tokio::test]
async fn list_counts_the_entries() {
    let tools = StandardTools::with_files(&[("src/a", ""), ("src/b", ""), ("one/[x]", "")]);
    std::fs::create_dir(tools.folder.path().join("none")).expect("a folder can be created");
    for (args, expected) in [
        (json!({}), "Listed the root folder (3 entries)"),
        (json!({ "path": "." }), "Listed the root folder (3 entries)"),
        (json!({ "path": "src" }), "Listed src (2 entries)"),
        (json!({ "path": "one" }), "Listed one (1 entry)"),
        (json!({ "path": "none" }), "Listed none (empty)"),
    ] {
        tools
            .assert_outcome("list", &ListNarrator, args, expected)
            .await;
    }
}

#[test]
fn list_of_a_long_folder() {
    let args = json!({ "path": "d" });
    let long = "a\n".repeat(1000) + "[7 more entries left out]";
    assert_eq!(
        ListNarrator.outcome(&args, &long).as_deref(),
        Some("Listed d (1007 entries)"),
        "entries that were left out count, and the tool's line about them does not"
    );
    for end in ["", "\n[7 more entries left out]"] {
        let cut = format!("a\n[1234 bytes left out]\nb{end}");
        assert_eq!(
            ListNarrator.outcome(&args, &cut).as_deref(),
            Some("Listed d"),
            "the lines of a text that was cut in the middle can't be counted, so no number is given: {cut:?}"
        );
    }
    let huge = format!("a\nb\n[{} more entries left out]", usize::MAX);
    let outcome = ListNarrator.outcome(&args, &huge);
    assert!(
        outcome.is_some(),
        "the number comes from a text and may be as large as a `usize`: add to it without overflow"
    );
}
