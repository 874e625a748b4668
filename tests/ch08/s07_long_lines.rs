//! Section 8.7: Excerpts of long lines

use claw_code::tools::search::*;

#[test]
fn test_ch8_short_line_is_shown_whole() {
    for (rule, line, expected) in [
        (
            "without its line ending",
            &b"let a = 1;\n"[..],
            "let a = 1;",
        ),
        (
            "without a Windows line ending",
            b"let a = 1;\r\n",
            "let a = 1;",
        ),
        (
            "with spaces at both ends",
            b"\tlet a = 1;  \n",
            "\tlet a = 1;  ",
        ),
        ("with spaces at the end of a file", b"a  ", "a  "),
        ("with only one line ending removed", b"a\r\r\n", "a\r"),
        ("an empty line", b"\n", ""),
        ("an empty last line", b"", ""),
        ("with \\r inside", b"a\rb\n", "a\rb"),
        ("with \\r but no \\n at the end", b"a\r", "a\r"),
        ("with a replacement character", b"caf\xe9\n", "caf\u{fffd}"),
    ] {
        assert_eq!(
            excerpt(line, 0),
            expected,
            "{rule}: a short line is shown whole; the line is {line:?}"
        );
    }
    let line = "ä".repeat(MAX_LINE);
    assert_eq!(
        excerpt(format!("{line}\r\n").as_bytes(), 0),
        line,
        "{MAX_LINE} characters are shown whole, however many bytes they take"
    );
}

#[test]
fn test_ch8_excerpt_shows_the_match() {
    let line = format!("{}NEEDLE{}", "ä".repeat(5000), "ö".repeat(5000));
    let text = excerpt(line.as_bytes(), 10_000);
    assert!(
        text.contains("NEEDLE"),
        "the excerpt should show the match at byte 10000: {text}"
    );
    let (shown, note) = text.split_once(" [").expect("a note in brackets follows");
    assert_eq!(
        note, "line of 10006 characters]",
        "the note says how long the line is"
    );
    let inside = shown.trim_matches('…');
    assert!(
        shown.starts_with('…') && shown.ends_with('…') && inside.chars().count() == MAX_LINE,
        "the excerpt should have … at each cut, and {MAX_LINE} characters between: {shown}"
    );
    let before = inside
        .find("NEEDLE")
        .map_or(0, |at| inside[..at].chars().count());
    assert!(
        (MAX_LINE / 8..MAX_LINE / 2).contains(&before),
        "about a quarter of the characters should come before the match; there are {before}"
    );
    let line = format!("{}NEEDLE{}", "ä".repeat(8000), "ö".repeat(2000));
    let text = excerpt(line.as_bytes(), 16_000);
    assert!(
        text.contains("NEEDLE"),
        "the excerpt should show the match at byte 16000 of a line of 10006 characters: the position counts bytes: {text}"
    );
}

#[test]
fn test_ch8_excerpt_at_the_beginning_is_cut_once() {
    let head = excerpt("x".repeat(MAX_LINE + 50).as_bytes(), 0);
    assert!(
        head.starts_with('x') && head.contains(&format!("{}… [", "x".repeat(MAX_LINE))),
        "at the beginning of the line, only the end is cut: {head}"
    );
}

#[test]
fn test_ch8_excerpt_at_the_end_is_cut_once() {
    let line = "x".repeat(MAX_LINE + 50);
    let tail = excerpt(line.as_bytes(), line.len());
    assert!(
        tail.starts_with(&format!("…{} [", "x".repeat(MAX_LINE))),
        "at the end of the line, only the beginning is cut, and the window is full: {tail}"
    );
    assert_eq!(
        excerpt(line.as_bytes(), line.len() + 7),
        tail,
        "a position after the end of the line counts as its end"
    );
}

#[test]
fn test_ch8_excerpt_of_bytes_that_are_not_text() {
    let broken = [&[0xff; 600][..], b"\n"].concat();
    let text = excerpt(&broken, 300);
    assert!(
        text.ends_with("[line of 600 characters]"),
        "each byte that is not UTF-8 is one replacement character: {text}"
    );
    let broken = [&[0xff; 5000][..], b"NEEDLE", &[0xff; 5000]].concat();
    let text = excerpt(&broken, 5000);
    assert!(
        text.contains("NEEDLE"),
        "the position counts bytes of the line, not of the text with replacement characters: {text}"
    );
}
