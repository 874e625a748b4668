//! Section 8.1: The search pattern

use claw_code::tools::search::*;
use grep_matcher::Matcher;
use grep_regex::RegexMatcher;
use serde_json::{Value, json};

#[test]
fn test_ch8_pattern_matches_text() {
    for (rule, args, text, expected) in [
        (
            "a pattern is a regular expression",
            args("fn [a-z]+\\(", ""),
            "pub fn main() {",
            true,
        ),
        ("case matters", args("fn main", ""), "FN MAIN", false),
        (
            "`ignore_case` ignores case",
            args("fn main", "ignore_case"),
            "FN MAIN",
            true,
        ),
        (
            "`ignore_case` knows all letters",
            args("größe", "ignore_case"),
            "GRÖSSE GRÖßE",
            true,
        ),
        (
            "`ignore_case` applies to plain text too",
            args("f(x)", "literal ignore_case"),
            "F(X)",
            true,
        ),
        ("`.` is any character", args("a.c", ""), "abc", true),
        ("`literal` `.`", args("a.c", "literal"), "abc", false),
        ("a space is a pattern", args(" ", ""), "a b", true),
        (
            "`literal` turns off all special characters",
            args("f(x[0]) {", "literal"),
            "if f(x[0]) { a }",
            true,
        ),
        ("an escape", args("\\u{1F980}", ""), "a 🦀 b", true),
        ("a raw byte", args("(?-u:\\xFF)", ""), "abc", false),
    ] {
        assert_match(rule, &args, text, expected);
    }
}

#[test]
fn test_ch8_anchors_match_at_lines() {
    for (rule, pattern, text, expected) in [
        ("`^` and `$` match at lines", "^b$", "a\nb\nc", true),
        ("a line may end in \\r\\n", "^b$", "a\r\nb\r\nc", true),
        (
            "`$` matches before \\r\\n",
            ";$",
            "let a = 1;\r\nlet b = 2\r\n",
            true,
        ),
        ("`.` matches no line ending", "^a.b$", "a\nb", false),
    ] {
        assert_match(rule, &args(pattern, ""), text, expected);
    }
}

#[test]
fn test_ch8_multiline_matches_across_lines() {
    for (rule, pattern, text, expected) in [
        ("a match may contain a line ending", "a\\nb", "a\nb", true),
        ("`.` matches no line ending", "a.b", "a\nb", false),
        ("`^` and `$` match at lines", "^b$", "a\r\nb\r\nc", true),
    ] {
        assert_match(rule, &args(pattern, "multiline"), text, expected);
    }
}

#[test]
fn test_ch8_line_ending_without_multiline_is_an_error() {
    for args in [args("a\\nb", ""), args("a\nb", "literal")] {
        let message = compile_error(&args);
        assert!(
            message.contains("multiline"),
            "without `multiline`, {args} can't match anything, so the message should name `multiline`; it is: {message}"
        );
    }
}

#[test]
fn test_ch8_pattern_error_shows_the_position() {
    let message = compile_error(&args("call(a, b", ""));
    assert!(
        message.contains("\n    call(a, b\n        ^\n") && message.contains("unclosed group"),
        "the message should show the pattern as the model wrote it, and the position of the mistake; it is:\n{message}"
    );
}

#[test]
fn test_ch8_pattern_is_parsed_without_a_group_around_it() {
    let message = compile_error(&args("a)|(b", ""));
    assert!(
        message.contains("unopened group"),
        "this pattern is invalid, although `(?:a)|(b)` is valid; the message is:\n{message}"
    );
}

#[test]
fn test_ch8_empty_pattern_is_an_error() {
    let message = compile_error(&args("", ""));
    assert!(
        message.contains("empty") && message.contains("glob"),
        "an empty pattern would match every line, so the message should name the tool for file names; it is: {message}"
    );
    let message = compile_error(&args("", "literal"));
    assert!(
        message.contains("empty"),
        "an empty literal pattern is an error too; the message is: {message}"
    );
}

#[test]
fn test_ch8_pattern_that_needs_much_memory_is_an_error() {
    let message = compile_error(&args("a{1000}{1000}", ""));
    assert!(
        message.contains("size limit"),
        "a compiled pattern has a size limit, and the message should say so; it is: {message}"
    );
}

#[test]
fn test_ch8_pattern_error_ends_with_a_hint() {
    for (mistake, pattern, part) in [
        ("unclosed group", "main(", "`\\(`"),
        ("unopened group", "main)", "`\\(`"),
        ("unclosed class", "a[0", "`\\[`"),
        ("invalid range", "[z-a]", "`\\[`"),
        ("repetition of nothing", "{ a", "`{`"),
        ("unclosed repetition", "struct A {", "`{`"),
        ("unclosed repetition count", "a{2", "`{`"),
        ("repetition of nothing", "*const u8", "`*`"),
        ("look-around", "foo(?=bar)", "pattern"),
        ("backreference", "(a)\\1", "pattern"),
        ("escape without its digits", "C:\\users", "`\\\\`"),
        ("escape at the end", "end\\", "`\\\\`"),
        ("any other mistake", "\\p{Klingon}", "literal"),
        ("any other mistake", "(?z)a", "literal"),
    ] {
        let message = compile_error(&args(pattern, ""));
        let hint = message.lines().last().unwrap_or_default();
        assert!(
            hint.contains(part),
            "{mistake} in `{pattern}`: the last line should be a hint that contains {part}; the message is:\n{message}"
        );
        assert_eq!(
            hint.contains("literal"),
            part != "pattern",
            "{mistake} in `{pattern}`: the hint should offer `literal` only where it helps; the message is:\n{message}"
        );
    }
}

/// The arguments of a call: a pattern, and flags that are `true`.
fn args(pattern: &str, flags: &str) -> Value {
    let mut args = json!({ "pattern": pattern });
    for flag in flags.split_whitespace() {
        args[flag] = json!(true);
    }
    args
}

#[track_caller]
fn assert_match(rule: &str, args: &Value, text: &str, expected: bool) {
    let matcher: RegexMatcher = compile(&Query::from_args(args))
        .unwrap_or_else(|message| panic!("{rule}: {args} should compile, but: {message}"));
    assert_eq!(
        matcher
            .is_match(text.as_bytes())
            .expect("text can be searched"),
        expected,
        "{rule}: whether {args} matches in {text:?}"
    );
}

#[track_caller]
fn compile_error(args: &Value) -> String {
    match compile(&Query::from_args(args)) {
        Err(message) => message,
        Ok(_) => panic!("compile should return an error for {args}, and returned a matcher"),
    }
}
