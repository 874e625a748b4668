//! Section 6.3: What a model does not see

use claw_code::tools::*;

use super::support::*;

#[test]
fn test_ch6_text_is_plain() {
    for (bytes, plain) in [
        ("", ""),
        ("one\ntwo\n", "one\ntwo\n"),
        ("one\r\ntwo\r\n", "one\ntwo\n"),
        ("one\r\ntwo\nthree", "one\ntwo\nthree"),
        ("\u{feff}one\r\n", "one\n"),
        ("a\rb\u{feff}c\n", "a\rb\u{feff}c\n"),
    ] {
        let text = decoded(bytes);
        assert_eq!(
            text.plain(),
            plain,
            "{bytes:?}: a model sees line ends as \\n and no byte order mark in front"
        );
        assert_eq!(
            text.encode(),
            bytes.as_bytes(),
            "{bytes:?}: unchanged, it is written as it was read"
        );
    }
}

#[test]
fn test_ch6_text_or_not() {
    let late = [&[b'x'; 9_999][..], b"\0"].concat();
    for (bytes, words) in [
        (&b"\x7fELF\x02\0\0"[..], ["binary", "offset 5"]),
        (b"\xff\xfeh\0i\0", ["UTF-16", "iconv"]),
        (b"\xfe\xff\0h\0i", ["UTF-16", "iconv"]),
        (b"ok\n\ncaf\xe9\n", ["0xE9", "line 3"]),
        (b"cut off: \xe2\x82", ["0xE2", "offset 9"]),
        (b"\x80", ["not UTF-8", "line 1"]),
        (&late[..], ["binary", "offset 9999"]),
    ] {
        let Err(message) = Text::decode(bytes, "a.dat") else {
            let start = bytes.len().min(40);
            panic!(
                "{} bytes that begin {:?} are no UTF-8 text, and were taken for one",
                bytes.len(),
                String::from_utf8_lossy(&bytes[..start])
            );
        };
        contains(&message, &["`a.dat`", words[0], words[1]]);
    }
}

#[test]
fn test_ch6_text_replace_touches_nothing_else() {
    for (bytes, wanted, new, after) in [
        ("one\ntwo\n", "two", "2", "one\n2\n"),
        ("one\r\ntwo\r\n", "two", "2\n2", "one\r\n2\r\n2\r\n"),
        ("one\r\ntwo\r\n", "one\ntwo", "1", "1\r\n"),
        (
            "\u{feff}one\r\ntwo",
            "two",
            "2\r\n3",
            "\u{feff}one\r\n2\r\n3",
        ),
        ("a\r\nb\nc\r\nd\n", "c", "x", "a\r\nb\nx\r\nd\n"),
        ("a\nb\r\nc\nd\n", "c", "x\ny", "a\nb\r\nx\ny\nd\n"),
        ("é\r\nü\r\n", "ü", "漢", "é\r\n漢\r\n"),
        ("a\r\nb\r\n", "a\n", "", "b\r\n"),
    ] {
        let mut text = decoded(bytes);
        let at = text.plain().find(wanted).expect("the case is right");
        let range = at..at + wanted.len();
        text.replace(std::slice::from_ref(&range), new);
        assert_eq!(
            String::from_utf8_lossy(&text.encode()),
            after,
            "{bytes:?} with {new:?} for {wanted:?}: new lines end as most do, and all else is as it was"
        );
        assert_eq!(
            text,
            decoded(after),
            "afterwards the text is the one that its bytes would be decoded to"
        );
    }
    let mut text = decoded("x\r\nx\r\nx");
    text.replace(&[0..1, 2..3, 4..5], "yy");
    assert_eq!(
        text.encode(),
        b"yy\r\nyy\r\nyy",
        "several ranges are those of the text before any was replaced"
    );
    let mut text = decoded("same");
    text.replace(&[], "new");
    assert_eq!(text.encode(), b"same", "no range, no change");
}

#[test]
fn test_ch6_text_rewrite_keeps_the_shape() {
    for (bytes, content, after) in [
        ("old\n", "new\nlines\n", "new\nlines\n"),
        ("old\n", "new", "new\n"),
        ("old", "new", "new"),
        ("old", "new\n", "new\n"),
        ("a\r\nb\r\n", "x\ny", "x\r\ny\r\n"),
        ("a\r\nb\r\n", "x\r\ny\n", "x\r\ny\r\n"),
        ("a\r\nb\nc\n", "x\ny\n", "x\ny\n"),
        ("a\nb\n", "x\r\ny\r\n", "x\r\ny\r\n"),
        ("\u{feff}old\n", "new\n", "\u{feff}new\n"),
        ("\u{feff}old\n", "\u{feff}new\n", "\u{feff}new\n"),
        ("old\n", "", ""),
        ("", "new", "new"),
    ] {
        let mut text = decoded(bytes);
        text.rewrite(content);
        assert_eq!(
            String::from_utf8_lossy(&text.encode()),
            after,
            "{content:?} over {bytes:?}: one byte order mark and the final line end stay, and so do the line ends where most were \\r\\n"
        );
        assert_eq!(text, decoded(after), "and the plain text goes with it");
    }
}
