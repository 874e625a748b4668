//! Section 7.1: UTF-8 in chunks

use claw_code::tools::shell::*;

#[test]
fn test_ch7_chunk_boundaries_make_no_difference() {
    let text = "aé漢🦀, and again: 🦀漢éa";
    let bytes = text.as_bytes();
    for first in 0..=bytes.len() {
        for second in first..=bytes.len() {
            let chunks = [&bytes[..first], &bytes[first..second], &bytes[second..]];
            assert_eq!(
                decode(&chunks),
                text,
                "chunks that end at the bytes {first} and {second} give the same text"
            );
        }
    }
    let single_bytes: Vec<&[u8]> = bytes.chunks(1).collect();
    assert_eq!(
        decode(&single_bytes),
        text,
        "chunks of one byte give the same text"
    );
}

#[test]
fn test_ch7_complete_characters_are_returned_at_once() {
    let mut decoder = Utf8Decoder::default();
    assert_eq!(
        decoder.push(b"a\xFF\xE6\xBC\xA2"),
        "a\u{fffd}漢",
        "complete characters and invalid bytes are returned at once"
    );
    assert_eq!(
        decoder.push(&"ok é!".as_bytes()[..4]),
        "ok ",
        "an incomplete character is held back, and the text before it is returned at once"
    );
    assert_eq!(
        decoder.push(&"ok é!".as_bytes()[4..]),
        "é!",
        "the next chunk completes it"
    );
    assert_eq!(decoder.finish(), "", "nothing is left");
}

#[test]
fn test_ch7_invalid_bytes_are_replaced() {
    for (rule, bytes) in [
        ("an invalid byte", &b"\xFF"[..]),
        ("two invalid bytes in text", b"a\xFF\xFEb"),
        ("two continuation bytes", b"\x80\x80"),
        ("an incomplete character", b"\xE6\xBCA"),
        ("three of four bytes at the end", b"\xF0\x9F\xA6"),
        ("one of three bytes at the end", b"a\xE6"),
        ("a first byte before a character", b"\xE6\xE6\xBC\xA2"),
        ("a surrogate", b"\xED\xA0\x80"),
        ("an overlong form", b"\xC0\xAF"),
        (
            "half a character before another",
            b"\xF0\x9F\xF0\x9F\xA6\x80",
        ),
    ] {
        let expected = String::from_utf8_lossy(bytes);
        assert_eq!(
            decode(&[bytes]),
            expected,
            "{rule} becomes U+FFFD: {bytes:x?}"
        );
        for cut in 0..=bytes.len() {
            assert_eq!(
                decode(&[&bytes[..cut], &bytes[cut..]]),
                expected,
                "{rule}: {bytes:x?} in two chunks, the first of {cut} bytes"
            );
        }
    }
}

fn decode(chunks: &[&[u8]]) -> String {
    let mut decoder = Utf8Decoder::default();
    let mut text: String = chunks.iter().map(|chunk| decoder.push(chunk)).collect();
    text.push_str(&decoder.finish());
    text
}
