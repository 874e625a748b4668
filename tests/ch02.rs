//! Chapter 2, Provider & Streaming.
//!
//! Whatever speaks HTTP here does so over real connections on this machine, to a server
//! that plays a script. Where something has to wait, time is paused or the wait is short.

use std::future::Future;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Mutex;
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use claw_code::provider::*;
use claw_code::types::*;
use claw_offline::{Fault, Reply, Script, Server};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::Instant;

// 2.1 ProviderError

#[test]
fn test_ch2_error_by_status() {
    for (status, body, expected) in [
        (400, "no such parameter", "BadRequest"),
        (401, "bad key", "Authentication"),
        (402, "no credit", "Authentication"),
        (403, "not for you", "Authentication"),
        (404, "no such model", "BadRequest"),
        (408, "too slow", "Overloaded"),
        (409, "conflict", "BadRequest"),
        (413, "too large", "ContextOverflow"),
        (422, "unprocessable", "BadRequest"),
        (429, "slow down", "RateLimited"),
        (
            429,
            r#"{"error":{"message":"Pay.","type":"insufficient_quota"}}"#,
            "Authentication",
        ),
        (301, "moved", "BadRequest"),
        (499, "client closed", "BadRequest"),
        (500, "oops", "Overloaded"),
        (502, "bad gateway", "Overloaded"),
        (503, "unavailable", "Overloaded"),
        (529, "overloaded", "Overloaded"),
    ] {
        let error = ProviderError::from_response(status, None, body);
        assert_eq!(
            kind(&error),
            expected,
            "status {status} with the body {body:?} became {error:?}"
        );
    }
}

#[test]
fn test_ch2_error_keeps_how_long_to_wait() {
    let wait = Some(Duration::from_secs(7));
    for status in [429, 503, 529] {
        for retry_after in [wait, None] {
            let error = ProviderError::from_response(status, retry_after, "busy");
            assert_eq!(
                error.retry_after(),
                retry_after,
                "status {status}: the wait that the server asks for is kept, and none is made up"
            );
        }
    }
    for status in [400, 401, 413] {
        let error = ProviderError::from_response(status, wait, "no");
        assert_eq!(
            error.retry_after(),
            None,
            "status {status}: waiting would not help"
        );
    }
    let broken = ProviderError::Network("cut".into());
    assert_eq!(broken.retry_after(), None, "a dead line asks for nothing");
}

#[test]
fn test_ch2_error_says_what_the_server_said() {
    for (body, words) in [
        (
            r#"{"error":{"message":"Key sk-1 is wrong."}}"#,
            "Key sk-1 is wrong.",
        ),
        (r#"{"error":"model not loaded"}"#, "model not loaded"),
        (r#"{"message":"go away"}"#, "go away"),
        (r#"{"detail":"Not Found"}"#, "Not Found"),
        ("<html><h1>Bad Gateway</h1></html>", "Bad Gateway"),
        ("", "no reason"),
    ] {
        for status in [400, 401, 413, 429, 503] {
            let said = ProviderError::from_response(status, None, body).to_string();
            assert!(
                said.contains(words) && said.contains(&status.to_string()),
                "the error should name the status {status} and what the body says, {words:?}; it reads: {said}"
            );
        }
    }
}

#[test]
fn test_ch2_error_is_context_overflow() {
    for words in OVERFLOW {
        for text in [
            words.to_string(),
            format!("Error: {}!", words.to_uppercase()),
        ] {
            assert!(is_context_overflow(&text), "{text:?} is a context overflow");
            for status in [400, 422, 500] {
                let error = ProviderError::from_response(status, None, &text);
                assert_eq!(
                    kind(&error),
                    "ContextOverflow",
                    "status {status} with the body {text:?} says that the conversation is too long"
                );
            }
        }
    }
    for text in ["", "too many requests", "the context is fine", "exceeds"] {
        assert!(
            !is_context_overflow(text),
            "{text:?} is no context overflow"
        );
    }
    for (status, expected) in [(429, "RateLimited"), (401, "Authentication")] {
        let error = ProviderError::from_response(status, None, "too many tokens per minute");
        assert_eq!(
            kind(&error),
            expected,
            "status {status} is clear by itself, whatever words its body has"
        );
    }
}

#[test]
fn test_ch2_error_is_retryable() {
    let words = || String::from("words");
    let wait = |retry_after| (words(), retry_after);
    for (retry_after, is_retryable) in [(None, true), (Some(Duration::from_secs(9)), true)] {
        let (message, retry_after) = wait(retry_after);
        let limited = ProviderError::RateLimited {
            message: message.clone(),
            retry_after,
        };
        let overloaded = ProviderError::Overloaded {
            message,
            retry_after,
        };
        let when = match retry_after {
            Some(_) => "try again in 9 s",
            None => "try again in a while",
        };
        assert!(
            limited.to_string().contains(when),
            "the words say when to try again, {when:?}: {limited}"
        );
        assert_eq!(limited.is_retryable(), is_retryable, "{limited:?}");
        assert_eq!(overloaded.is_retryable(), is_retryable, "{overloaded:?}");
    }
    assert!(
        ProviderError::Network(words()).is_retryable(),
        "a connection that failed may hold the next time"
    );
    for error in [
        ProviderError::Authentication(words()),
        ProviderError::ContextOverflow(words()),
        ProviderError::BadRequest(words()),
        ProviderError::MalformedReply(words()),
    ] {
        assert!(
            !error.is_retryable(),
            "the same request again would fare no better: {error:?}"
        );
    }
}

#[test]
fn test_ch2_retry_after() {
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_445_412_480); // 21 Oct 2015 07:28:00
    for (value, seconds) in [
        ("0", Some(0)),
        ("1", Some(1)),
        (" 120 ", Some(120)),
        ("Wed, 21 Oct 2015 07:28:30 GMT", Some(30)),
        ("Wed, 21 Oct 2015 08:28:00 GMT", Some(3600)),
        ("Wed, 21 Oct 2015 07:28:00 GMT", Some(0)),
        ("Wed, 21 Oct 2015 07:00:00 GMT", Some(0)),
        ("Wed, 21 Oct 2015", None),
        ("soon", None),
        ("", None),
        ("-1", None),
    ] {
        assert_eq!(
            parse_retry_after(value, now),
            seconds.map(Duration::from_secs),
            "Retry-After: {value:?}, read on Wed, 21 Oct 2015 07:28:00 GMT"
        );
    }
}

// 2.2 The Provider trait and MockProvider

#[tokio::test]
async fn test_ch2_mock_replies_in_order() {
    let lost = ProviderError::Network("cut".into());
    let mock = MockProvider::new([Ok(said("one")), Err(lost.clone()), Ok(said("two"))]);
    let ask = [Message::User(user("hello"))];
    for expected in [Ok(said("one")), Err(lost), Ok(said("two"))] {
        assert_eq!(
            mock.chat(&ask, &[]).await,
            expected,
            "a script is played from its first reply to its last, errors included"
        );
    }
}

#[tokio::test]
async fn test_ch2_mock_records_requests() {
    let mock = MockProvider::new([Ok(said("one")), Ok(said("two"))]);
    let provider: &dyn Provider = &mock;
    assert!(
        mock.requests().is_empty(),
        "nothing was asked, so nothing is recorded"
    );
    let tools = [tool("read"), tool("bash")];
    let tools: Vec<&ToolDefinition> = tools.iter().collect();
    let first = vec![Message::User(user("one?"))];
    let second = vec![
        Message::User(user("one?")),
        Message::Assistant(said("one")),
        Message::User(user("two?")),
    ];
    let (sender, _receiver) = mpsc::channel(64);
    provider.chat(&first, &tools).await.expect("a reply");
    provider
        .stream(&second, &[], &sender)
        .await
        .expect("a reply");
    assert_eq!(
        mock.requests(),
        [
            RecordedRequest {
                messages: first,
                tools: vec!["read".into(), "bash".into()],
            },
            RecordedRequest {
                messages: second,
                tools: Vec::new(),
            },
        ],
        "every request is recorded once, whole and in order, chat and stream alike"
    );
}

#[tokio::test]
async fn test_ch2_mock_says_when_its_script_is_over() {
    let mock = MockProvider::new([Ok(said("only one"))]);
    let ask = [Message::User(user("hello"))];
    mock.chat(&ask, &[]).await.expect("the one reply");
    for count in [2, 3] {
        let error = mock.chat(&ask, &[]).await.expect_err("nothing is left");
        assert_eq!(kind(&error), "BadRequest", "{error:?}");
        let said = error.to_string();
        assert!(
            said.contains("script") && said.contains(&count.to_string()),
            "the error should say that the script is over, and that request {count} came too much; it reads: {said}"
        );
    }
    assert_eq!(
        mock.requests().len(),
        3,
        "a request without a reply is recorded too: it is the one to look at"
    );
}

#[tokio::test]
async fn test_ch2_mock_streams_its_reply() {
    let mut reply = said("Ein Gruß aus 中文 und 🦀🦀🦀 and more.");
    reply.tool_calls = vec![
        call("call_1", "read", json!({ "path": "src/lib.rs" })),
        call("call_2", "pwd", json!({})),
    ];
    reply.stop_reason = StopReason::ToolUse;
    reply.usage = Some(usage(10, 5, 0));
    let mock = MockProvider::new([Ok(reply.clone())]);
    let (outcome, events) = streamed(&mock, &[], &[]).await;
    assert_eq!(
        outcome,
        Ok(reply.clone()),
        "the reply is given back as it is"
    );
    let texts: Vec<&str> = events.iter().filter_map(text_of).collect();
    assert!(
        texts.len() > 1,
        "a reply arrives in pieces; this one came as {texts:?}"
    );
    assert_eq!(
        Some(texts.concat()),
        reply.text,
        "the pieces make up the text"
    );
    for (index, call) in reply.tool_calls.iter().enumerate() {
        assert_eq!(
            starts(&events).get(index),
            Some(&(index, call.id.clone(), call.name.clone())),
            "call {index} begins once, with its id and its name"
        );
        assert_eq!(
            arguments_of(&events, index),
            call.arguments.to_string(),
            "the argument pieces of call {index} make up its arguments as JSON"
        );
    }
    let order: Vec<u8> = events.iter().map(rank).collect();
    assert!(
        order.is_sorted() && order.contains(&2),
        "text comes before calls, calls before the usage, and Done is last: {events:?}"
    );
    assert_eq!(
        events
            .iter()
            .filter(|event| matches!(event, StreamEvent::Done(_)))
            .collect::<Vec<_>>(),
        [&StreamEvent::Done(StopReason::ToolUse)],
        "Done is sent once, with the reply's stop reason"
    );
}

#[tokio::test]
async fn test_ch2_mock_streams_an_error_without_done() {
    let error = ProviderError::Network("cut".into());
    let mock = MockProvider::new([Err(error.clone()), Ok(said("unheard"))]);
    let (outcome, events) = streamed(&mock, &[], &[]).await;
    assert_eq!(outcome, Err(error));
    assert_eq!(events, [], "an error has no events, and Done least of all");

    let (sender, receiver) = mpsc::channel(1);
    drop(receiver);
    let outcome = in_time(mock.stream(&[], &[], &sender)).await;
    assert_eq!(
        outcome,
        Ok(said("unheard")),
        "a reader that has gone away does not end the reply"
    );
}

// 2.3 Lines of a stream

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
    let mut lines = Lines::default();
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
    let mut lines = Lines::default();
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

// 2.4 Events of a stream

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
            decoder.retry(),
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

// 2.5 StreamAccumulator

#[test]
fn test_ch2_accumulate_text() {
    let reply = accumulated(&[
        StreamEvent::TextDelta("Hel".into()),
        StreamEvent::TextDelta("lo, ".into()),
        StreamEvent::TextDelta("中".into()),
        StreamEvent::Usage(usage(1, 2, 3)),
        StreamEvent::Done(StopReason::Stop),
    ])
    .expect("a whole reply");
    assert_eq!(reply.text.as_deref(), Some("Hello, 中"));
    assert_eq!(reply.tool_calls, []);
    assert_eq!(reply.stop_reason, StopReason::Stop);
    assert_eq!(reply.usage, Some(usage(1, 2, 3)));

    let silent = accumulated(&[StreamEvent::Done(StopReason::Stop)]).expect("a whole reply");
    assert_eq!(
        silent.text, None,
        "no text is None: it is not an empty string"
    );
    assert_eq!(silent.usage, None, "unknown usage is None");
    let twice = accumulated(&[
        StreamEvent::Usage(usage(1, 2, 3)),
        StreamEvent::Usage(usage(4, 5, 9)),
        StreamEvent::Done(StopReason::Stop),
    ]);
    assert_eq!(
        twice.expect("a whole reply").usage,
        Some(usage(4, 5, 9)),
        "of several usages the last one counts: it is of the whole reply"
    );
    assert_ne!(silent.id, reply.id, "every reply has an id of its own");
}

#[test]
fn test_ch2_accumulate_interleaved_calls() {
    let reply = accumulated(&[
        start(1, "call_b", "bash"),
        start(0, "call_a", "read"),
        delta(1, "{\"command\":"),
        delta(0, "{\"path\""),
        start(7, "call_c", "pwd"),
        StreamEvent::TextDelta("Looking.".into()),
        delta(0, ":\"src\"}"),
        delta(1, " \"ls\"}"),
        StreamEvent::Done(StopReason::ToolUse),
    ])
    .expect("a whole reply");
    assert_eq!(
        reply.tool_calls,
        [
            call("call_a", "read", json!({ "path": "src" })),
            call("call_b", "bash", json!({ "command": "ls" })),
            call("call_c", "pwd", json!({})),
        ],
        "pieces go to the call of their index, and the calls stand in the order of their indexes"
    );
    assert_eq!(reply.text.as_deref(), Some("Looking."));
    assert_eq!(reply.stop_reason, StopReason::ToolUse);
}

#[test]
fn test_ch2_accumulate_keeps_a_call_without_a_start() {
    let reply = accumulated(&[
        delta(0, "{\"path\":\"src\"}"),
        StreamEvent::Done(StopReason::ToolUse),
    ])
    .expect("a whole reply");
    assert_eq!(reply.tool_calls.len(), 1, "a call is never dropped");
    let kept = &reply.tool_calls[0];
    assert_eq!(kept.arguments, json!({ "path": "src" }));
    assert!(
        kept.id.starts_with("call_") && kept.id.len() > "call_".len(),
        "a call without an id gets one, so that its result can name it; it got {:?}",
        kept.id
    );
    let late = accumulated(&[
        delta(0, "{\"path\":"),
        start(0, "call_1", "read"),
        delta(0, "\"src\"}"),
        StreamEvent::Done(StopReason::ToolUse),
    ]);
    assert_eq!(
        late.expect("a whole reply").tool_calls,
        [call("call_1", "read", json!({ "path": "src" }))],
        "a start gives the call its id and its name, and the arguments that came before it stay"
    );
}

#[test]
fn test_ch2_accumulate_arguments_that_are_not_json() {
    for (text, expected) in [
        ("", json!({})),
        (" \n", json!({})),
        ("{}", json!({})),
        ("{\"a\": [1, 2]}", json!({ "a": [1, 2] })),
        ("[1]", json!([1])),
        ("{\"path\": \"src", json!("{\"path\": \"src")),
        ("{\"a\": 1} and more", json!("{\"a\": 1} and more")),
        ("ls -la\n", json!("ls -la\n")),
        ("{'a': 1}", json!("{'a': 1}")),
    ] {
        let reply = accumulated(&[
            start(0, "call_1", "bash"),
            delta(0, text),
            StreamEvent::Done(StopReason::ToolUse),
        ])
        .expect("a whole reply");
        assert_eq!(
            reply.tool_calls,
            [call("call_1", "bash", expected)],
            "arguments {text:?}: JSON is read, and what is not JSON is kept to the letter"
        );
    }
}

#[test]
fn test_ch2_accumulate_reports_arguments_that_are_not_json() {
    let torn = call("call_1", "bash", json!("{\"command\": \"ls"));
    let problem = arguments_problem(&torn).expect("these arguments are not JSON");
    for words in ["bash", "{\"command\": \"ls", "line 1"] {
        assert!(
            problem.contains(words),
            "the report should name the tool, quote the arguments and say where they go wrong; {words:?} is missing in: {problem}"
        );
    }
    for fine in [
        json!({}),
        json!({ "command": "ls" }),
        json!([1]),
        json!(null),
        json!("\"a JSON string\""),
    ] {
        assert_eq!(
            arguments_problem(&call("call_1", "bash", fine.clone())),
            None,
            "{fine} is JSON; whether it suits the tool is another question"
        );
    }
}

#[test]
fn test_ch2_accumulate_arguments_that_are_too_deep() {
    let arguments = |text: &str| {
        let reply = accumulated(&[
            start(0, "call_1", "bash"),
            delta(0, text),
            StreamEvent::Done(StopReason::ToolUse),
        ]);
        reply.expect("a whole reply").tool_calls.remove(0).arguments
    };
    let fits = nested(MAX_DEPTH);
    assert_eq!(
        arguments(&fits).to_string(),
        fits,
        "{MAX_DEPTH} levels are JSON like any other"
    );
    for levels in [MAX_DEPTH + 1, 124, 127, 128, 5000] {
        let kept = arguments(&nested(levels));
        assert!(
            kept == json!(nested(levels)),
            "arguments of {levels} levels are kept to the letter, as a JSON string, like those that are not JSON: whatever keeps the call adds levels of its own, and JSON of more than 127 levels is never read again"
        );
        let record = json!([{ "messages": [{ "tool_calls": [{ "arguments": kept }] }] }]);
        let again: Result<Value, _> = serde_json::from_str(&record.to_string());
        assert!(
            again.is_ok_and(|again| again == record),
            "a record of the call can be read again ({levels} levels)"
        );
    }
}

#[test]
fn test_ch2_accumulate_reports_arguments_that_are_too_deep() {
    for levels in [MAX_DEPTH + 1, 127, 128] {
        let deep = call("call_1", "bash", json!(nested(levels)));
        let problem = arguments_problem(&deep);
        assert!(
            problem.is_some(),
            "arguments of {levels} levels were kept as text, so the model has to be told why"
        );
        let problem = problem.unwrap_or_default();
        for words in ["bash", nested(levels).as_str()] {
            assert!(
                problem.contains(words),
                "the report should name the tool and quote the arguments; {words:?} is missing in: {problem}"
            );
        }
    }
    let deep = call("call_1", "bash", json!(nested(MAX_DEPTH + 1)));
    let problem = arguments_problem(&deep).unwrap_or_default();
    let before = problem.split("they were").next().unwrap_or_default();
    assert!(
        before.contains(&MAX_DEPTH.to_string()),
        "the report should say how many levels there may be, {MAX_DEPTH}: {problem}"
    );
    assert_eq!(
        arguments_problem(&call("call_1", "bash", json!(nested(MAX_DEPTH)))),
        None,
        "{MAX_DEPTH} levels are not too many"
    );
}

#[test]
fn test_ch2_accumulate_makes_ids_distinct() {
    let mut events: Vec<StreamEvent> = ["a", "a", "a_2", "", "a", ""]
        .iter()
        .enumerate()
        .map(|(index, id)| start(index, id, "pwd"))
        .collect();
    events.push(StreamEvent::Done(StopReason::ToolUse));
    let reply = accumulated(&events).expect("a whole reply");
    let ids: Vec<&str> = reply.tool_calls.iter().map(|c| c.id.as_str()).collect();
    assert_eq!(
        (ids[0], ids[1], ids[2], ids[4]),
        ("a", "a_2", "a_2_2", "a_3"),
        "the first call of an id keeps it, later ones get the first free number; all: {ids:?}"
    );
    for (at, id) in ids.iter().enumerate() {
        assert!(
            !id.is_empty() && !ids[..at].contains(id),
            "two calls of one id could not both be answered: {ids:?}"
        );
    }
}

#[test]
fn test_ch2_accumulate_wants_the_whole_reply() {
    let error = accumulated(&[
        StreamEvent::TextDelta("Grüße".into()),
        start(0, "call_1", "bash"),
        delta(0, "{}"),
    ])
    .expect_err("there was no Done");
    assert_eq!(kind(&error), "Network", "{error:?}");
    let said = error.to_string();
    let mut numbers: Vec<&str> = said
        .split(|letter: char| !letter.is_ascii_digit())
        .filter(|digits| !digits.is_empty())
        .collect();
    numbers.sort_unstable();
    assert_eq!(
        numbers,
        ["1", "5"],
        "the error should say how much came before the break, 5 characters of text and 1 tool call; it reads: {said}"
    );
}

#[test]
fn test_ch2_accumulate_stop_reason_follows_the_calls() {
    let mut accumulator = StreamAccumulator::default();
    accumulator.push(&StreamEvent::TextDelta("Hm.".into()));
    assert_eq!(
        accumulator.stop_reason(),
        StopReason::Stop,
        "without calls there is nothing to run"
    );
    accumulator.push(&start(3, "call_1", "bash"));
    assert_eq!(
        accumulator.stop_reason(),
        StopReason::ToolUse,
        "with a call there is"
    );
    for (calls, said, expected) in [
        (1, StopReason::Stop, StopReason::ToolUse),
        (0, StopReason::ToolUse, StopReason::Stop),
    ] {
        let mut events: Vec<StreamEvent> = (0..calls).map(|at| start(at, "", "pwd")).collect();
        events.push(StreamEvent::Done(said.clone()));
        let reply = accumulated(&events).expect("a whole reply");
        assert_eq!(
            reply.stop_reason, expected,
            "a reply of {calls} calls whose `Done` says {said:?}: tools have to run exactly when there are calls, whatever the server says"
        );
    }
}

// 2.6 The request body

#[test]
fn test_ch2_request_messages() {
    let mut reply = said("Let me look.");
    reply.tool_calls = vec![
        call("call_1", "read", json!({ "path": "a \"b\"" })),
        call("call_2", "pwd", json!({})),
    ];
    let messages = [
        from_json(json!({
            "type": "System", "id": "m0", "content": "Be brief.", "tag": "compact_boundary"
        })),
        Message::User(user("What is in src?")),
        Message::Assistant(reply),
        tool_result("call_1", "error: no such file"),
        tool_result("call_2", "/work"),
        Message::Assistant(said("There.")),
    ];
    let body = request_body("small-model", &messages, &[], false);
    let expected = [
        json!({ "role": "system", "content": "Be brief." }),
        json!({ "role": "user", "content": "What is in src?" }),
        json!({
            "role": "assistant",
            "content": "Let me look.",
            "tool_calls": [
                { "id": "call_1", "type": "function",
                  "function": { "name": "read", "arguments": "{\"path\":\"a \\\"b\\\"\"}" } },
                { "id": "call_2", "type": "function",
                  "function": { "name": "pwd", "arguments": "{}" } },
            ],
        }),
        json!({ "role": "tool", "tool_call_id": "call_1", "content": "error: no such file" }),
        json!({ "role": "tool", "tool_call_id": "call_2", "content": "/work" }),
        json!({ "role": "assistant", "content": "There." }),
    ];
    for (at, expected) in expected.iter().enumerate() {
        let sent = &body["messages"][at];
        assert!(
            sent == expected,
            "each message in the API's words; message {at} should be\n  {expected}\nand is\n  {sent}"
        );
    }
    let sent = body["messages"].as_array().map(Vec::len);
    assert_eq!(sent, Some(expected.len()), "one entry for each message");
    assert_eq!(body["model"], "small-model");
    let mut rest = body.clone();
    for key in ["model", "messages"] {
        rest.as_object_mut().and_then(|body| body.remove(key));
    }
    assert!(
        rest == json!({}) || rest == json!({ "stream": false }),
        "without tools and without a stream, nothing else is in the body but perhaps `stream`, false; there is {rest}"
    );
}

#[test]
fn test_ch2_request_assistant_without_text() {
    let mut reply = said("");
    reply.text = None;
    let empty = request_body("m", &[Message::Assistant(reply.clone())], &[], false);
    assert_eq!(
        empty["messages"][0],
        json!({ "role": "assistant", "content": "" }),
        "a reply with neither text nor calls has an empty content and no `tool_calls`"
    );
    reply.tool_calls = vec![call("call_1", "pwd", json!({}))];
    let calling = request_body("m", &[Message::Assistant(reply)], &[], false);
    assert_eq!(
        calling["messages"][0]["content"],
        Value::Null,
        "beside calls, no text is null"
    );
    assert_eq!(calling["messages"][0]["tool_calls"][0]["id"], "call_1");
}

#[test]
fn test_ch2_request_arguments_are_always_json() {
    for arguments in [
        json!({}),
        json!("{\"command\": \"ls"),
        json!([1]),
        Value::Null,
    ] {
        let mut reply = said("");
        reply.tool_calls = vec![call("call_1", "bash", arguments.clone())];
        let body = request_body("m", &[Message::Assistant(reply)], &[], false);
        let sent = &body["messages"][0]["tool_calls"][0]["function"]["arguments"];
        let sent = sent
            .as_str()
            .unwrap_or_else(|| panic!("the API wants the arguments as a string; sent: {sent}"));
        let read: Value = serde_json::from_str(sent).unwrap_or_else(|error| {
            panic!("a server that parses the arguments would refuse `{sent}`: {error}")
        });
        assert_eq!(read, arguments, "and they are the arguments that came");
    }
}

#[test]
fn test_ch2_request_attachment_and_progress() {
    let messages = [
        Message::User(user("Hello.")),
        from_json(json!({
            "type": "Attachment", "id": "m1", "path": "docs/CLAUDE.md",
            "content": "Run cargo fmt.\n", "content_type": "instructions"
        })),
        from_json(json!({ "type": "Progress", "tool_use_id": "call_1", "data": "50 %" })),
        Message::User(user("Go on.")),
    ];
    let body = request_body("m", &messages, &[], false);
    assert_eq!(
        body["messages"],
        json!([
            { "role": "user", "content": "Hello." },
            { "role": "user", "content": "Attached: docs/CLAUDE.md\n\nRun cargo fmt.\n" },
            { "role": "user", "content": "Go on." },
        ]),
        "an attachment says where it is from, and progress is never sent"
    );
}

#[test]
fn test_ch2_request_tools_and_stream() {
    let tools = [tool("read"), tool("bash")];
    let tools: Vec<&ToolDefinition> = tools.iter().collect();
    let body = request_body("m", &[], &tools, true);
    assert_eq!(
        body,
        json!({
            "model": "m",
            "messages": [],
            "tools": [
                { "type": "function", "function": {
                    "name": "read", "description": "Does as it is told",
                    "parameters": { "type": "object", "properties": {}, "required": [] } } },
                { "type": "function", "function": {
                    "name": "bash", "description": "Does as it is told",
                    "parameters": { "type": "object", "properties": {}, "required": [] } } },
            ],
            "stream": true,
            "stream_options": { "include_usage": true },
        }),
        "the tools in the order given, and a stream that reports its usage"
    );
}

// 2.7 Chunks

#[test]
fn test_ch2_chunks_of_text() {
    assert_eq!(
        read_all(&[
            r#"{"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}"#,
            r#"{"choices":[{"index":0,"delta":{"content":"Hel"}}],"usage":null}"#,
            r#"{"choices":[{"index":0,"delta":{"content":"lo"},"finish_reason":null}]}"#,
            " ",
            r#"{"choices":[{"index":0,"delta":{"refusal":" No."},"finish_reason":null}]}"#,
            r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#,
            r#"{"choices":[]}"#,
        ]),
        Ok((
            vec![
                StreamEvent::TextDelta("Hel".into()),
                StreamEvent::TextDelta("lo".into()),
                StreamEvent::TextDelta(" No.".into()),
            ],
            true
        )),
        "text and refusals become text deltas; what is empty has no event; a finish reason finishes"
    );
    assert_eq!(
        read_all(&[r#"{"choices":[{"delta":{"content":"Hel"},"finish_reason":null}]}"#]),
        Ok((vec![StreamEvent::TextDelta("Hel".into())], false)),
        "without a finish reason the reply is not finished"
    );
}

#[test]
fn test_ch2_chunks_of_a_whole_reply() {
    assert_eq!(
        read_all(&[
            r#"{"choices":[{"message":{"role":"assistant","content":"Hi.","tool_calls":[
            {"id":"call_1","type":"function","function":{"name":"pwd","arguments":"{}"}},
            {"id":"call_2","type":"function","function":{"name":"read","arguments":{"path":"a"}}}
        ]}}],"usage":{"prompt_tokens":1200,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":1000}}}"#
        ]),
        Ok((
            vec![
                StreamEvent::TextDelta("Hi.".into()),
                start(0, "call_1", "pwd"),
                delta(0, "{}"),
                start(1, "call_2", "read"),
                delta(1, r#"{"path":"a"}"#),
                StreamEvent::Usage(usage(200, 7, 1000)),
            ],
            true
        )),
        "a message is read like a delta that has everything, and finishes the reply"
    );
}

#[test]
fn test_ch2_chunks_of_calls() {
    let chunks = [
        calls(
            json!([{ "index": 0, "id": "call_a", "type": "function", "function": { "name": "read", "arguments": "" } }]),
        ),
        calls(
            json!([{ "index": 1, "id": "call_b", "function": { "name": "bash", "arguments": "{\"com" } }]),
        ),
        calls(
            json!([{ "index": 0, "function": { "arguments": "{\"path\":" } }, { "index": 1, "function": { "arguments": "mand\":" } }]),
        ),
        calls(json!([{ "index": 1, "id": "call_b", "function": { "arguments": "\"ls\"}" } }])),
        calls(json!([{ "index": 0, "id": null, "function": { "name": null, "arguments": "1}" } }])),
    ];
    let chunks: Vec<&str> = chunks.iter().map(String::as_str).collect();
    assert_eq!(
        read_all(&chunks),
        Ok((
            vec![
                start(0, "call_a", "read"),
                start(1, "call_b", "bash"),
                delta(1, "{\"com"),
                delta(0, "{\"path\":"),
                delta(1, "mand\":"),
                delta(1, "\"ls\"}"),
                delta(0, "1}"),
            ],
            false
        )),
        "each call starts once; later entries of its index carry more of its arguments"
    );
}

#[test]
fn test_ch2_chunks_of_calls_with_one_index() {
    let chunks = [
        calls(
            json!([{ "index": 0, "id": "call_a", "function": { "name": "read", "arguments": "{}" } }]),
        ),
        calls(
            json!([{ "index": 0, "id": "call_b", "function": { "name": "bash", "arguments": "{" } }]),
        ),
        calls(json!([{ "index": 0, "function": { "arguments": "}" } }])),
        calls(json!([{ "index": 0, "id": "call_a", "function": { "arguments": " " } }])),
        calls(json!([{ "id": "call_c", "function": { "name": "pwd" } }])),
    ];
    let chunks: Vec<&str> = chunks.iter().map(String::as_str).collect();
    assert_eq!(
        read_all(&chunks),
        Ok((
            vec![
                start(0, "call_a", "read"),
                delta(0, "{}"),
                start(1, "call_b", "bash"),
                delta(1, "{"),
                delta(1, "}"),
                delta(0, " "),
                start(2, "call_c", "pwd"),
            ],
            false
        )),
        "some servers give every call the index 0, or none: another id is another call"
    );
}

#[test]
fn test_ch2_chunks_of_calls_with_one_id() {
    let chunks = [
        calls(
            json!([{ "index": 0, "id": "call_a", "function": { "name": "read" } }, { "index": 1, "id": "call_a", "function": { "name": "bash" } }]),
        ),
        calls(json!([{ "index": 2, "function": { "name": "pwd" } }])),
        calls(json!([{ "index": 1, "id": "call_a", "function": { "arguments": "{}" } }])),
    ];
    let chunks: Vec<&str> = chunks.iter().map(String::as_str).collect();
    let (events, _) = read_all(&chunks).expect("good chunks");
    let starts = starts(&events);
    assert_eq!(
        starts.iter().map(|start| start.0).collect::<Vec<_>>(),
        [0, 1, 2],
        "three indexes are three calls, whatever their ids: {events:?}"
    );
    assert_eq!(
        (starts[0].1.as_str(), starts[1].1.as_str()),
        ("call_a", "call_a_2"),
        "the second call of an id gets one of its own, as in the finished reply"
    );
    assert!(
        starts[2].1.starts_with("call_") && !starts[2].1.ends_with('_'),
        "a call without an id gets one: {starts:?}"
    );
    assert_eq!(
        arguments_of(&events, 1),
        "{}",
        "an entry that repeats the server's id goes on with that call"
    );
}

#[test]
fn test_ch2_chunks_of_usage() {
    for (reported, expected) in [
        (
            json!({ "prompt_tokens": 12, "completion_tokens": 3 }),
            usage(12, 3, 0),
        ),
        (
            json!({ "prompt_tokens": 1200, "completion_tokens": 3, "prompt_tokens_details": { "cached_tokens": 1100 } }),
            usage(100, 3, 1100),
        ),
        (
            json!({ "prompt_tokens": 12, "completion_tokens": 3, "prompt_tokens_details": { "cached_tokens": null } }),
            usage(12, 3, 0),
        ),
        (
            json!({ "prompt_tokens": 12, "completion_tokens": 3, "prompt_tokens_details": null }),
            usage(12, 3, 0),
        ),
        (
            json!({ "prompt_tokens": 5, "completion_tokens": 3, "prompt_tokens_details": { "cached_tokens": 9 } }),
            usage(0, 3, 9),
        ),
    ] {
        let chunk = json!({ "choices": [], "usage": reported }).to_string();
        assert_eq!(
            read_all(&[&chunk]),
            Ok((vec![StreamEvent::Usage(expected)], false)),
            "tokens from the cache are counted beside the input, not in it: {reported}"
        );
    }
}

#[test]
fn test_ch2_chunks_that_end_too_early() {
    for (reason, words) in [("length", "length"), ("content_filter", "content filter")] {
        let chunk =
            json!({ "choices": [{ "delta": { "content": "So" }, "finish_reason": reason }] });
        let (events, is_finished) = read_all(&[&chunk.to_string()]).expect("a good chunk");
        assert!(is_finished, "{reason} finishes the reply");
        let text: String = events.iter().filter_map(text_of).collect();
        assert!(
            text.starts_with("So") && text.to_lowercase().contains(words),
            "a reply cut short by {reason} looks whole unless its text says otherwise, with the word {words:?}; it reads: {text:?}"
        );
    }
    for reason in ["stop", "tool_calls", "function_call", "something new"] {
        let chunk = json!({ "choices": [{ "delta": {}, "finish_reason": reason }] });
        assert_eq!(
            read_all(&[&chunk.to_string()]),
            Ok((vec![], true)),
            "{reason} needs no words"
        );
    }
}

#[test]
fn test_ch2_chunks_that_are_none() {
    for (text, words) in [
        ("<html>Welcome</html>", "<html>Welcome</html>"),
        ("{\"choices\":[{\"del", "{\"choices\":[{\"del"),
        ("{\"answer\":42}", "{\"answer\":42}"),
        ("42", "42"),
        ("{\"choices\":[{\"delta\":{\"content\":7}}]}", "7"),
    ] {
        let error = read_all(&[text]).expect_err("this is no chunk");
        assert_eq!(kind(&error), "MalformedReply", "{text:?} became {error:?}");
        let said = error.to_string();
        assert!(
            said.contains(words),
            "the error should quote what came, {words:?}; it reads: {said}"
        );
    }
}

#[test]
fn test_ch2_chunks_of_errors() {
    for (error, expected) in [
        (json!({ "message": "busy", "code": 429 }), "RateLimited"),
        (
            json!({ "message": "busy", "type": "rate_limit_error", "code": null }),
            "RateLimited",
        ),
        (
            json!({ "message": "busy", "type": "overloaded_error" }),
            "Overloaded",
        ),
        (
            json!({ "message": "busy", "type": "server_error" }),
            "Overloaded",
        ),
        (json!({ "message": "busy", "code": 1302 }), "BadRequest"),
        (
            json!({ "message": "busy", "code": "invalid_api_key" }),
            "Authentication",
        ),
        (
            json!({ "message": "busy", "code": "context_length_exceeded" }),
            "ContextOverflow",
        ),
        (
            json!({ "message": "busy: maximum context length is 8" }),
            "ContextOverflow",
        ),
        (json!("busy"), "BadRequest"),
    ] {
        let chunk = json!({ "error": error, "choices": [{ "delta": { "content": "" } }] });
        let found = read_all(&[&chunk.to_string()]).expect_err("it reports an error");
        assert_eq!(kind(&found), expected, "{chunk} became {found:?}");
        assert!(found.to_string().contains("busy"), "{found}");
    }
}

// 2.8 A reply in one piece

#[tokio::test]
async fn test_ch2_chat_asks_and_answers() {
    let server = server(
        Script::new()
            .reply(Reply::text("Grüße, 中🦀!").usage(1200, 7).cached(1000))
            .reply(Reply::tool_calls([(
                "call_1",
                "list",
                json!({ "path": "." }),
            )])),
    )
    .await;
    let provider = provider(&server, |config| {
        config.api_key = Some(" sk-test\n".into());
        config.headers = vec![("x-title".into(), "claw".into())];
    });
    let tools = [tool("list")];
    let tools: Vec<&ToolDefinition> = tools.iter().collect();
    let messages = [Message::User(user("Hello?"))];

    let reply = in_time(provider.chat(&messages, &tools)).await;
    let reply = reply.expect("a reply");
    assert_eq!(reply.text.as_deref(), Some("Grüße, 中🦀!"));
    assert_eq!(reply.stop_reason, StopReason::Stop);
    assert_eq!(reply.usage, Some(usage(200, 7, 1000)));

    let calling = in_time(provider.chat(&messages, &tools)).await;
    let calling = calling.expect("a reply");
    assert_eq!(calling.text, None);
    assert_eq!(calling.stop_reason, StopReason::ToolUse);
    assert_eq!(
        calling.tool_calls,
        [call("call_1", "list", json!({ "path": "." }))]
    );

    let asked = &server.requests()[0];
    assert_eq!(
        asked.path, "/v1/chat/completions",
        "the path behind the base URL"
    );
    assert_eq!(
        asked.body,
        request_body("small-model", &messages, &tools, false),
        "the body is the one of section 2.6, not streamed"
    );
    assert_eq!(
        asked.header("authorization"),
        Some("Bearer sk-test"),
        "the key is sent as a bearer token, without white space around it"
    );
    assert_eq!(
        asked.header("x-title"),
        Some("claw"),
        "what the settings add to the headers is sent"
    );
}

#[tokio::test]
async fn test_ch2_chat_without_a_key() {
    let server = server(Script::new().reply(Reply::text("hi"))).await;
    let provider = provider(&server, |config| config.base_url += "/");
    let reply = in_time(provider.chat(&[Message::User(user("Hello?"))], &[])).await;
    reply.expect("a reply");
    let asked = &server.requests()[0];
    assert_eq!(
        asked.header("authorization"),
        None,
        "without a key there is no header for it"
    );
    assert_eq!(
        asked.path, "/v1/chat/completions",
        "a slash at the end of the base URL is no part of the path"
    );
}

#[tokio::test]
async fn test_ch2_chat_refused() {
    let in_an_hour = SystemTime::now() + Duration::from_secs(3600);
    let in_an_hour = httpdate::fmt_http_date(in_an_hour);
    for (status, retry_after, expected, seconds) in [
        (401, None, "Authentication", None),
        (404, None, "BadRequest", None),
        (429, None, "RateLimited", None),
        (429, Some("7"), "RateLimited", Some(7..=7)),
        (
            429,
            Some(in_an_hour.as_str()),
            "RateLimited",
            Some(3500..=3600),
        ),
        (429, Some("later"), "RateLimited", None),
        (503, Some("2"), "Overloaded", Some(2..=2)),
        (529, None, "Overloaded", None),
    ] {
        let server = server(Script::new().fault(Fault::Status {
            status,
            retry_after: retry_after.map(String::from),
            body: r#"{"error":{"message":"the server's own words"}}"#.into(),
        }))
        .await;
        let provider = provider(&server, |_| {});
        let error = in_time(provider.chat(&[Message::User(user("Hello?"))], &[])).await;
        let error = error.expect_err("the server refuses");
        assert_eq!(kind(&error), expected, "status {status} became {error:?}");
        assert!(
            error.to_string().contains("the server's own words"),
            "the error should pass on what the server said; it reads: {error}"
        );
        let waits = error.retry_after().map(|wait| wait.as_secs());
        assert!(
            match &seconds {
                Some(range) => waits.is_some_and(|wait| range.contains(&wait)),
                None => waits.is_none(),
            },
            "status {status} with Retry-After {retry_after:?} should ask to wait {seconds:?} seconds, not {waits:?}"
        );
        assert_eq!(
            server.requests().len(),
            1,
            "one attempt: trying again comes in section 2.10"
        );
    }
}

#[tokio::test]
async fn test_ch2_chat_refused_in_a_broken_way() {
    let refused = |status, body: &[u8]| {
        Script::new().fault(Fault::Raw {
            status,
            content_type: "text/html".into(),
            body: body.to_vec(),
        })
    };
    for (script, expected) in [
        (refused(502, b"<html>Bad Gateway</html>"), "Overloaded"),
        (refused(503, b"not \xFF UTF-8"), "Overloaded"),
        (refused(401, b""), "Authentication"),
        (refused(400, &b"x".repeat(100_000)), "BadRequest"),
        (refused(302, b"go elsewhere"), "BadRequest"),
    ] {
        let server = server(script).await;
        let provider = provider(&server, |config| config.max_bytes = 50_000);
        let error = in_time(provider.chat(&[Message::User(user("Hello?"))], &[])).await;
        let error = error.expect_err("the server refuses");
        assert_eq!(
            kind(&error),
            expected,
            "the status decides, even when the body is of no use: {error:?}"
        );
        assert!(
            error.to_string().len() < 2000,
            "a long body is quoted in part"
        );
    }
}

#[tokio::test]
async fn test_ch2_chat_server_is_down() {
    // The port is taken, so that nobody else can come by it, and nobody listens there.
    let silent = tokio::net::TcpSocket::new_v4().expect("a socket");
    let any = "127.0.0.1:0".parse().expect("an address");
    silent.bind(any).expect("a free port");
    let url = format!("http://{}/v1", silent.local_addr().expect("its address"));
    let provider = OpenAiProvider::new(OpenAiConfig::new(&url, "m")).expect("a good URL");
    let error = in_time(provider.chat(&[], &[])).await;
    let error = error.expect_err("nobody listens");
    assert_eq!(kind(&error), "Network", "{error:?}");
    let said = error.to_string();
    assert!(
        said.contains(&url) && said.to_lowercase().contains("refused"),
        "the error should name the address, {url}, and the cause, a refused connection; it reads: {said}"
    );
}

#[tokio::test]
async fn test_ch2_chat_connection_never_comes() {
    // A listener that accepts nothing, with its queue full, leaves new connections waiting
    // on Linux. Other systems may refuse them.
    if !cfg!(target_os = "linux") {
        return;
    }
    let socket = tokio::net::TcpSocket::new_v4().expect("a socket");
    let any = "127.0.0.1:0".parse().expect("an address");
    socket.bind(any).expect("a free port");
    let busy = socket.listen(1).expect("a listener");
    let address = busy.local_addr().expect("its address");
    let mut queue = Vec::new();
    while let Ok(waiting) = std::net::TcpStream::connect_timeout(&address, SHORT) {
        queue.push(waiting);
        assert!(queue.len() < 100, "the queue should be full by now");
    }
    let mut config = OpenAiConfig::new(format!("http://{address}/v1"), "m");
    config.connect_timeout = SHORT;
    let provider = OpenAiProvider::new(config).expect("a good URL");
    let error = in_time(provider.chat(&[], &[])).await;
    let error = error.expect_err("there is no connection");
    assert_eq!(kind(&error), "Network", "{error:?}");
    let said = error.to_string();
    assert!(
        said.contains("elapsed") || said.contains("timed out"),
        "the error should pass on what reqwest says, that the time to connect has run out; it reads: {said}"
    );
}

#[tokio::test]
async fn test_ch2_chat_answer_never_begins() {
    let server = server(Script::new().fault(Fault::StallBeforeHeaders)).await;
    let provider = provider(&server, |config| config.first_byte_timeout = SHORT);
    let error = in_time(provider.chat(&[Message::User(user("Hello?"))], &[])).await;
    let error = error.expect_err("no answer comes");
    assert_eq!(kind(&error), "Network", "{error:?}");
    assert!(
        error.to_string().contains(&format!("{SHORT:?}")),
        "the error should say that the answer did not begin within {SHORT:?}, as `too_slow` does; it reads: {error}"
    );
}

#[tokio::test]
async fn test_ch2_chat_answer_stops() {
    for (fault, words) in [
        (Fault::Stall { after_bytes: 60 }, format!("{SHORT:?}")),
        (Fault::CutAfter { bytes: 60 }, "body".to_string()),
    ] {
        let server = server(Script::new().fault(fault.clone())).await;
        let provider = provider(&server, |config| config.idle_timeout = SHORT);
        let error = in_time(provider.chat(&[Message::User(user("Hello?"))], &[])).await;
        let error = error.expect_err("half an answer is none");
        assert_eq!(kind(&error), "Network", "{fault:?} became {error:?}");
        assert!(
            error.to_string().contains(&words),
            "{fault:?}: the error should speak of it ({words:?}); it reads: {error}"
        );
    }
}

#[tokio::test]
async fn test_ch2_chat_answer_is_something_else() {
    let raw = |content_type: &str, body: &[u8]| Fault::Raw {
        status: 200,
        content_type: content_type.into(),
        body: body.to_vec(),
    };
    for (fault, expected, words) in [
        (
            raw("text/html", b"<html>Log in</html>"),
            "MalformedReply",
            "<html>Log in</html>",
        ),
        (
            raw("application/json", b"{\"hello\":1}"),
            "MalformedReply",
            "choices",
        ),
        (
            raw("application/json", b"{\"choices\":[]}"),
            "MalformedReply",
            "no message",
        ),
        (
            raw("application/json", b"{\"choices\":[{\"mess\xFF"),
            "MalformedReply",
            "UTF-8",
        ),
        (
            raw(
                "application/json",
                b"{\"error\":{\"message\":\"full\",\"code\":503}}",
            ),
            "Overloaded",
            "full",
        ),
        (Fault::GarbageEvent, "MalformedReply", "EOF"),
        (
            Fault::OversizedEvent { bytes: 20_000 },
            "MalformedReply",
            "10000 bytes",
        ),
        (Fault::InvalidUtf8, "MalformedReply", "UTF-8"),
    ] {
        let server = server(Script::new().fault(fault.clone())).await;
        let provider = provider(&server, |config| config.max_bytes = 10_000);
        let error = in_time(provider.chat(&[Message::User(user("Hello?"))], &[])).await;
        let error = error.expect_err("this is no reply");
        assert_eq!(kind(&error), expected, "{fault:?} became {error:?}");
        assert!(
            error.to_string().contains(words),
            "{fault:?}: the error should speak of {words:?}; it reads: {error}"
        );
        let is_html =
            matches!(&fault, Fault::Raw { content_type, .. } if content_type == "text/html");
        assert_eq!(
            error.to_string().contains("base URL"),
            is_html,
            "{fault:?}: what does not even claim to be JSON may come from another address; the error reads: {error}"
        );
    }
}

// 2.9 A reply as it is written

#[tokio::test]
async fn test_ch2_stream_passes_on_and_returns_the_same() {
    let text = "One 中, two 🦀, three.";
    let step = || {
        Reply::text(text)
            .usage(1200, 7)
            .cached(1000)
            .and_tool_calls([
                ("call_1", "list", json!({ "path": "src/provider" })),
                ("call_2", "pwd", json!({})),
            ])
    };
    for chunk in [None, Some(1), Some(3), Some(64)] {
        let mut script = Script::new().reply(step());
        if let Some(bytes) = chunk {
            script = script.chunk(bytes);
        }
        let server = server(script).await;
        let provider = provider(&server, |_| {});
        let messages = [Message::User(user("Hello?"))];
        let (reply, events) = streamed(&provider, &messages, &[]).await;
        let reply = reply.unwrap_or_else(|error| panic!("in pieces of {chunk:?} bytes: {error}"));
        assert_eq!(reply.text.as_deref(), Some(text), "in pieces of {chunk:?}");
        assert_eq!(
            reply.tool_calls,
            [
                call("call_1", "list", json!({ "path": "src/provider" })),
                call("call_2", "pwd", json!({})),
            ]
        );
        assert_eq!(reply.usage, Some(usage(200, 7, 1000)));
        assert_eq!(reply.stop_reason, StopReason::ToolUse);
        assert_eq!(
            server.requests()[0].body,
            request_body("small-model", &messages, &[], true),
            "the body is the one of section 2.6, streamed"
        );

        let mut again = accumulated(&events).expect("Done was sent");
        again.id.clone_from(&reply.id);
        assert_eq!(again, reply, "the events sent make up the reply returned");
        let dones = events.iter().filter(|e| matches!(e, StreamEvent::Done(_)));
        assert_eq!(dones.count(), 1, "Done is sent once");
        assert_eq!(events.last(), Some(&StreamEvent::Done(StopReason::ToolUse)));
    }
}

#[tokio::test]
async fn test_ch2_stream_shows_text_as_it_comes() {
    let server = server(Script::new().fault(Fault::Stall { after_bytes: 1200 })).await;
    let provider = provider(&server, |config| config.idle_timeout = HANG);
    let (sender, mut receiver) = mpsc::channel(1);
    let messages = [Message::User(user("Hello?"))];
    let stream = provider.stream(&messages, &[], &sender);
    let first = async {
        loop {
            match receiver.recv().await {
                Some(StreamEvent::TextDelta(text)) => return text,
                Some(_) => {}
                None => panic!("no text came"),
            }
        }
    };
    in_time(async {
        tokio::select! {
            outcome = stream => panic!("the reply is not complete, and yet it ended: {outcome:?}"),
            text = first => assert!(!text.is_empty()),
        }
    })
    .await;
}

#[tokio::test]
async fn test_ch2_stream_that_stops() {
    let reply = || Reply::text("These are words enough to be cut in the middle of them.");
    let whole = 400;
    for (fault, words) in [
        (Fault::CutAfter { bytes: whole }, String::new()),
        (Fault::Stall { after_bytes: whole }, format!("{SHORT:?}")),
        (Fault::CutAfter { bytes: 0 }, String::new()),
    ] {
        let server = server(Script::new().fault_in(fault.clone(), reply())).await;
        let provider = provider(&server, |config| config.idle_timeout = SHORT);
        let (outcome, events) = streamed(&provider, &[Message::User(user("Hello?"))], &[]).await;
        let error = outcome.expect_err("half a reply is none");
        assert_eq!(kind(&error), "Network", "{fault:?} became {error:?}");
        assert!(
            error.to_string().contains(&words),
            "{fault:?}: the error should say how long nothing came, {words}; it reads: {error}"
        );
        assert!(
            !events.iter().any(|e| matches!(e, StreamEvent::Done(_))),
            "{fault:?}: after an error no Done has been sent: {events:?}"
        );
    }
}

#[tokio::test]
async fn test_ch2_stream_ends_without_saying_so() {
    let chunk = r#"{"choices":[{"delta":{"content":"Hi."},"finish_reason":null}]}"#;
    let stop = r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#;
    for (body, expected) in [
        (format!("data: {chunk}\n\ndata: {stop}\n\n"), Some("Hi.")),
        (
            format!("data: {chunk}\n\ndata: {stop}\n\ndata: {{\"cho"),
            Some("Hi."),
        ),
        (format!("data: {chunk}\n\ndata: [DONE]\n\n"), Some("Hi.")),
        (format!("data: {chunk}\n\n"), None),
        (format!("data: {chunk}\n\ndata: {stop}\n"), None),
        ("<html></html>".to_string(), None),
        (String::new(), None),
    ] {
        let server = server(Script::new().fault(sse(&body))).await;
        let provider = provider(&server, |_| {});
        let (outcome, events) = streamed(&provider, &[Message::User(user("Hello?"))], &[]).await;
        match expected {
            Some(text) => {
                let reply = outcome.unwrap_or_else(|error| panic!("{body:?}: {error}"));
                assert_eq!(reply.text.as_deref(), Some(text));
                assert_eq!(
                    events.last(),
                    Some(&StreamEvent::Done(StopReason::Stop)),
                    "a finish reason completes the reply, with or without [DONE]: {body:?}"
                );
            }
            None => {
                let error = outcome.expect_err("nothing said that the reply is complete");
                assert_eq!(kind(&error), "Network", "{body:?} became {error:?}");
                assert!(error.to_string().contains("broke off"), "{error}");
            }
        }
    }
}

#[tokio::test]
async fn test_ch2_stream_is_over_when_it_is_finished() {
    let server = server(
        Script::new()
            .fault_in(
                Fault::Stall {
                    after_bytes: 100_000,
                },
                Reply::text("Hi."),
            )
            .fault_in(Fault::CutAfter { bytes: 100_000 }, Reply::text("Hi.")),
    )
    .await;
    let provider = provider(&server, |_| {});
    for what in ["stalls", "is cut"] {
        let (outcome, events) = streamed(&provider, &[Message::User(user("Hello?"))], &[]).await;
        let reply = outcome.unwrap_or_else(|error| {
            panic!("a connection that {what} after [DONE] takes nothing away: {error}")
        });
        assert_eq!(reply.text.as_deref(), Some("Hi."));
        assert_eq!(events.last(), Some(&StreamEvent::Done(StopReason::Stop)));
    }
}

#[tokio::test]
async fn test_ch2_stream_is_over_before_done() {
    let body = r#"data: {"choices":[{"delta":{"content":"Hi."},"finish_reason":"stop"}]}"#;
    let provider = OpenAiProvider::new(OpenAiConfig {
        idle_timeout: SHORT,
        ..OpenAiConfig::new(held_open(format!("{body}\n\n")), "m")
    })
    .expect("a good URL");
    let (outcome, _) = streamed(&provider, &[], &[]).await;
    assert_eq!(
        outcome.map(|reply| reply.text),
        Ok(Some("Hi.".to_string())),
        "a connection that stalls between the finish reason and [DONE] takes nothing away either"
    );
}

#[tokio::test]
async fn test_ch2_stream_brings_something_else() {
    let good = "data: {\"choices\":[{\"delta\":{\"content\":\"Hi.\"}}]}\n\n";
    let bad = b"data: b\xFFd\n\n";
    let error = r#"data: {"error":{"message":"out of room","code":503}}"#;
    let raw = |content_type: &str, body: Vec<u8>| Fault::Raw {
        status: 200,
        content_type: content_type.into(),
        body,
    };
    for (fault, expected, words, sees_text) in [
        (Fault::GarbageEvent, "MalformedReply", "this is not", true),
        (
            Fault::OversizedEvent { bytes: 20_000 },
            "MalformedReply",
            "10000 bytes",
            true,
        ),
        (Fault::InvalidUtf8, "MalformedReply", "UTF-8", true),
        (
            sse(&format!("{good}{error}\n\n")),
            "Overloaded",
            "out of room",
            true,
        ),
        (
            raw("text/event-stream", [good.as_bytes(), bad].concat()),
            "MalformedReply",
            "UTF-8",
            true,
        ),
        (
            raw("text/html", b"<html>Log in</html>".to_vec()),
            "MalformedReply",
            "<html>Log in</html>",
            false,
        ),
        (
            Fault::Status {
                status: 429,
                retry_after: Some("3".into()),
                body: "slow down".into(),
            },
            "RateLimited",
            "slow down",
            false,
        ),
    ] {
        let server = server(Script::new().fault(fault.clone())).await;
        let provider = provider(&server, |config| config.max_bytes = 10_000);
        let (outcome, events) = streamed(&provider, &[Message::User(user("Hello?"))], &[]).await;
        let error = outcome.expect_err("this is no reply");
        assert_eq!(kind(&error), expected, "{fault:?} became {error:?}");
        assert!(
            error.to_string().contains(words),
            "{fault:?}: the error should speak of {words:?}; it reads: {error}"
        );
        assert_eq!(
            events.iter().any(|event| text_of(event).is_some()),
            sees_text,
            "{fault:?}: what came before the error was passed on: {events:?}"
        );
        assert!(!events.iter().any(|e| matches!(e, StreamEvent::Done(_))));
    }
}

#[tokio::test]
async fn test_ch2_stream_from_a_server_that_does_not_stream() {
    let body = json!({ "choices": [{ "message": { "content": "Hi." }, "finish_reason": "stop" }],
        "usage": { "prompt_tokens": 3, "completion_tokens": 1 } });
    let server = server(Script::new().fault(Fault::Raw {
        status: 200,
        content_type: "application/json".into(),
        body: body.to_string().into_bytes(),
    }))
    .await;
    let provider = provider(&server, |_| {});
    let (outcome, events) = streamed(&provider, &[Message::User(user("Hello?"))], &[]).await;
    let reply = outcome.expect("a reply in one piece is a reply");
    assert_eq!(reply.text.as_deref(), Some("Hi."));
    assert_eq!(
        events,
        [
            StreamEvent::TextDelta("Hi.".into()),
            StreamEvent::Usage(usage(3, 1, 0)),
            StreamEvent::Done(StopReason::Stop),
        ]
    );
}

#[tokio::test]
async fn test_ch2_stream_keeps_odd_calls() {
    let step = Reply::empty()
        .and_raw_call("call_1", "bash", "{\"command\": \"ls")
        .and_raw_call("call_1", "pwd", "");
    let server = server(Script::new().reply(step)).await;
    let provider = provider(&server, |_| {});
    let (outcome, events) = streamed(&provider, &[Message::User(user("Hello?"))], &[]).await;
    let reply = outcome.expect("odd calls are calls");
    assert_eq!(
        reply.tool_calls,
        [
            call("call_1", "bash", json!("{\"command\": \"ls")),
            call("call_1_2", "pwd", json!({})),
        ],
        "torn arguments are kept as they came, and two calls of one id are told apart"
    );
    assert_eq!(
        starts(&events)[1].1,
        "call_1_2",
        "the events have the same ids as the reply"
    );
}

#[tokio::test]
async fn test_ch2_stream_outlives_its_reader() {
    let server = server(Script::new().reply(Reply::text("All of this is kept."))).await;
    let provider = provider(&server, |_| {});
    let (sender, receiver) = mpsc::channel(1);
    drop(receiver);
    let reply = in_time(provider.stream(&[Message::User(user("Hello?"))], &[], &sender)).await;
    assert_eq!(
        reply.map(|reply| reply.text),
        Ok(Some("All of this is kept.".to_string())),
        "a reader that has gone away does not end the reply"
    );
}

// 2.10 Trying again

#[test]
fn test_ch2_retry_delay_grows_with_jitter() {
    let policy = policy();
    let error = ProviderError::Network("cut".into());
    for (retry, most) in [(0, 100), (1, 200), (2, 400), (3, 800), (4, 1000), (9, 1000)] {
        for (random, share) in [(0.0, 0), (0.25, most / 4), (1.0, most)] {
            assert_eq!(
                policy.delay(retry, &error, random),
                Some(Duration::from_millis(share)),
                "retry {retry} waits up to {most} ms; with the random number {random} it is {share} ms"
            );
        }
    }
    let endless = RetryPolicy {
        max_retries: u32::MAX,
        ..policy
    };
    assert_eq!(
        endless.delay(4_000_000, &error, 1.0),
        Some(Duration::from_millis(1000)),
        "doubling any number of times ends at the cap"
    );
}

#[test]
fn test_ch2_retry_delay_honours_the_server() {
    let policy = policy();
    for (asked, random, expected) in [
        (Some(0), 1.0, Some(100)),
        (Some(3000), 0.0, Some(3000)),
        (Some(3000), 1.0, Some(3100)),
        (Some(60_000), 0.5, Some(60_050)),
        (Some(60_001), 0.0, None),
        (None, 0.5, Some(50)),
    ] {
        let retry_after = asked.map(Duration::from_millis);
        for error in [
            ProviderError::RateLimited {
                message: "slow down".into(),
                retry_after,
            },
            ProviderError::Overloaded {
                message: "busy".into(),
                retry_after,
            },
        ] {
            assert_eq!(
                policy.delay(0, &error, random),
                expected.map(Duration::from_millis),
                "asked to wait {asked:?} ms, with the random number {random}: never less, and not at all beyond {:?}",
                policy.longest_wait
            );
        }
    }
}

#[test]
fn test_ch2_retry_delay_gives_up() {
    let policy = policy();
    let lost = ProviderError::Network("cut".into());
    let last = policy.max_retries - 1;
    assert!(
        policy.delay(last, &lost, 0.5).is_some(),
        "retry {last} is the last, counted from 0"
    );
    assert_eq!(
        policy.delay(policy.max_retries, &lost, 0.5),
        None,
        "{} retries were used up",
        policy.max_retries
    );
    for error in [
        ProviderError::Authentication("no".into()),
        ProviderError::ContextOverflow("no".into()),
        ProviderError::BadRequest("no".into()),
        ProviderError::MalformedReply("no".into()),
    ] {
        assert_eq!(policy.delay(0, &error, 0.5), None, "{error:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch2_retry_chat_until_it_works() {
    let slow = ProviderError::RateLimited {
        message: "slow down".into(),
        retry_after: Some(Duration::from_secs(5)),
    };
    let lost = ProviderError::Network("cut".into());
    let mock = MockProvider::new([Err(slow), Err(lost), Ok(said("at last"))]);
    let provider = Retrying::new(mock, policy());
    let ask = [Message::User(user("hello"))];
    let tools = [tool("read")];
    let tools: Vec<&ToolDefinition> = tools.iter().collect();
    let start = Instant::now();
    let reply = provider.chat(&ask, &tools).await;
    assert_eq!(reply, Ok(said("at last")));
    let asked = provider.inner().requests();
    assert_eq!(asked.len(), 3, "two errors, two retries");
    assert!(
        asked.iter().all(|request| *request == asked[0]),
        "the same request each time: {asked:?}"
    );
    let waited = start.elapsed();
    let range = Duration::from_millis(5000)..=Duration::from_millis(5310);
    assert!(
        range.contains(&waited),
        "5 s as asked and up to 0.1 s, then up to 0.2 s; it waited {waited:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch2_retry_chat_gives_up() {
    let lost = |n: usize| Err(ProviderError::Network(format!("cut {n}")));
    let mock = MockProvider::new((1..=100).map(lost));
    let provider = Retrying::new(mock, policy());
    assert_eq!(
        provider.chat(&[], &[]).await,
        lost(11),
        "the last error is handed on as it is"
    );
    assert_eq!(
        provider.inner().requests().len(),
        11,
        "one attempt and ten retries"
    );

    let refused = ProviderError::Authentication("wrong key".into());
    let provider = Retrying::new(MockProvider::new([Err(refused.clone())]), policy());
    let start = Instant::now();
    assert_eq!(provider.chat(&[], &[]).await, Err(refused));
    assert_eq!(provider.inner().requests().len(), 1);
    assert_eq!(
        start.elapsed(),
        Duration::ZERO,
        "an error that waiting does not mend is handed on at once"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch2_retry_waits_differ() {
    let mut waits = Vec::new();
    for _ in 0..20 {
        let lost = ProviderError::Network("cut".into());
        let mock = MockProvider::new([Err(lost), Ok(said("hi"))]);
        let provider = Retrying::new(mock, policy());
        let start = Instant::now();
        provider.chat(&[], &[]).await.expect("the second reply");
        waits.push(start.elapsed());
    }
    waits.dedup();
    assert!(
        waits.len() > 1,
        "clients that were cut off together must not come back together, and yet twenty of them waited {:?} each",
        waits[0]
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch2_retry_stream_before_anything_was_shown() {
    let lost = ProviderError::Network("cut".into());
    let busy = ProviderError::Overloaded {
        message: "busy".into(),
        retry_after: None,
    };
    let mock = MockProvider::new([Err(lost), Err(busy), Ok(said("one two three four"))]);
    let provider = Retrying::new(mock, policy());
    let (reply, events) = streamed(&provider, &[], &[]).await;
    assert_eq!(reply, Ok(said("one two three four")));
    assert_eq!(provider.inner().requests().len(), 3);
    let text: String = events.iter().filter_map(text_of).collect();
    assert_eq!(
        text, "one two three four",
        "the attempts that failed leave no trace"
    );
    assert_eq!(events.last(), Some(&StreamEvent::Done(StopReason::Stop)));

    let refused = ProviderError::BadRequest("no such model".into());
    let provider = Retrying::new(MockProvider::new([Err(refused.clone())]), policy());
    let (reply, events) = streamed(&provider, &[], &[]).await;
    assert_eq!((reply, events), (Err(refused), vec![]));

    let lost = |n: usize| Err(ProviderError::Network(format!("cut {n}")));
    let provider = Retrying::new(MockProvider::new((1..=100).map(lost)), policy());
    let (reply, events) = streamed(&provider, &[], &[]).await;
    assert_eq!(
        (reply, events),
        (lost(11), vec![]),
        "one attempt and ten retries, as with `chat`"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch2_retry_stream_never_after_the_first_event() {
    for first in [
        StreamEvent::TextDelta("He".into()),
        start(0, "call_1", "bash"),
    ] {
        let torn = Torn {
            first: first.clone(),
            attempts: Mutex::new(0),
        };
        let provider = Retrying::new(torn, policy());
        let (outcome, events) = streamed(&provider, &[], &[]).await;
        assert_eq!(
            outcome,
            Err(ProviderError::Network("cut in attempt 1".into())),
            "the error is handed on"
        );
        assert_eq!(
            events,
            [first],
            "the user has seen the beginning: a second attempt would show it twice"
        );
        assert_eq!(*provider.inner().attempts.lock().expect("not poisoned"), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch2_retry_stream_outlives_its_reader() {
    let lost = ProviderError::Network("cut".into());
    let mock = MockProvider::new([Err(lost), Ok(said("All of this is kept, word for word."))]);
    let provider = Retrying::new(mock, policy());
    let (sender, receiver) = mpsc::channel(1);
    drop(receiver);
    let reply = in_time(provider.stream(&[], &[], &sender)).await;
    assert_eq!(
        reply,
        Ok(said("All of this is kept, word for word.")),
        "a reader that has gone away does not end the reply"
    );
}

#[tokio::test]
async fn test_ch2_retry_over_a_real_connection() {
    let server = server(
        Script::new()
            .fault(Fault::Status {
                status: 529,
                retry_after: Some("0".into()),
                body: "overloaded".into(),
            })
            .fault(Fault::CutAfter { bytes: 0 })
            .reply(Reply::text("At last.")),
    )
    .await;
    let policy = RetryPolicy {
        base: Duration::from_millis(1),
        ..policy()
    };
    let provider = Retrying::new(provider(&server, |_| {}), policy);
    let (reply, events) = streamed(&provider, &[Message::User(user("Hello?"))], &[]).await;
    assert_eq!(
        reply.map(|reply| reply.text),
        Ok(Some("At last.".to_string()))
    );
    let text: String = events.iter().filter_map(text_of).collect();
    assert_eq!(text, "At last.");
    assert_eq!(server.requests().len(), 3);
}

// What the tests above are made of.

/// A timeout that is meant to run out.
const SHORT: Duration = Duration::from_millis(150);
/// After this long a test is taken to hang.
const HANG: Duration = Duration::from_secs(10);

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

/// The wordings of a context overflow.
const OVERFLOW: [&str; 17] = [
    "prompt is too long",
    "input is too long",
    "exceeds the context window",
    "exceeds the maximum",
    "maximum prompt length",
    "reduce the length of the messages",
    "maximum context length",
    "exceeds the limit of",
    "exceeds the available context size",
    "greater than the context length",
    "context window exceeds limit",
    "exceeded model token limit",
    "context length exceeded",
    "context_length_exceeded",
    "too many tokens",
    "token limit exceeded",
    "model_context_window_exceeded",
];

/// Fails a test that waits for something which never comes.
async fn in_time<T>(future: impl Future<Output = T>) -> T {
    match tokio::time::timeout(HANG, future).await {
        Ok(output) => output,
        Err(_) => {
            panic!(
                "still waiting after {HANG:?}: a timeout that should have ended this is missing, or a channel is never closed"
            )
        }
    }
}

/// Streams a reply and collects its events.
async fn streamed(
    provider: &dyn Provider,
    messages: &[Message],
    tools: &[&ToolDefinition],
) -> (Result<AssistantMessage, ProviderError>, Vec<StreamEvent>) {
    let (sender, mut receiver) = mpsc::channel(4);
    let stream = async move { provider.stream(messages, tools, &sender).await };
    let collect = async {
        let mut events = Vec::new();
        while let Some(event) = receiver.recv().await {
            events.push(event);
        }
        events
    };
    in_time(async { tokio::join!(stream, collect) }).await
}

async fn server(script: Script) -> Server {
    Server::with(script)
        .await
        .expect("a free port on 127.0.0.1")
}

/// A provider that asks this server, with some of its settings changed.
fn provider(server: &Server, change: impl FnOnce(&mut OpenAiConfig)) -> OpenAiProvider {
    let mut config = OpenAiConfig::new(format!("{}/v1", server.url()), "small-model");
    change(&mut config);
    OpenAiProvider::new(config).expect("good settings")
}

/// A stream of events, as a server would send it.
fn sse(body: &str) -> Fault {
    Fault::Raw {
        status: 200,
        content_type: "text/event-stream".into(),
        body: body.as_bytes().to_vec(),
    }
}

/// The base URL of a server that answers one request with the beginning of a stream, and
/// then holds the line until the other side closes it.
fn held_open(body: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("its address");
    std::thread::spawn(move || {
        let (mut socket, _) = listener.accept().expect("a connection");
        let mut request = [0; 4096];
        let _ = socket.read(&mut request);
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
        let _ = socket.write_all(format!("{head}{body}").as_bytes());
        let _ = socket.read_to_end(&mut Vec::new());
    });
    format!("http://{address}/v1")
}

fn policy() -> RetryPolicy {
    RetryPolicy {
        max_retries: 10,
        base: Duration::from_millis(100),
        cap: Duration::from_millis(1000),
        longest_wait: Duration::from_secs(60),
    }
}

/// Sends one event of a reply, and then the line is cut.
struct Torn {
    first: StreamEvent,
    attempts: Mutex<usize>,
}

#[async_trait]
impl Provider for Torn {
    async fn chat(
        &self,
        _messages: &[Message],
        _tools: &[&ToolDefinition],
    ) -> Result<AssistantMessage, ProviderError> {
        unreachable!("only `stream` is called")
    }

    async fn stream(
        &self,
        _messages: &[Message],
        _tools: &[&ToolDefinition],
        events: &EventSender,
    ) -> Result<AssistantMessage, ProviderError> {
        let attempt = {
            let mut attempts = self.attempts.lock().expect("not poisoned");
            *attempts += 1;
            *attempts
        };
        events.send(self.first.clone()).await.expect("a reader");
        Err(ProviderError::Network(format!("cut in attempt {attempt}")))
    }
}

fn kind(error: &ProviderError) -> &'static str {
    match error {
        ProviderError::Authentication(_) => "Authentication",
        ProviderError::RateLimited { .. } => "RateLimited",
        ProviderError::Overloaded { .. } => "Overloaded",
        ProviderError::ContextOverflow(_) => "ContextOverflow",
        ProviderError::BadRequest(_) => "BadRequest",
        ProviderError::Network(_) => "Network",
        ProviderError::MalformedReply(_) => "MalformedReply",
    }
}

fn user(content: &str) -> UserMessage {
    from_json(json!({ "id": "m1", "content": content }))
}

/// A reply with this text and always the same id.
fn said(text: &str) -> AssistantMessage {
    AssistantMessage {
        id: "m2".into(),
        text: Some(text.into()),
        tool_calls: Vec::new(),
        stop_reason: StopReason::Stop,
        usage: None,
    }
}

/// JSON of so many levels: objects, and arrays in them.
fn nested(levels: usize) -> String {
    let open = |level| if level % 2 == 0 { "{\"a\":" } else { "[" };
    let close = |level| if level % 2 == 0 { "}" } else { "]" };
    let before: String = (0..levels).map(open).collect();
    let behind: String = (0..levels).rev().map(close).collect();
    format!("{before}1{behind}")
}

fn call(id: &str, name: &str, arguments: Value) -> ToolCall {
    ToolCall {
        id: id.into(),
        name: name.into(),
        arguments,
    }
}

fn tool_result(tool_use_id: &str, content: &str) -> Message {
    from_json(json!({
        "type": "ToolResult", "id": "m3", "tool_use_id": tool_use_id, "content": content
    }))
}

fn tool(name: &'static str) -> ToolDefinition {
    ToolDefinition {
        name,
        description: "Does as it is told",
        parameters: json!({ "type": "object", "properties": {}, "required": [] }),
    }
}

fn usage(input: u64, output: u64, cache_read: u64) -> TokenUsage {
    from_json(json!({
        "input_tokens": input, "output_tokens": output, "cache_read_tokens": cache_read
    }))
}

fn from_json<T: serde::de::DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).expect("this is chapter 1's JSON")
}

fn start(index: usize, id: &str, name: &str) -> StreamEvent {
    StreamEvent::ToolCallStart {
        index,
        id: id.into(),
        name: name.into(),
    }
}

fn delta(index: usize, arguments: &str) -> StreamEvent {
    StreamEvent::ToolCallDelta {
        index,
        arguments: arguments.into(),
    }
}

fn text_of(event: &StreamEvent) -> Option<&str> {
    match event {
        StreamEvent::TextDelta(text) => Some(text),
        _ => None,
    }
}

fn starts(events: &[StreamEvent]) -> Vec<(usize, String, String)> {
    let starts = events.iter().filter_map(|event| match event {
        StreamEvent::ToolCallStart { index, id, name } => Some((*index, id.clone(), name.clone())),
        _ => None,
    });
    starts.collect()
}

fn arguments_of(events: &[StreamEvent], call: usize) -> String {
    let pieces = events.iter().filter_map(|event| match event {
        StreamEvent::ToolCallDelta { index, arguments } if *index == call => {
            Some(arguments.as_str())
        }
        _ => None,
    });
    pieces.collect()
}

/// Where an event stands in a reply.
fn rank(event: &StreamEvent) -> u8 {
    match event {
        StreamEvent::TextDelta(_) => 0,
        StreamEvent::ToolCallStart { .. } | StreamEvent::ToolCallDelta { .. } => 1,
        StreamEvent::Usage(_) => 2,
        StreamEvent::Done(_) => 3,
    }
}

fn accumulated(events: &[StreamEvent]) -> Result<AssistantMessage, ProviderError> {
    let mut accumulator = StreamAccumulator::default();
    for event in events {
        accumulator.push(event);
    }
    accumulator.finish()
}

/// The events of these chunks, and whether the reply is finished after them.
fn read_all(chunks: &[&str]) -> Result<(Vec<StreamEvent>, bool), ProviderError> {
    let mut reader = ChunkReader::default();
    let mut events = Vec::new();
    for chunk in chunks {
        events.extend(reader.read(chunk)?);
    }
    Ok((events, reader.is_finished()))
}

/// A chunk with these entries of `tool_calls`.
fn calls(entries: Value) -> String {
    json!({ "choices": [{ "index": 0, "delta": { "tool_calls": entries } }] }).to_string()
}

/// The lines of a stream that comes in these pieces.
fn lines_of(pieces: &[&[u8]]) -> Vec<String> {
    let mut lines = Lines::default();
    let mut found = Vec::new();
    for piece in pieces {
        lines.push(piece);
        while let Some(line) = lines.next_line() {
            found.push(String::from_utf8(line.to_vec()).expect("a cut inside a character"));
        }
    }
    found
}

fn event(event: &str, data: &str, id: &str) -> SseEvent {
    SseEvent {
        event: event.into(),
        data: data.into(),
        id: id.into(),
    }
}

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
