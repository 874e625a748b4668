//! Section 17.8: One short line

use claw_code::transcript::narrate::*;

#[test]
fn test_ch17_one_line_escapes_control_and_hidden_characters() {
    for (rule, text, expected) in [
        ("plain text is unchanged", "ls -la", "ls -la"),
        ("control characters are escaped", "a\nb\tc\r", r"a\nb\tc\r"),
        ("ESC is escaped", "\u{1b}[31mred", r"\u{1b}[31mred"),
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
fn test_ch17_one_line_keeps_to_the_limit() {
    for (text, limit, expected) in [
        ("abcde", 5, "abcde"),
        ("abcdef", 5, "abcd…"),
        ("漢字漢字漢字", 5, "漢字漢字…"),
        ("", 5, ""),
        ("abc\n", 5, r"abc\n"),
        ("abcd\n", 5, "abcd…"),
        ("abc\nd", 5, "abc…"),
        ("\u{1b}\u{1b}", 7, "\\u{1b}…"),
        ("abc", 1, "…"),
    ] {
        assert_eq!(
            one_line(text, limit),
            expected,
            "{text:?} in at most {limit} characters: a cut text ends in `…`, and an escape is kept whole or left out"
        );
    }
}

#[test]
fn test_ch17_short_paths_are_one_line() {
    assert_eq!(
        short_path("src/main.rs"),
        "src/main.rs",
        "a short path is unchanged"
    );
    assert_eq!(short_path("a\nb"), r"a\nb", "a path becomes one line");
    let exactly = "d/".repeat(25) + "0123456789";
    assert_eq!(short_path(&exactly), exactly, "60 characters fit");
}

#[test]
fn test_ch17_long_paths_are_cut_at_the_front() {
    let deep = format!("{}/{}", "d".repeat(40), "e".repeat(30));
    assert_eq!(
        short_path(&deep),
        format!("…/{}", "e".repeat(30)),
        "a long path is replaced by its end, which starts at its first `/`"
    );
    let long = "x".repeat(100);
    assert_eq!(
        short_path(&long),
        format!("…{}", "x".repeat(59)),
        "an end without a `/` starts inside the name"
    );
}
