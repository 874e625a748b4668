//! Failures that a script can ask for.

use axum::http::HeaderValue;

/// A failure in one answer. Byte counts start at the beginning of the body.
#[derive(Debug, Clone, PartialEq)]
pub enum Fault {
    /// An HTTP error with this body and nothing of the reply. The content type is
    /// `application/json` if the body is JSON, and `text/plain` otherwise.
    Status {
        /// The status code.
        status: u16,
        /// The value of the `Retry-After` header, sent unchanged.
        retry_after: Option<String>,
        /// The body.
        body: String,
    },
    /// The server closes the connection after this many bytes, without ending the body as
    /// HTTP requires. A shorter body is sent whole: a stream then lacks only its end, and a
    /// body that is not a stream lacks nothing.
    CutAfter {
        /// How many bytes are sent.
        bytes: usize,
    },
    /// The server sends this many bytes and then nothing; the connection stays open.
    /// For shorter bodies, see [`CutAfter`](Self::CutAfter).
    Stall {
        /// How many bytes are sent.
        after_bytes: usize,
    },
    /// The server reads the request and never answers; the connection stays open.
    StallBeforeHeaders,
    /// A different response, sent unchanged.
    Raw {
        /// The status code.
        status: u16,
        /// The `Content-Type` header.
        content_type: String,
        /// The body.
        body: Vec<u8>,
    },
    /// The reply under a different content type.
    ContentType {
        /// The `Content-Type` header.
        content_type: String,
    },
    /// A stream has an event in the middle whose data is not JSON. A body that is not a
    /// stream is cut in half, so that it is not JSON either.
    GarbageEvent,
    /// The text has an extra piece in the middle, made of this many `x`. In a stream it is
    /// one event on one line.
    OversizedEvent {
        /// The length of the piece in bytes.
        bytes: usize,
    },
    /// The text has an extra piece in the middle: the byte `0xFF`, which is never valid
    /// UTF-8.
    InvalidUtf8,
}

impl Fault {
    /// Panics if the fault asks for a status or a header that an HTTP response cannot have.
    /// A panic where the script is written is easier to find than one in a server task.
    pub(crate) fn assert_valid(&self) {
        let headers: Vec<&str> = match self {
            Self::Status { retry_after, .. } => retry_after.iter().map(String::as_str).collect(),
            Self::Raw { content_type, .. } | Self::ContentType { content_type } => {
                vec![content_type]
            }
            _ => Vec::new(),
        };
        for header in headers {
            let is_header = HeaderValue::from_str(header).is_ok();
            assert!(is_header, "{header:?} is not a valid header value");
        }
        if let Self::Status { status, .. } | Self::Raw { status, .. } = self {
            assert!(
                (200..1000).contains(status),
                "{status} is not a valid response status: expected 200 to 999"
            );
        }
    }
}
