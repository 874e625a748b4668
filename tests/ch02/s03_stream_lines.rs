//! Section 2.3: Lines of a stream

use claw_code::provider::*;

#[test]
fn test_ch2_lines_end_in_lf_cr_or_crlf() {
    for (bytes, expected) in [
        ("a\nb\n", vec!["a", "b"]),
        ("a\rb\r", vec!["a", "b"]),
        ("a\r\nb\r\n", vec!["a", "b"]),
        ("a\n\nb\n", vec!["a", "", "b"]),
        ("a\r\rb\r", vec!["a", "", "b"]),
        ("a\r\n\r\nb\r\n", vec!["a", "", "b"]),
        ("a\n\rb\n", vec!["a", "", "b"]),
        ("a\r\n\nb\n", vec!["a", "", "b"]),
        ("a\r\n\rb\n", vec!["a", "", "b"]),
        ("\n", vec![""]),
        ("\r\n", vec![""]),
        ("a\nno end", vec!["a"]),
    ] {
        assert_eq!(
            lines_of(&[bytes.as_bytes()]),
            expected,
            "the lines of {bytes:?}"
        );
    }
}

#[test]
fn test_ch2_lines_under_any_split() {
    let bytes = "eins\r\nzwei\rdrei\n\r\n\r\r\nGrüße 中🦀\nfünf".as_bytes();
    let whole = lines_of(&[bytes]);
    for first in 0..=bytes.len() {
        for second in first..=bytes.len() {
            let pieces = [&bytes[..first], &bytes[first..second], &bytes[second..]];
            assert_eq!(
                lines_of(&pieces),
                whole,
                "cut at byte {first} and at byte {second}, the lines should be the same as of the whole"
            );
        }
    }
    let single: Vec<&[u8]> = bytes.chunks(1).collect();
    assert_eq!(lines_of(&single), whole, "byte by byte");
}

#[test]
fn test_ch2_lines_do_not_wait_for_an_lf() {
    let mut lines = LineBuffer::default();
    lines.push(b"done\r");
    assert_eq!(
        lines.next_line().map(<[u8]>::to_vec),
        Some(b"done".to_vec()),
        "CR ends a line by itself: what comes next may take a minute"
    );
    assert_eq!(lines.next_line(), None);
    lines.push(b"\n");
    assert_eq!(
        lines.next_line(),
        None,
        "this LF belongs to the CR before it and is no empty line"
    );
    lines.push(b"\n");
    assert_eq!(
        lines.next_line(),
        Some(&b""[..]),
        "a second LF is a line of its own"
    );
}

#[test]
fn test_ch2_lines_skip_one_byte_order_mark() {
    const BOM: &str = "\u{FEFF}";
    for (bytes, expected) in [
        (
            format!("{BOM}a\n{BOM}b\n"),
            vec!["a".into(), format!("{BOM}b")],
        ),
        (format!("{BOM}\na\n"), vec!["".into(), "a".into()]),
        (format!("{BOM}{BOM}a\n"), vec![format!("{BOM}a")]),
        (format!("a{BOM}\n"), vec![format!("a{BOM}")]),
        (format!("\n{BOM}a\n"), vec!["".into(), format!("{BOM}a")]),
    ] {
        for size in 1..=bytes.len() {
            let pieces: Vec<&[u8]> = bytes.as_bytes().chunks(size).collect();
            assert_eq!(
                lines_of(&pieces),
                expected,
                "the byte order mark is dropped at the very start and nowhere else: {bytes:?} in pieces of {size}"
            );
        }
    }
}

#[test]
fn test_ch2_lines_count_what_is_pending() {
    let mut lines = LineBuffer::default();
    assert_eq!(lines.pending(), 0, "nothing came yet");
    lines.push(b"one\ntw");
    while lines.next_line().is_some() {}
    assert_eq!(lines.pending(), 2, "of \"one\\ntw\", two bytes are left");
    lines.push(b"o, and");
    assert_eq!(lines.next_line(), None);
    assert_eq!(lines.pending(), 8, "six more bytes, and still no end");
    lines.push(b"\r");
    assert_eq!(lines.next_line(), Some(&b"two, and"[..]));
    assert_eq!(lines.pending(), 0, "the line was given out");
    lines.push(b"\n");
    assert_eq!(lines.next_line(), None);
    assert_eq!(lines.pending(), 0, "the LF of a CRLF is not kept");
}

/// The lines of a stream that comes in these pieces.
fn lines_of(pieces: &[&[u8]]) -> Vec<String> {
    let mut lines = LineBuffer::default();
    let mut found = Vec::new();
    for piece in pieces {
        lines.push(piece);
        while let Some(line) = lines.next_line() {
            found.push(String::from_utf8(line.to_vec()).expect("a cut inside a character"));
        }
    }
    found
}
