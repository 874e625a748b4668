//! One short line

use claw_code::transcript::narrate::*;

#[test]
fn one_line_escapes_control_and_hidden_characters() {
    for (rule, text, expected) in [
        ("plain text is unchanged", "ls -la", "ls -la"),
        ("control characters are escaped", "a\nb\tc\r", r"a\nb\tc\r"),
        ("ESC is escaped", "\u{1b}[31mred", r"\u{1b}[31mred"),
        ("U+009B is escaped", "\u{9b}31mred", r"\u{9b}31mred"),
        (
            "reordering marks are escaped",
            "abc\u{202e}txt.exe",
            r"abc\u{202e}txt.exe",
        ),
        (
            "invisible characters are escaped",
            "a\u{2028}b\u{200b}c",
            r"a\u{2028}b\u{200b}c",
        ),
        (
            "joiners are allowed",
            "né 漢字 👩\u{200d}🚀",
            "né 漢字 👩\u{200d}🚀",
        ),
        ("a backslash is not escaped", r"a\nb", r"a\nb"),
    ] {
        assert_eq!(one_line(text, 100), expected, "{rule}");
    }
}

#[test]
fn one_line_keeps_to_the_limit() {
    let split = "an escape is kept whole or left out";
    for (rule, text, limit, expected) in [
        ("a text of the limit is unchanged", "abcde", 5, "abcde"),
        ("a cut text ends in `…`", "abcdef", 5, "abcd…"),
        ("characters count", "漢字漢字漢字", 5, "漢字漢字…"),
        ("an empty text is unchanged", "", 5, ""),
        ("`…` alone reaches the limit 1", "abc", 1, "…"),
        ("an escape may reach the limit", "abc\n", 5, r"abc\n"),
        ("an escape has several characters", "abcd\n", 5, "abcd…"),
        (split, "abc\nd", 5, "abc…"),
        (split, "\u{1b}\u{1b}", 7, "\\u{1b}…"),
    ] {
        assert_eq!(
            one_line(text, limit),
            expected,
            "{rule}: {text:?} in at most {limit} characters"
        );
    }
}

#[test]
fn short_paths_are_one_line() {
    assert_eq!(
        short_path("src/main.rs"),
        "src/main.rs",
        "a short path is unchanged"
    );
    assert_eq!(short_path("a\nb"), r"a\nb", "a path becomes one line");
    for exactly in ["d/".repeat(25) + "0123456789", "漢".repeat(60)] {
        assert_eq!(short_path(&exactly), exactly, "60 characters fit");
    }
}

#[test]
fn long_paths_are_cut_at_the_front() {
    let (d, e, f) = ("d".repeat(40), "e".repeat(28), "f".repeat(29));
    let [breaks, few_breaks] = [100, 40].map(|count| "\n".repeat(count) + "name.rs");
    for (rule, path, end) in [
        ("has one `/`", format!("{d}/{e}"), format!("/{e}")),
        ("has two `/`", format!("{d}/{e}/a"), format!("/{e}/a")),
        ("is 59 long", format!("{d}/{e}/{f}"), format!("/{e}/{f}")),
        ("has no `/`", "x".repeat(100), "x".repeat(59)),
        ("is not ASCII", "漢".repeat(100), "漢".repeat(59)),
        ("has escapes", breaks, r"\n".repeat(26) + "name.rs"),
        (
            "is long by its escapes",
            few_breaks,
            r"\n".repeat(26) + "name.rs",
        ),
    ] {
        assert_eq!(
            short_path(&path),
            format!("…{end}"),
            "the last 59 characters of a path on one line, from their first `/`: the end {rule}"
        );
    }
}
