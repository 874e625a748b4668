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
        (
            "only the first mark",
            "\u{feff}\u{feff}a\u{feff}",
            "\u{feff}a\u{feff}",
        ),
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
        ("NUL", &b"\x7fELF\x02\0\0"[..], ["binary", "offset 5"]),
        ("NUL at the end", &late[..], ["binary", "offset 9999"]),
        ("NUL and not UTF-8", b"\xe9\0", ["binary", "offset 1"]),
        ("UTF-16 LE", b"\xff\xfeh\0i\0", ["UTF-16", "iconv"]),
        ("UTF-16 BE", b"\xfe\xff\0h\0i", ["UTF-16", "iconv"]),
        ("Latin-1", b"ok\n\ncaf\xe9\n", ["0xE9", "line 3"]),
        ("incomplete", b"cut off: \xe2\x82", ["0xE2", "offset 9"]),
        ("invalid", b"\x80", ["not UTF-8", "line 1"]),
        ("invalid", b"a\xe2\x82A", ["0xE2", "offset 1"]),
        (
            "NUL after a byte order mark",
            b"\xef\xbb\xbfa\0",
            ["binary", "offset 4"],
        ),
        (
            "invalid after a byte order mark",
            b"\xef\xbb\xbfab\xe9\n",
            ["0xE9", "offset 5"],
        ),
    ] {
        let Err(message) = TextFile::decode(bytes.to_vec(), "a.dat") else {
            panic!("{rule}: these bytes are not UTF-8 text, and decode accepts them");
        };
        assert_contains(rule, &message, &["`a.dat`", parts[0], parts[1]]);
    }
}

#[test]
fn test_ch6_decode_does_not_copy_the_text() {
    let bytes = b"one\ntwo\n".to_vec();
    let address = bytes.as_ptr();
    let text = TextFile::decode(bytes, "a.txt").expect("the text is UTF-8");
    assert_eq!(
        text.encode().as_ptr(),
        address,
        "the decoded text is the vector that was passed, and not a copy"
    );
}

#[test]
fn test_ch6_replace_changes_only_the_range() {
    // Brackets mark the range.
    for (bytes, new, expected) in [
        ("one\n[two]\n", "2", "one\n2\n"),
        ("one\n[two]\n", "2\r\n2", "one\n2\n2\n"),
        ("one\r\n[two]\r\n", "2\n2", "one\r\n2\r\n2\r\n"),
        ("[one\r\ntwo]\r\n", "1", "1\r\n"),
        ("\u{feff}one\r\n[two]", "2\r\n3", "\u{feff}one\r\n2\r\n3"),
        ("a\r\nb\n[c]\r\nd\n", "x", "a\r\nb\nx\r\nd\n"),
        ("a\nb\r\n[c]\nd\n", "x\ny", "a\nb\r\nx\ny\nd\n"),
        ("é\r\n[ü]\r\n", "漢", "é\r\n漢\r\n"),
        ("[a\r\n]b\r\n", "", "b\r\n"),
    ] {
        let marked = decode(bytes);
        let at = |bracket| marked.normalized().find(bracket).expect("a bracket");
        let range = at('[')..at(']') - 1;
        let mut text = decode(&bytes.replace(['[', ']'], ""));
        text.replace(std::slice::from_ref(&range), new);
        assert_eq!(
            encode(&text),
            expected,
            "{new:?} in {bytes:?}: new lines end like most lines, and the rest is unchanged"
        );
        assert_eq!(text, decode(expected), "{bytes:?}: equal to decoded bytes");
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
