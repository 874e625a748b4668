//! Section 8.1: A pattern

use claw_code::tools::search::*;
use grep_matcher::Matcher;
use grep_regex::RegexMatcher;
use serde_json::{Value, json};

#[test]
fn test_ch8_pattern_finds() {
    for (args, text, is_found) in [
        (
            json!({ "pattern": "fn [a-z]+\\(" }),
            "pub fn main() {",
            true,
        ),
        (json!({ "pattern": "fn main" }), "FN MAIN", false),
        (
            json!({ "pattern": "fn main", "ignore_case": true }),
            "FN MAIN",
            true,
        ),
        (
            json!({ "pattern": "größe", "ignore_case": true }),
            "GRÖSSE GRÖßE",
            true,
        ),
        (json!({ "pattern": "a.c" }), "abc", true),
        (json!({ "pattern": "a.c", "literal": true }), "abc", false),
        (
            json!({ "pattern": "f(x[0]) {", "literal": true }),
            "if f(x[0]) { a }",
            true,
        ),
        (json!({ "pattern": "\\u{1F980}" }), "a 🦀 b", true),
        (json!({ "pattern": "(?-u:\\xFF)" }), "abc", false),
    ] {
        let matcher = compiled(&args);
        assert_eq!(
            matcher
                .is_match(text.as_bytes())
                .expect("it can be searched"),
            is_found,
            "whether {args} is found in {text:?}"
        );
    }
}

#[test]
fn test_ch8_pattern_knows_lines() {
    for (pattern, text, is_found) in [
        ("^b$", "a\nb\nc", true),
        ("^b$", "a\r\nb\r\nc", true),
        (";$", "let a = 1;\r\nlet b = 2\r\n", true),
        ("^a.b$", "a\nb", false),
    ] {
        let matcher = compiled(&json!({ "pattern": pattern }));
        assert_eq!(
            matcher
                .is_match(text.as_bytes())
                .expect("it can be searched"),
            is_found,
            "`{pattern}` in {text:?}: `^` and `$` are about lines, which may end in \\r\\n as well"
        );
    }
}

#[test]
fn test_ch8_pattern_across_lines() {
    let args = json!({ "pattern": "a\\nb", "multiline": true });
    let is_found = compiled(&args)
        .is_match(b"a\nb")
        .expect("it can be searched");
    assert!(is_found, "with multiline, a match may hold a line's end");
    let message = no_pattern(&json!({ "pattern": "a\\nb" }));
    assert!(
        message.contains("multiline"),
        "without it, this pattern can't match anything, and the message says what to set; it says: {message}"
    );
    let message = no_pattern(&json!({ "pattern": "a\nb", "literal": true }));
    assert!(
        message.contains("multiline"),
        "a literal line end can't be found either; the message says: {message}"
    );
}

#[test]
fn test_ch8_pattern_error_shows_the_place() {
    let message = no_pattern(&json!({ "pattern": "call(a, b" }));
    assert!(
        message.contains("\n    call(a, b\n        ^\n") && message.contains("unclosed group"),
        "the message shows the pattern as it was written and the place of the mistake; it says:\n{message}"
    );
    let message = no_pattern(&json!({ "pattern": "a)|(b" }));
    assert!(
        message.contains("unopened group"),
        "this pattern is wrong even though it would be right inside a group of its own; the message says:\n{message}"
    );
    let message = no_pattern(&json!({ "pattern": "" }));
    assert!(
        message.contains("empty") && message.contains("glob"),
        "an empty pattern would match every line; the message names the tool for names of files: {message}"
    );
    let message = no_pattern(&json!({ "pattern": "", "literal": true }));
    assert!(message.contains("empty"), "literal or not: {message}");
    let message = no_pattern(&json!({ "pattern": "a{1000}{1000}" }));
    assert!(
        message.contains("size limit"),
        "a pattern that takes too much memory is refused: {message}"
    );
}

#[test]
fn test_ch8_pattern_error_has_a_hint() {
    for (pattern, piece) in [
        ("main(", "`\\(`"),
        ("main)", "`\\(`"),
        ("a[0", "`\\[`"),
        ("[z-a]", "`\\[`"),
        ("{ a", "`{`"),
        ("struct A {", "`{`"),
        ("a{2", "`{`"),
        ("*const u8", "`*`"),
        ("foo(?=bar)", "pattern"),
        ("(a)\\1", "pattern"),
        ("C:\\users", "`\\\\`"),
        ("end\\", "`\\\\`"),
        ("\\p{Klingon}", "literal"),
        ("(?z)a", "literal"),
    ] {
        let message = no_pattern(&json!({ "pattern": pattern }));
        let last = message.lines().last().unwrap_or_default();
        assert!(
            last.contains(piece),
            "the last line of the message about `{pattern}` says what to do, with {piece} in it; the message is:\n{message}"
        );
        assert_eq!(
            last.contains("literal"),
            piece != "pattern",
            "`literal` is offered where it would help; the message is:\n{message}"
        );
    }
}

#[track_caller]
fn compiled(args: &Value) -> RegexMatcher {
    compile(&Query::from_args(args))
        .unwrap_or_else(|message| panic!("{args} can be searched for: {message}"))
}

#[track_caller]
fn no_pattern(args: &Value) -> String {
    match compile(&Query::from_args(args)) {
        Err(message) => message,
        Ok(_) => panic!("{args} should be refused"),
    }
}
