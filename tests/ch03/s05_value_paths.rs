//! Section 3.5: Naming a value

use claw_code::tools::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch3_path_text() {
    for (path, text) in [
        (vec![], "the arguments"),
        (vec![name("path")], "`path`"),
        (
            vec![name("edits"), Step::Index(2), name("old")],
            "`edits[2].old`",
        ),
        (vec![name("a"), name("b"), name("c")], "`a.b.c`"),
        (vec![Step::Index(0), Step::Index(10)], "`[0][10]`"),
        (
            vec![name("old_string"), name("x-y"), name("größe")],
            "`old_string.x-y.größe`",
        ),
    ] {
        assert_eq!(path_text(&path), text, "the path is {path:?}");
    }
}

#[test]
fn test_ch3_path_text_odd_names() {
    for (path, text) in [
        (vec![name("headers"), name("a.b")], "`headers[\"a.b\"]`"),
        (vec![name("a b")], "`[\"a b\"]`"),
        (vec![name("")], "`[\"\"]`"),
        (vec![name("say \"hi\"\n")], "`[\"say \\\"hi\\\"\\n\"]`"),
        (vec![name("[0]"), name("x")], "`[\"[0]\"].x`"),
    ] {
        assert_eq!(
            path_text(&path),
            text,
            "a name with other characters stands in brackets, as JSON; the path is {path:?}"
        );
    }
}

#[test]
fn test_ch3_shown_values() {
    for value in [
        json!(7),
        json!("seven"),
        json!(null),
        json!(["a", 1.5, { "b": true }]),
        json!("two\nlines"),
    ] {
        assert_eq!(
            shown(&value),
            value.to_string(),
            "a short value is shown whole, as JSON on one line: a string is told from a number by its quotes"
        );
    }
    let letters = "ä".repeat(MAX_SHOWN - 2);
    assert_eq!(
        shown(&json!(letters)),
        format!("\"{letters}\""),
        "{MAX_SHOWN} characters, the quotes included, are shown whole"
    );
    let letters = "ä".repeat(1000);
    assert_eq!(
        shown(&json!(letters)),
        format!("\"{}…", "ä".repeat(MAX_SHOWN - 1)),
        "of a longer value {MAX_SHOWN} characters are shown, however many bytes they take"
    );
}
