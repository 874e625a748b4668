//! Compares chapter 2's `SseDecoder` with the crate `eventsource-stream` on a reply of
//! 16 MiB that arrives in pieces of 4 KiB.

use bytes::Bytes;
use claw_code_solutions::provider::{MAX_EVENT_BYTES, SseDecoder};
use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use eventsource_stream::Eventsource;
use futures_util::{FutureExt, StreamExt, stream};

const LENGTH: usize = 16 * 1024 * 1024;
const PIECE: usize = 4 * 1024;

fn main() {
    divan::main();
}

/// A reply in chunks as a server sends them, with one word of text each.
fn reply() -> Vec<u8> {
    let mut bytes = Vec::with_capacity(LENGTH + 1024);
    for number in 0.. {
        if bytes.len() >= LENGTH {
            break;
        }
        let chunk = format!(
            "data: {{\"id\":\"chatcmpl-123\",\"object\":\"chat.completion.chunk\",\"created\":1767225600,\"model\":\"small-model\",\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\" wörd{number}\"}},\"logprobs\":null,\"finish_reason\":null}}]}}\n\n"
        );
        bytes.extend_from_slice(chunk.as_bytes());
    }
    bytes
}

#[divan::bench(sample_count = 10)]
fn sse_decoder(bencher: Bencher) {
    let bytes = Bytes::from(reply());
    bencher.counter(BytesCount::new(bytes.len())).bench(|| {
        let mut decoder = SseDecoder::new(MAX_EVENT_BYTES);
        let mut count = 0;
        for piece in bytes.chunks(PIECE) {
            decoder.push(bytes.slice_ref(piece));
            while let Some(event) = decoder.next_event().expect("a valid stream") {
                black_box(event);
                count += 1;
            }
        }
        count
    });
}

#[divan::bench(sample_count = 10)]
fn eventsource_stream(bencher: Bencher) {
    let bytes = reply();
    bencher.counter(BytesCount::new(bytes.len())).bench(|| {
        let pieces = bytes.chunks(PIECE).map(Ok::<_, std::convert::Infallible>);
        let events = stream::iter(pieces).eventsource();
        let count = events.fold(0, |count, event| {
            black_box(event.expect("a valid stream"));
            std::future::ready(count + 1)
        });
        count.now_or_never().expect("all pieces are ready")
    });
}

/// One line of 4 MiB in pieces of 16 bytes: the worst case for a decoder that searches the
/// whole line again for every piece.
#[divan::bench(sample_count = 10)]
fn sse_decoder_one_long_line(bencher: Bencher) {
    let line = Bytes::from(format!("data: {}\n\n", "x".repeat(4 * 1024 * 1024)));
    bencher.counter(BytesCount::new(line.len())).bench(|| {
        let mut decoder = SseDecoder::new(MAX_EVENT_BYTES);
        let mut count = 0;
        for piece in line.chunks(16) {
            decoder.push(line.slice_ref(piece));
            while let Some(event) = decoder.next_event().expect("a valid stream") {
                black_box(event);
                count += 1;
            }
        }
        count
    });
}
