//! Section 2.4: Events of a stream

use std::time::Duration;

use claw_code::provider::*;

use super::support::*;

#[test]
fn test_ch2_sse_fields() {
    for (stream, expected) in [
        ("data: a\n\n", vec![event("message", "a", "")]),
        ("data:a\n\n", vec![event("message", "a", "")]),
        ("data:  a \n\n", vec![event("message", " a ", "")]),
        ("data: a: b:c\n\n", vec![event("message", "a: b:c", "")]),
        ("data: a\ndata: b\n\n", vec![event("message", "a\nb", "")]),
        (
            "data: a\ndata\ndata: b\n\n",
            vec![event("message", "a\n\nb", "")],
        ),
        ("data\n\n", vec![event("message", "", "")]),
        ("data:\n\n", vec![event("message", "", "")]),
        ("data\ndata\n\n", vec![event("message", "\n", "")]),
        ("event: ping\ndata: a\n\n", vec![event("ping", "a", "")]),
        ("data: a\nevent: ping\n\n", vec![event("ping", "a", "")]),
        (
            "event: ping\nevent: pong\ndata: a\n\n",
            vec![event("pong", "a", "")],
        ),
        ("event\ndata: a\n\n", vec![event("message", "a", "")]),
        ("Data: a\n\n", vec![]),
        (" data: a\n\n", vec![]),
        ("other: a\ndata: b\n\n", vec![event("message", "b", "")]),
        ("\n\n\ndata: a\n\n\n\n", vec![event("message", "a", "")]),
    ] {
        assert_eq!(decoded(stream), Ok(expected), "the events of {stream:?}");
    }
}

#[test]
fn test_ch2_sse_events_do_not_mix() {
    assert_eq!(
        decoded("event: ping\ndata: a\n\ndata: b\n\n"),
        Ok(vec![event("ping", "a", ""), event("message", "b", "")]),
        "an event's name is its own: the next event starts without one"
    );
    assert_eq!(
        decoded("event: ping\n\ndata: b\n\n"),
        Ok(vec![event("message", "b", "")]),
        "an event without data is none, and its name goes with it"
    );
    assert_eq!(
        decoded("data: a\n\ndata: never ended\n"),
        Ok(vec![event("message", "a", "")]),
        "an event that no empty line ends is not given out"
    );
}

#[test]
fn test_ch2_sse_comments_are_passed_over() {
    assert_eq!(
        decoded(
            ": OPENROUTER PROCESSING\n\n:\n\n:data: x\ndata: a\n: between\ndata: b\n\n: end\n\n"
        ),
        Ok(vec![event("message", "a\nb", "")]),
        "a line that begins with a colon is a comment, and comments alone are no event"
    );
}

#[test]
fn test_ch2_sse_id_stays() {
    assert_eq!(
        decoded("data: a\n\nid: 7\ndata: b\n\ndata: c\n\nid: 8\n\ndata: d\n\nid\ndata: e\n\n"),
        Ok(vec![
            event("message", "a", ""),
            event("message", "b", "7"),
            event("message", "c", "7"),
            event("message", "d", "8"),
            event("message", "e", ""),
        ]),
        "an id holds until the stream gives another, in an event without data too"
    );
    assert_eq!(
        decoded("id: 7\ndata: a\n\nid: 8\0\ndata: b\n\n"),
        Ok(vec![event("message", "a", "7"), event("message", "b", "7")]),
        "an id with U+0000 in it is passed over"
    );
}

#[test]
fn test_ch2_sse_retry() {
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
        decoder.push(stream.as_bytes());
        while decoder.next_event().expect("a good stream").is_some() {}
        assert_eq!(
            decoder.reconnection_time(),
            expected.map(Duration::from_millis),
            "`retry` is a number of milliseconds or nothing, after {stream:?}"
        );
    }
}

#[test]
fn test_ch2_sse_under_any_split() {
    for corpus in CORPUS {
        let bytes = corpus.as_bytes();
        let whole = decoded_from(&[bytes]);
        assert!(whole.is_ok(), "{corpus:?} is a good stream: {whole:?}");
        for first in 0..=bytes.len() {
            for second in [first, (first + 1).min(bytes.len()), bytes.len()] {
                let pieces = [&bytes[..first], &bytes[first..second], &bytes[second..]];
                assert_eq!(
                    decoded_from(&pieces),
                    whole,
                    "{corpus:?}, cut at byte {first} and at byte {second}: the events should be the same as of the whole"
                );
            }
        }
        for size in 1..=7 {
            let pieces: Vec<&[u8]> = bytes.chunks(size).collect();
            assert_eq!(
                decoded_from(&pieces),
                whole,
                "{corpus:?} in pieces of {size}"
            );
        }
    }
}

#[test]
fn test_ch2_sse_line_ends_do_not_matter() {
    for corpus in CORPUS.iter().filter(|corpus| !corpus.contains('\r')) {
        for end in ["\r", "\r\n"] {
            assert_eq!(
                decoded(&corpus.replace('\n', end)),
                decoded(corpus),
                "{corpus:?} with {end:?} at every line's end"
            );
        }
    }
}

#[test]
fn test_ch2_sse_limit() {
    let limit = 40;
    let long = "x".repeat(limit);
    for stream in [
        format!("data: {long}\n\n"),
        format!("data: {long}"),
        format!(": {long}\n"),
        format!("event: {long}\ndata: a\n\n"),
        "data: eighteen bytes..\n".repeat(3),
        "data\n".repeat(50),
    ] {
        let stream = format!("data: before\n\n{stream}");
        for size in [1, 3, stream.len()] {
            let mut decoder = SseDecoder::new(limit);
            let mut events = Vec::new();
            let outcome = stream.as_bytes().chunks(size).try_for_each(|piece| {
                decoder.push(piece);
                take_all(&mut decoder, &mut events)
            });
            assert_eq!(
                outcome,
                Err(SseError::TooLarge(limit)),
                "{stream:?} in pieces of {size} has more than {limit} bytes in one event"
            );
            assert_eq!(
                events,
                [event("message", "before", "")],
                "what came before the oversized event is not lost"
            );
        }
    }
    let fits = format!("data: {}\n\n", "x".repeat(limit - 6)).repeat(9);
    let mut decoder = SseDecoder::new(limit);
    decoder.push(fits.as_bytes());
    let mut events = Vec::new();
    assert_eq!(
        take_all(&mut decoder, &mut events),
        Ok(()),
        "the limit is for one event, not for the stream"
    );
    assert_eq!(events.len(), 9);
}

#[test]
fn test_ch2_sse_refuses_what_is_not_utf8() {
    let bytes: &[u8] = b"data: good\n\ndata: b\xFFd\n\ndata: after\n\n";
    for size in [1, 4, bytes.len()] {
        let pieces: Vec<&[u8]> = bytes.chunks(size).collect();
        let mut decoder = SseDecoder::new(1024);
        let mut events = Vec::new();
        let outcome = pieces.iter().try_for_each(|piece| {
            decoder.push(piece);
            take_all(&mut decoder, &mut events)
        });
        assert_eq!(
            outcome,
            Err(SseError::NotUtf8),
            "a byte that no UTF-8 has is reported, in pieces of {size}"
        );
        assert_eq!(events, [event("message", "good", "")]);
    }
}

/// Streams that the WHATWG's rules have something to say about.
const CORPUS: [&str; 7] = [
    "data: {\"a\":1}\n\ndata: {\"b\":2}\n\ndata: [DONE]\n\n",
    "\u{FEFF}event: ping\r\ndata: a\r\ndata: b\r\n\r\n: comment\r\n\r\nid: 1\rdata: c\r\rdata: d\n\r",
    "data: Grüße, 中文 and 🦀\n\ndata: é\n\n",
    "id: 7\ndata\n\ndata\ndata\n\nevent: x\n\ndata: y\nretry: 10\n\n",
    "data:no space\ndata:  two\n\n:\n::\ndata: a:b: c\n\n",
    "\r\n\n\rdata: a\r\r\r\ndata: b\n\n\n\ndata: cut off\n",
    "event:\ndata: \u{FEFF}inside\n\nid\ndata: z\n\nfoo: bar\nfoo\n\n",
];

fn decoded(stream: &str) -> Result<Vec<SseEvent>, SseError> {
    decoded_from(&[stream.as_bytes()])
}

/// The events of a stream that comes in these pieces.
fn decoded_from(pieces: &[&[u8]]) -> Result<Vec<SseEvent>, SseError> {
    let mut decoder = SseDecoder::new(1024);
    let mut events = Vec::new();
    for piece in pieces {
        decoder.push(piece);
        take_all(&mut decoder, &mut events)?;
    }
    Ok(events)
}

fn take_all(decoder: &mut SseDecoder, events: &mut Vec<SseEvent>) -> Result<(), SseError> {
    while let Some(event) = decoder.next_event()? {
        events.push(event);
    }
    Ok(())
}
