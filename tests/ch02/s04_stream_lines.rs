//! Section 2.4: Lines of a stream

use bytes::Bytes;
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
fn test_ch2_lines_do_not_depend_on_splits() {
    let text = "eins\r\nzwei\rdrei\n\r\n\r\r\nGrüße 中🦀\nfünf";
    let bytes = text.as_bytes();
    let expected = lines_of(&[bytes]);
    for first in 0..=bytes.len() {
        for second in first..=bytes.len() {
            let pieces = [&bytes[..first], &bytes[first..second], &bytes[second..]];
            assert_eq!(
                lines_of(&pieces),
                expected,
                "{text:?} split at byte {first} and at byte {second}: the lines should stay the same"
            );
        }
    }
    let single: Vec<&[u8]> = bytes.chunks(1).collect();
    assert_eq!(lines_of(&single), expected, "{text:?} byte by byte");
}

#[test]
fn test_ch2_cr_ends_a_line_at_once() {
    let mut lines = LineBuffer::default();
    lines.push(Bytes::from_static(b"done\r"));
    assert_eq!(
        lines.next_line(),
        Some(&b"done"[..]),
        "a CR ends the line: the next byte can take a minute to arrive"
    );
    assert_eq!(lines.next_line(), None);
    lines.push(Bytes::from_static(b"\n"));
    assert_eq!(
        lines.next_line(),
        None,
        "this LF belongs to the CR before it, so it does not end another line"
    );
    lines.push(Bytes::from_static(b"\n"));
    assert_eq!(
        lines.next_line(),
        Some(&b""[..]),
        "the second LF ends an empty line"
    );
}

#[test]
fn test_ch2_lines_drop_only_a_leading_byte_order_mark() {
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
                "the byte order mark is dropped only at the stream's start: {bytes:?} in pieces of {size}"
            );
        }
    }
}

#[test]
fn test_ch2_pending_counts_the_unfinished_line() {
    let mut lines = LineBuffer::default();
    assert_eq!(lines.pending(), 0, "before the first byte");
    lines.push(Bytes::from_static(b"one\ntw"));
    while lines.next_line().is_some() {}
    assert_eq!(lines.pending(), 2, "the two bytes of \"tw\"");
    lines.push(Bytes::from_static(b"o-four"));
    assert_eq!(lines.next_line(), None);
    assert_eq!(lines.pending(), 8, "six more bytes without a line end");
    lines.push(Bytes::from_static(b"\r"));
    assert_eq!(lines.next_line(), Some(&b"two-four"[..]));
    assert_eq!(lines.pending(), 0, "the line was returned");
    lines.push(Bytes::from_static(b"\n"));
    assert_eq!(lines.next_line(), None);
    assert_eq!(lines.pending(), 0, "the LF of a CRLF is not pending");
}

#[test]
fn test_ch2_whole_line_is_not_copied() {
    let piece = Bytes::from_static(b" a\ndata: b\r\n\ndata: c\ndata:");
    let mut lines = LineBuffer::default();
    lines.push(Bytes::from_static(b"data:"));
    assert_eq!(lines.next_line(), None);
    lines.push(piece.clone());
    assert_eq!(lines.next_line(), Some(&b"data: a"[..]), "the cut line");
    for expected in ["data: b", "", "data: c"] {
        let line = lines.next_line().expect("a complete line");
        assert_eq!(line, expected.as_bytes());
        assert!(
            piece.as_ptr_range().contains(&line.as_ptr()),
            "{expected:?} lies whole in the piece, so the line must be a slice of the piece and not a copy"
        );
    }
    assert_eq!(lines.next_line(), None);
}

/// The lines of a stream that arrives in these pieces.
fn lines_of(pieces: &[&[u8]]) -> Vec<String> {
    let mut buffer = LineBuffer::default();
    let mut lines = Vec::new();
    for piece in pieces {
        buffer.push(Bytes::copy_from_slice(piece));
        while let Some(line) = buffer.next_line() {
            lines.push(String::from_utf8(line.to_vec()).expect("a line of whole characters"));
        }
    }
    lines
}
