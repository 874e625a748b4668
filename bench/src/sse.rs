//! A reply of 20 MB as server-sent events, in pieces of three sizes.

use std::convert::Infallible;

use bytes::Bytes;
use claw_code_solutions::provider::{MAX_EVENT_BYTES, SseDecoder};
use eventsource_stream::Eventsource;
use futures_util::{FutureExt, Stream, StreamExt, stream};

use crate::harness::{Measure, seconds};

/// The measures of this file. `scale` shrinks the reply.
pub fn measures(scale: usize) -> Vec<Measure<'static>> {
    let (reply, events) = reply(20_000_000 / scale);
    let sizes = [(16, "16 B"), (1 << 10, "1 KB"), (1 << 16, "64 KB")];
    let measure = |(size, name)| {
        let decode = move || {
            let mut decoder = SseDecoder::new(MAX_EVENT_BYTES);
            let mut count = 0;
            for piece in reply.chunks(size) {
                decoder.push(Bytes::from_static(piece));
                while let Some(event) = decoder.next_event().expect("a valid stream") {
                    std::hint::black_box(event);
                    count += 1;
                }
            }
            assert_eq!(count, events);
        };
        let pieces = move || {
            let pieces = reply.chunks(size);
            stream::iter(pieces.map(|piece| Ok::<_, Infallible>(Bytes::from_static(piece))))
        };
        Measure::new(format!("SSE, 20 MB in pieces of {name}"), move || {
            seconds(decode)
        })
        .at_most(0.95)
        .peer(
            "sse-stream",
            "no limit on an event; an `id` does not last",
            move || seconds(|| drain(sse_stream::SseByteStream::new(pieces()), events)),
        )
        .peer("sseer", "no limit on an event", move || {
            seconds(|| drain(sseer::event_stream::EventStream::new(pieces()), events))
        })
        .peer("eventsource-stream", "no limit on an event", move || {
            seconds(|| drain(pieces().eventsource(), events))
        })
        .lower_bound("copy, find line ends, check UTF-8", move || {
            seconds(|| {
                let mut text = Vec::with_capacity(reply.len());
                reply
                    .chunks(size)
                    .for_each(|piece| text.extend_from_slice(piece));
                assert_eq!(memchr::memchr_iter(b'\n', &text).count(), 2 * events);
                std::str::from_utf8(&text).is_ok()
            })
        })
    };
    sizes.map(measure).into()
}

/// Reads a stream to its end, which never waits, and checks the number of its events.
fn drain<T, E: std::fmt::Debug>(events: impl Stream<Item = Result<T, E>>, expected: usize) {
    let count = events.fold(0, |count, event| {
        std::hint::black_box(event.expect("a valid stream"));
        std::future::ready(count + 1)
    });
    assert_eq!(count.now_or_never(), Some(expected));
}

/// A reply in chunks as a server sends them, with a word of text each, and their number.
fn reply(length: usize) -> (&'static [u8], usize) {
    let mut text = String::new();
    let mut events = 0;
    while text.len() < length {
        text += &format!(
            "data: {{\"id\":\"chatcmpl-123\",\"object\":\"chat.completion.chunk\",\"created\":1767225600,\"model\":\"small-model\",\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\" wörd{events}\"}},\"logprobs\":null,\"finish_reason\":null}}]}}\n\n"
        );
        events += 1;
    }
    (text.leak().as_bytes(), events)
}
