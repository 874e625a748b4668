//! Value paths

use claw_code::tools::*;
use serde_json::json;

use super::support::*;

#[test]
fn path_is_written_like_code() {
    for (path, expected) in [
        (vec![], "the arguments"),
        (vec![name("path")], "`path`"),
        (
            vec![name("edits"), PathStep::Index(2), name("old")],
            "`edits[2].old`",
        ),
        (vec![name("a"), name("b"), name("c")], "`a.b.c`"),
        (vec![PathStep::Index(0), PathStep::Index(10)], "`[0][10]`"),
        (
            vec![name("old_string"), name("x-y"), name("größe")],
            "`old_string.x-y.größe`",
        ),
    ] {
        assert_eq!(format_path(&path), expected, "the path {path:?}");
    }
}

#[test]
fn path_writes_unusual_names_in_brackets() {
    for (path, expected) in [
        (vec![name("headers"), name("a.b")], "`headers[\"a.b\"]`"),
        (vec![name("a b")], "`[\"a b\"]`"),
        (vec![name("")], "`[\"\"]`"),
        (
            vec![name("say \"hi\"\n\u{1b}")],
            "`[\"say \\\"hi\\\"\\n\\u001b\"]`",
        ),
        (vec![name("[0]"), name("x")], "`[\"[0]\"].x`"),
    ] {
        assert_eq!(
            format_path(&path),
            expected,
            "a name with other characters is JSON in brackets; the path is {path:?}"
        );
    }
}

#[test]
fn short_value_is_json() {
    for value in [
        json!(7),
        json!("seven"),
        json!(null),
        json!(["a", 1.5, { "b": true }]),
        json!("two\nlines"),
    ] {
        assert_eq!(
            format_value(&value),
            value.to_string(),
            "a short value is JSON on one line, so that the quotes tell a string from a number"
        );
    }
}

#[test]
fn long_value_is_cut_between_characters() {
    let letters = "ä".repeat(MAX_VALUE_CHARS - 2);
    assert_eq!(
        format_value(&json!(letters)),
        format!("\"{letters}\""),
        "a value of {MAX_VALUE_CHARS} characters, including the quotes, is complete"
    );
    assert_eq!(
        format_value(&json!("ä".repeat(1000))),
        format!("\"{}…", "ä".repeat(MAX_VALUE_CHARS - 1)),
        "a longer value is cut after {MAX_VALUE_CHARS} characters, not bytes"
    );
    for long in [
        json!("ä".repeat(MAX_VALUE_CHARS - 1)),
        json!("\n".repeat(MAX_VALUE_CHARS - 2)),
        json!(vec!["a"; 100]),
    ] {
        let json = long.to_string();
        let start: String = json.chars().take(MAX_VALUE_CHARS).collect();
        assert_eq!(
            format_value(&long),
            format!("{start}…"),
            "the JSON of any value is cut, and its quotes and escapes count; the value is {json}"
        );
    }
}

pub fn name(name: &str) -> PathStep {
    PathStep::Name(name.to_string())
}
