//! Section 7.2: Bytes that come in pieces

use claw_code::tools::shell::*;

#[test]
fn test_ch7_characters_survive_any_cut() {
    let text = "aé漢🦀, and again: 🦀漢éa";
    let bytes = text.as_bytes();
    for first in 0..=bytes.len() {
        for second in first..=bytes.len() {
            let pieces = [&bytes[..first], &bytes[first..second], &bytes[second..]];
            assert_eq!(
                decoded(&pieces),
                text,
                "cut at the bytes {first} and {second}, the text is the same"
            );
        }
    }
    let one_by_one: Vec<&[u8]> = bytes.chunks(1).collect();
    assert_eq!(decoded(&one_by_one), text, "so it is byte by byte");
}

#[test]
fn test_ch7_text_comes_as_soon_as_it_can() {
    let mut decoder = Decoder::default();
    assert_eq!(
        decoder.push("a漢".as_bytes()),
        "a漢",
        "whole characters are returned at once"
    );
    assert_eq!(
        decoder.push(&"é!".as_bytes()[..1]),
        "",
        "half of one is held back"
    );
    assert_eq!(
        decoder.push(&"é!".as_bytes()[1..]),
        "é!",
        "and is whole with the next piece"
    );
    assert_eq!(decoder.finish(), "", "nothing is left");
}

#[test]
fn test_ch7_bad_bytes_are_replaced() {
    for bytes in [
        &b"\xFF"[..],
        b"a\xFF\xFEb",
        b"\x80\x80",
        b"\xE6\xBCA",
        b"\xF0\x9F\xA6",
        b"a\xE6",
        b"\xE6\xE6\xBC\xA2",
        b"\xED\xA0\x80",
        b"\xC0\xAF",
        b"\xF0\x9F\xF0\x9F\xA6\x80",
    ] {
        let whole = String::from_utf8_lossy(bytes);
        assert_eq!(
            decoded(&[bytes]),
            whole,
            "what is no UTF-8 becomes U+FFFD; the bytes are {bytes:x?}"
        );
        for cut in 0..=bytes.len() {
            assert_eq!(
                decoded(&[&bytes[..cut], &bytes[cut..]]),
                whole,
                "where they are cut makes no difference; the bytes are {bytes:x?}, cut at {cut}"
            );
        }
    }
}

fn decoded(pieces: &[&[u8]]) -> String {
    let mut decoder = Decoder::default();
    let mut text: String = pieces.iter().map(|piece| decoder.push(piece)).collect();
    text.push_str(&decoder.finish());
    text
}
