//! Response bodies that are sent in chunks, and that can be cut or stall.

use axum::body::{Body, Bytes};
use futures_util::stream;

use super::shutdown::Shutdown;

/// How a body ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum BodyEnd {
    /// As HTTP requires.
    Complete,
    /// The connection is closed after this many bytes.
    CutAfter(usize),
    /// Nothing is sent after this many bytes.
    StallAfter(usize),
}

/// A body made of these parts, in HTTP chunks of `chunk` bytes or else one for each part.
pub(super) fn paced_body(
    parts: Vec<Vec<u8>>,
    end: BodyEnd,
    chunk: Option<usize>,
    shutdown: Shutdown,
) -> Body {
    if parts.len() == 1 && end == BodyEnd::Complete && chunk.is_none() {
        return Body::from(parts.concat());
    }
    let limit = match end {
        BodyEnd::Complete => usize::MAX,
        BodyEnd::CutAfter(bytes) | BodyEnd::StallAfter(bytes) => bytes,
    };
    let chunks = match chunk {
        Some(size) => {
            let body = parts.concat();
            let sent = &body[..limit.min(body.len())];
            sent.chunks(size).map(Bytes::copy_from_slice).collect()
        }
        None => truncate(parts, limit),
    };
    let chunks = Chunks {
        rest: chunks.into_iter(),
        end,
        shutdown,
        is_done: false,
    };
    Body::from_stream(stream::unfold(chunks, next_chunk))
}

/// The first `limit` bytes of the parts.
fn truncate(parts: Vec<Vec<u8>>, limit: usize) -> Vec<Bytes> {
    let mut left = limit;
    let mut kept = Vec::new();
    for mut part in parts {
        part.truncate(left);
        left -= part.len();
        if !part.is_empty() {
            kept.push(part.into());
        }
    }
    kept
}

/// The chunks that are still to be sent.
struct Chunks {
    rest: std::vec::IntoIter<Bytes>,
    end: BodyEnd,
    shutdown: Shutdown,
    is_done: bool,
}

async fn next_chunk(mut chunks: Chunks) -> Option<(Result<Bytes, &'static str>, Chunks)> {
    if chunks.is_done {
        return None;
    }
    // hyper flushes when the body has no next chunk ready, so this sends each chunk by
    // itself. Without it, an error would also discard the chunks before it.
    tokio::task::yield_now().await;
    if let Some(chunk) = chunks.rest.next() {
        return Some((Ok(chunk), chunks));
    }
    chunks.is_done = true;
    match chunks.end {
        BodyEnd::Complete => None,
        BodyEnd::CutAfter(_) => Some((Err("the script cuts the body here"), chunks)),
        BodyEnd::StallAfter(_) => {
            chunks.shutdown.wait().await;
            Some((Err("the server is shutting down"), chunks))
        }
    }
}
