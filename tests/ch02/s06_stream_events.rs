//! Section 2.6: Events of a stream

use std::time::Duration;

use bytes::Bytes;
use claw_code::provider::*;

#[test]
fn test_ch2_sse_data_lines_are_joined() {
    for (stream, data) in [
        ("data: a\n\n", "a"),
        ("data:a\n\n", "a"),
        ("data:  a \n\n", " a "),
        ("data: a: b:c\n\n", "a: b:c"),
        ("data: a\ndata: b\n\n", "a\nb"),
        ("data: a\ndata\ndata: b\n\n", "a\n\nb"),
        ("data\n\n", ""),
        ("data:\n\n", ""),
        ("data\ndata\n\n", "\n"),
        ("\n\n\ndata: a\n\n\n\n", "a"),
    ] {
        assert_events("the event's data", stream, &[("message", data, "")]);
    }
}

#[test]
fn test_ch2_sse_event_field_sets_the_type() {
    for (stream, event) in [
        ("event: ping\ndata: a\n\n", "ping"),
        ("data: a\nevent: ping\n\n", "ping"),
        ("event: ping\nevent: pong\ndata: a\n\n", "pong"),
        ("event\ndata: a\n\n", "message"),
    ] {
        assert_events("the event's type", stream, &[(event, "a", "")]);
    }
}

#[test]
fn test_ch2_sse_other_fields_are_ignored() {
    for (rule, stream, expected) in [
        ("field names are in lower case", "Data: a\n\n", &[][..]),
        ("a space is part of the name", " data: a\n\n", &[]),
        (
            "an unknown field changes nothing",
            "other: a\ndata: b\n\n",
            &[("message", "b", "")],
        ),
        (
            "a line that begins with a colon is a comment, and a comment makes no event",
            ": OPENROUTER PROCESSING\n\n:\n\n:data: x\ndata: a\n: between\ndata: b\n\n: end\n\n",
            &[("message", "a\nb", "")],
        ),
    ] {
        assert_events(rule, stream, expected);
    }
}

#[test]
fn test_ch2_sse_events_do_not_mix() {
    for (rule, stream, expected) in [
        (
            "a type applies to one event",
            "event: ping\ndata: a\n\ndata: b\n\n",
            &[("ping", "a", ""), ("message", "b", "")][..],
        ),
        (
            "an event without data is discarded, together with its type",
            "event: ping\n\ndata: b\n\n",
            &[("message", "b", "")],
        ),
        (
            "an event without an empty line at its end is not returned",
            "data: a\n\ndata: never ended\n",
            &[("message", "a", "")],
        ),
    ] {
        assert_events(rule, stream, expected);
    }
}

#[test]
fn test_ch2_sse_id_stays_until_replaced() {
    assert_events(
        "an id stays until the next one, even if that is in an event without data",
        "data: a\n\nid: 7\ndata: b\n\ndata: c\n\nid: 8\n\ndata: d\n\nid\ndata: e\n\n",
        &[
            ("message", "a", ""),
            ("message", "b", "7"),
            ("message", "c", "7"),
            ("message", "d", "8"),
            ("message", "e", ""),
        ],
    );
    assert_events(
        "an id with U+0000 is ignored",
        "id: 7\ndata: a\n\nid: 8\0\ndata: b\n\n",
        &[("message", "a", "7"), ("message", "b", "7")],
    );
}

#[test]
fn test_ch2_sse_retry_sets_the_reconnection_time() {
    for (stream, expected) in [
        ("data: a\n\n", None),
        ("retry: 1500\n", Some(1500)),
        ("retry:0\n", Some(0)),
        ("retry: 1\nretry: 2\n\n", Some(2)),
        ("retry: 1500\nretry: soon\n", Some(1500)),
        ("retry: 1500\nretry: +9\n", Some(1500)),
        ("retry: 1500\nretry: 1.5\n", Some(1500)),
        ("retry: 1500\nretry:\n", Some(1500)),
        ("retry: 1500\nretry: 99999999999999999999999\n", Some(1500)),
        ("retry: -1\n", None),
    ] {
        let mut decoder = SseDecoder::new(1024);
        decoder.push(Bytes::from_static(stream.as_bytes()));
        while decoder.next_event().expect("a valid stream").is_some() {}
        assert_eq!(
            decoder.reconnection_time(),
            expected.map(Duration::from_millis),
            "the last `retry` of digits only counts, in milliseconds, after {stream:?}"
        );
    }
}

#[test]
fn test_ch2_sse_events_do_not_depend_on_splits() {
    for stream in STREAMS {
        let bytes = stream.as_bytes();
        let expected = decode(&[bytes], 1024);
        assert_eq!(expected.1, None, "{stream:?} is a valid stream");
        let at_two_bytes = (0..=bytes.len()).flat_map(|first| {
            let seconds = [first, (first + 1).min(bytes.len()), bytes.len()];
            seconds.map(|second| vec![&bytes[..first], &bytes[first..second], &bytes[second..]])
        });
        let in_equal_pieces = (1..=7).map(|size| bytes.chunks(size).collect());
        for pieces in at_two_bytes.chain(in_equal_pieces) {
            let lengths: Vec<usize> = pieces.iter().map(|piece| piece.len()).collect();
            assert_eq!(
                decode(&pieces, 1024),
                expected,
                "{stream:?} in pieces of {lengths:?} bytes: the events should stay the same"
            );
        }
    }
}

#[test]
fn test_ch2_sse_accepts_any_line_end() {
    for stream in STREAMS.iter().filter(|stream| !stream.contains('\r')) {
        for end in ["\r", "\r\n"] {
            let changed = stream.replace('\n', end);
            assert_eq!(
                decode(&[changed.as_bytes()], 1024),
                decode(&[stream.as_bytes()], 1024),
                "{stream:?} with the line end {end:?}"
            );
        }
    }
}

#[test]
fn test_ch2_sse_event_over_the_limit_is_an_error() {
    let limit = 40;
    let long = "x".repeat(limit);
    for stream in [
        format!("data: {long}\n\n"),
        format!("data: {long}"),
        format!(": {long}\n"),
        format!("data:{}\n\n", &long[5 - 1..]),
        format!("event: {long}\ndata: a\n\n"),
        "data: eighteen bytes..\n".repeat(3) + "\n",
        "data\n".repeat(50) + "\n",
    ] {
        let stream = format!("data: before\n\n{stream}");
        for size in [1, 3, stream.len()] {
            let pieces: Vec<&[u8]> = stream.as_bytes().chunks(size).collect();
            assert_eq!(
                decode(&pieces, limit),
                (
                    vec![event(("message", "before", ""))],
                    Some(SseError::TooLarge(limit))
                ),
                "{stream:?} in pieces of {size}: the second event has more than {limit} bytes, and the first is returned"
            );
        }
    }
}

#[test]
fn test_ch2_sse_limit_adds_the_unfinished_line_to_the_data() {
    let limit = 40;
    let mut decoder = SseDecoder::new(limit);
    decoder.push(format!("data: {}\n", "x".repeat(29)).into());
    assert_eq!(decoder.next_event(), Ok(None), "30 bytes of data");
    decoder.push("x".repeat(10).into());
    assert_eq!(
        decoder.next_event(),
        Ok(None),
        "the unfinished line and the data before it may have {limit} bytes together"
    );
    decoder.push("x".repeat(10).into());
    assert_eq!(
        decoder.next_event(),
        Err(SseError::TooLarge(limit)),
        "the unfinished line and the data before it have 50 bytes together"
    );
}

#[test]
fn test_ch2_sse_limit_is_for_one_event() {
    let limit = 40;
    let fits = format!("data: {}\n\n", "x".repeat(limit - 6)).repeat(9);
    let fits = format!("id: 7\nevent: ping\n{fits}");
    let (events, error) = decode(&[fits.as_bytes()], limit);
    assert_eq!(
        (events.len(), error),
        (9, None),
        "each line of data has {limit} bytes and is within the limit: the id, the type and other events do not count"
    );
    let marked = "\u{FEFF}data:abc\n\n".as_bytes();
    for size in 1..=marked.len() {
        let pieces: Vec<&[u8]> = marked.chunks(size).collect();
        let expected = (vec![event(("message", "abc", ""))], None);
        let rule = "a byte order mark does not count";
        assert_eq!(decode(&pieces, 8), expected, "{rule}, in pieces of {size}");
    }
}

#[test]
fn test_ch2_sse_limit_is_checked_before_utf8() {
    let limit = 40;
    let bytes = [b"data: ".as_slice(), &[0xFF; 40], b"\n\n"].concat();
    for size in [1, bytes.len()] {
        let pieces: Vec<&[u8]> = bytes.chunks(size).collect();
        assert_eq!(
            decode(&pieces, limit),
            (Vec::new(), Some(SseError::TooLarge(limit))),
            "a line that is too long and not UTF-8 is too long, in pieces of {size}"
        );
    }
}

#[test]
fn test_ch2_sse_rejects_invalid_utf8() {
    let data: &[u8] = b"data: good\n\ndata: b\xFFd\n\ndata: after\n\n";
    let comment: &[u8] = b"data: good\n\n: \xFF\ndata: after\n\n";
    for bytes in [data, comment] {
        for size in [1, 4, bytes.len()] {
            let pieces: Vec<&[u8]> = bytes.chunks(size).collect();
            assert_eq!(
                decode(&pieces, 1024),
                (
                    vec![event(("message", "good", ""))],
                    Some(SseError::NotUtf8)
                ),
                "a line that is not UTF-8, a comment too, is an error after the events before it, in pieces of {size}"
            );
        }
    }
}

/// Streams that use most rules of the format.
const STREAMS: [&str; 7] = [
    "data: {\"a\":1}\n\ndata: {\"b\":2}\n\ndata: [DONE]\n\n",
    "\u{FEFF}event: ping\r\ndata: a\r\ndata: b\r\n\r\n: comment\r\n\r\nid: 1\rdata: c\r\rdata: d\n\r",
    "data: Grüße, 中文 and 🦀\n\ndata: é\n\n",
    "id: 7\ndata\n\ndata\ndata\n\nevent: x\n\ndata: y\nretry: 10\n\n",
    "data:no space\ndata:  two\n\n:\n::\ndata: a:b: c\n\n",
    "\r\n\n\rdata: a\r\r\r\ndata: b\n\n\n\ndata: cut off\n",
    "event:\ndata: \u{FEFF}inside\n\nid\ndata: z\n\nfoo: bar\nfoo\n\n",
];

/// Checks the events of a stream, each as its type, its data and its id.
#[track_caller]
fn assert_events(rule: &str, stream: &str, expected: &[(&str, &str, &str)]) {
    let expected = expected.iter().copied().map(event).collect();
    assert_eq!(
        decode(&[stream.as_bytes()], 1024),
        (expected, None),
        "{rule}: {stream:?}"
    );
}

fn event((event, data, id): (&str, &str, &str)) -> SseEvent {
    SseEvent {
        event: event.to_string().into(),
        data: data.into(),
        id: id.into(),
    }
}

/// The events of a stream that arrives in these pieces, and the error that ended it.
fn decode(pieces: &[&[u8]], limit: usize) -> (Vec<SseEvent>, Option<SseError>) {
    let mut decoder = SseDecoder::new(limit);
    let mut events = Vec::new();
    for piece in pieces {
        decoder.push(Bytes::copy_from_slice(piece));
        loop {
            match decoder.next_event() {
                Ok(Some(event)) => events.push(event),
                Ok(None) => break,
                Err(error) => return (events, Some(error)),
            }
        }
    }
    (events, None)
}
