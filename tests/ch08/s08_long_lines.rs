//! Section 8.8: A line that fits

use claw_code::tools::search::*;

#[test]
fn test_ch8_excerpt_of_a_short_line() {
    for (line, text) in [
        (&b"let a = 1;\n"[..], "let a = 1;"),
        (b"let a = 1;\r\n", "let a = 1;"),
        (b"\tlet a = 1;  ", "\tlet a = 1;  "),
        (b"\n", ""),
        (b"", ""),
        (b"a\rb\n", "a\rb"),
        (b"caf\xe9\n", "caf\u{fffd}"),
    ] {
        assert_eq!(
            excerpt(line, 0),
            text,
            "a short line is shown as it is, without its end; the line is {line:?}"
        );
    }
    let line = "ä".repeat(MAX_LINE);
    assert_eq!(
        excerpt(format!("{line}\r\n").as_bytes(), 0),
        line,
        "{MAX_LINE} characters are shown whole, however many bytes they are"
    );
}

#[test]
fn test_ch8_excerpt_of_a_long_line() {
    let line = format!("{}NEEDLE{}", "ä".repeat(5000), "ö".repeat(5000));
    let text = excerpt(line.as_bytes(), 10_000);
    assert!(
        text.contains("NEEDLE"),
        "the match at byte 10000 is among what is shown: {text}"
    );
    let (shown, remark) = text.split_once(" [").expect("a remark in brackets follows");
    assert_eq!(
        remark, "line of 10006 characters]",
        "the remark says how long the line is"
    );
    let inside = shown.trim_matches('…');
    assert!(
        shown.starts_with('…') && shown.ends_with('…') && inside.chars().count() == MAX_LINE,
        "… on each side where something is missing, and between them {MAX_LINE} characters: {shown}"
    );
    let before = inside
        .find("NEEDLE")
        .map_or(0, |at| inside[..at].chars().count());
    assert!(
        (MAX_LINE / 8..MAX_LINE / 2).contains(&before),
        "what leads up to the match is shown, and more of what follows; before it stand {before} characters"
    );
}

#[test]
fn test_ch8_excerpt_at_the_edges() {
    let line = "x".repeat(MAX_LINE + 50);
    let head = excerpt(line.as_bytes(), 0);
    assert!(
        head.starts_with('x') && head.contains(&format!("{}… [", "x".repeat(MAX_LINE))),
        "at the beginning nothing is missing in front: {head}"
    );
    let tail = excerpt(line.as_bytes(), line.len());
    assert!(
        tail.starts_with(&format!("…{} [", "x".repeat(MAX_LINE))),
        "at the end nothing is missing behind, and the line still fills its room: {tail}"
    );
    let behind = excerpt(line.as_bytes(), line.len() + 7);
    assert_eq!(behind, tail, "a place behind the line's end is its end");
    let broken = [&[0xff; 600][..], b"\n"].concat();
    assert!(
        excerpt(&broken, 300).ends_with("[line of 600 characters]"),
        "bytes that are not UTF-8 do not stop it"
    );
}
