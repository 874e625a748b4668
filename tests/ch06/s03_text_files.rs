//! Section 6.3: Line ends and the byte order mark

use claw_code::tools::*;

use super::support::*;

#[test]
fn test_ch6_a_model_sees_normalized_text() {
    for (rule, bytes, normalized) in [
        ("an empty file", "", ""),
        ("\\n stays", "one\ntwo\n", "one\ntwo\n"),
        ("\\r\\n becomes \\n", "one\r\ntwo\r\n", "one\ntwo\n"),
        ("mixed line ends", "one\r\ntwo\nthree", "one\ntwo\nthree"),
        ("no byte order mark", "\u{feff}one\r\n", "one\n"),
        ("\\r and marks inside", "a\rb\u{feff}c\n", "a\rb\u{feff}c\n"),
    ] {
        let text = decode(bytes);
        assert_eq!(text.normalized(), normalized, "{rule}: {bytes:?}");
        assert_eq!(
            encode(&text),
            bytes,
            "{rule}: an unchanged text is written as it was read"
        );
    }
}

#[test]
fn test_ch6_decode_refuses_what_is_not_utf8() {
    let late = [&[b'x'; 9_999][..], b"\0"].concat();
    for (rule, bytes, parts) in [
        (
            "a NUL byte",
            &b"\x7fELF\x02\0\0"[..],
            ["binary", "offset 5"],
        ),
        (
            "a NUL byte at the end",
            &late[..],
            ["binary", "offset 9999"],
        ),
        (
            "UTF-16, little endian",
            b"\xff\xfeh\0i\0",
            ["UTF-16", "iconv"],
        ),
        ("UTF-16, big endian", b"\xfe\xff\0h\0i", ["UTF-16", "iconv"]),
        ("Latin-1", b"ok\n\ncaf\xe9\n", ["0xE9", "line 3"]),
        (
            "an incomplete character",
            b"cut off: \xe2\x82",
            ["0xE2", "offset 9"],
        ),
        ("an invalid first byte", b"\x80", ["not UTF-8", "line 1"]),
    ] {
        let Err(message) = TextFile::decode(bytes, "a.dat") else {
            panic!("{rule}: these bytes are not UTF-8 text, and decode accepts them");
        };
        assert_contains(rule, &message, &["`a.dat`", parts[0], parts[1]]);
    }
}

#[test]
fn test_ch6_replace_changes_only_the_range() {
    for (rule, bytes, wanted, new, expected) in [
        ("\\n", "one\ntwo\n", "two", "2", "one\n2\n"),
        (
            "new lines as in the file",
            "one\r\ntwo\r\n",
            "two",
            "2\n2",
            "one\r\n2\r\n2\r\n",
        ),
        (
            "a range over a line end",
            "one\r\ntwo\r\n",
            "one\ntwo",
            "1",
            "1\r\n",
        ),
        (
            "a mark, and \\r\\n in the new text",
            "\u{feff}one\r\ntwo",
            "two",
            "2\r\n3",
            "\u{feff}one\r\n2\r\n3",
        ),
        (
            "mixed line ends stay",
            "a\r\nb\nc\r\nd\n",
            "c",
            "x",
            "a\r\nb\nx\r\nd\n",
        ),
        (
            "most lines end in \\n",
            "a\nb\r\nc\nd\n",
            "c",
            "x\ny",
            "a\nb\r\nx\ny\nd\n",
        ),
        (
            "more than one byte a character",
            "é\r\nü\r\n",
            "ü",
            "漢",
            "é\r\n漢\r\n",
        ),
        ("a whole line", "a\r\nb\r\n", "a\n", "", "b\r\n"),
    ] {
        let mut text = decode(bytes);
        let at = text.normalized().find(wanted).expect("the case is right");
        text.replace(std::slice::from_ref(&(at..at + wanted.len())), new);
        assert_eq!(encode(&text), expected, "{rule}: {new:?} for {wanted:?}");
        assert_eq!(
            text,
            decode(expected),
            "{rule}: the text equals the one that its bytes decode to"
        );
    }
}

#[test]
fn test_ch6_replace_takes_any_number_of_ranges() {
    let mut text = decode("x\r\nx\r\nx");
    text.replace(&[0..1, 2..3, 4..5], "yy");
    assert_eq!(
        encode(&text),
        "yy\r\nyy\r\nyy",
        "all ranges are offsets in the old text"
    );
    let mut text = decode("same");
    text.replace(&[], "new");
    assert_eq!(encode(&text), "same", "no range, no change");
}

#[test]
fn test_ch6_rewrite_keeps_line_ends_and_mark() {
    for (rule, bytes, content, expected) in [
        ("a new content", "old\n", "new\nlines\n", "new\nlines\n"),
        ("the final line end stays", "old\n", "new", "new\n"),
        ("no final line end is added", "old", "new", "new"),
        ("the content may add one", "old", "new\n", "new\n"),
        ("\\r\\n stays", "a\r\nb\r\n", "x\ny", "x\r\ny\r\n"),
        (
            "\\r\\n stays, with mixed content",
            "a\r\nb\r\n",
            "x\r\ny\n",
            "x\r\ny\r\n",
        ),
        (
            "\\r\\n on half of the lines",
            "a\r\nb\nc\n",
            "x\ny\n",
            "x\ny\n",
        ),
        (
            "the content may have \\r\\n",
            "a\nb\n",
            "x\r\ny\r\n",
            "x\r\ny\r\n",
        ),
        ("the mark stays", "\u{feff}old\n", "new\n", "\u{feff}new\n"),
        (
            "there is one mark",
            "\u{feff}old\n",
            "\u{feff}new\n",
            "\u{feff}new\n",
        ),
        ("empty content stays empty", "old\n", "", ""),
        ("the file was empty", "", "new", "new"),
    ] {
        let mut text = decode(bytes);
        text.rewrite(content);
        assert_eq!(
            encode(&text),
            expected,
            "{rule}: {content:?} over {bytes:?}"
        );
        assert_eq!(
            text,
            decode(expected),
            "{rule}: the text equals the one that its bytes decode to"
        );
    }
}
