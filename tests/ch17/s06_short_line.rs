//! Section 17.6: One short line

use claw_code::transcript::narrate::*;

#[test]
fn test_ch17_plain_is_one_line() {
    for (text, expected) in [
        ("ls -la", "ls -la"),
        ("a\nb\tc\r", r"a\nb\tc\r"),
        ("\u{1b}[31mred", r"\u{1b}[31mred"),
        ("abc\u{202e}txt.exe", r"abc\u{202e}txt.exe"),
        ("a\u{2028}b\u{200b}c", r"a\u{2028}b\u{200b}c"),
        ("né 漢字 👩\u{200d}🚀", "né 漢字 👩\u{200d}🚀"),
        (r"a\nb", r"a\nb"),
    ] {
        assert_eq!(
            plain(text, 100),
            expected,
            "control characters and hidden marks are written as escapes, all else as it is"
        );
    }
}

#[test]
fn test_ch17_plain_is_bounded() {
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
            plain(text, limit),
            expected,
            "{text:?} in at most {limit} characters, of which the last is `…` if something is missing; an escape is there as a whole or not at all"
        );
    }
}

#[test]
fn test_ch17_short_paths_keep_their_end() {
    assert_eq!(short_path("src/main.rs"), "src/main.rs");
    assert_eq!(short_path("a\nb"), r"a\nb", "a path is one line as well");
    let exactly = "d/".repeat(25) + "0123456789";
    assert_eq!(short_path(&exactly), exactly, "60 characters fit");
    let deep = format!("{}/{}", "d".repeat(40), "e".repeat(30));
    assert_eq!(
        short_path(&deep),
        format!("…/{}", "e".repeat(30)),
        "of a long path the end is shown, from the first whole name on"
    );
    let long = "x".repeat(100);
    assert_eq!(
        short_path(&long),
        format!("…{}", "x".repeat(59)),
        "of a single long name as much of its end as fits"
    );
}

#[test]
fn test_ch17_sizes() {
    for (bytes, expected) in [
        (0, "0 bytes"),
        (1, "1 byte"),
        (1023, "1023 bytes"),
        (1024, "1 KB"),
        (1536, "1.5 KB"),
        (4096, "4 KB"),
        (10_188, "9.9 KB"),
        (10_239, "10 KB"),
        (10_752, "11 KB"),
        (1_048_063, "1023 KB"),
        (1_048_575, "1 MB"),
        (1_048_576, "1 MB"),
        (1_572_864, "1.5 MB"),
        (1 << 30, "1 GB"),
        (1 << 40, "1 TB"),
        (u64::MAX, "16777216 TB"),
    ] {
        assert_eq!(size(bytes), expected, "{bytes} bytes, for people");
    }
}

#[test]
fn test_ch17_reasons() {
    for (error, expected) in [
        ("no such file", "no such file"),
        ("`a` is a folder; list it instead", "`a` is a folder"),
        (
            "it took too long. Give it more time.\nOutput:",
            "it took too long",
        ),
        ("waited 1.5 s", "waited 1.5 s"),
        ("first:\nsecond", "first"),
        ("done.", "done"),
        ("", ""),
        ("\n", ""),
    ] {
        assert_eq!(
            reason(error),
            expected,
            "of {error:?} people need what went wrong, and not what a model should do"
        );
    }
    let long = reason(&"x".repeat(500));
    assert_eq!(
        long.chars().count(),
        MAX_REASON,
        "a long reason is cut: {long}"
    );
}
