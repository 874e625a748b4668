//! What can go wrong on the way, on purpose.

use axum::http::HeaderValue;

/// Something done to one answer. Bytes are those of the body, counted from its start.
#[derive(Debug, Clone, PartialEq)]
pub enum Fault {
    /// An HTTP error, with this body and nothing of the reply. The content type is
    /// `application/json` if the body is JSON, else `text/plain`.
    Status {
        /// The status code.
        status: u16,
        /// The `Retry-After` header, as it stands.
        retry_after: Option<String>,
        /// The body.
        body: String,
    },
    /// The connection is closed after so many bytes, without the end that HTTP asks for.
    /// A shorter body is sent whole: then a stream lacks its end alone, and a body that is
    /// no stream lacks nothing.
    CutAfter {
        /// How many bytes are sent.
        bytes: usize,
    },
    /// So many bytes are sent, and then nothing; the connection stays open. As to shorter
    /// bodies, see [`CutAfter`](Self::CutAfter).
    Stall {
        /// How many bytes are sent.
        after_bytes: usize,
    },
    /// The request is read, and never answered; the connection stays open.
    StallBeforeHeaders,
    /// Another answer altogether.
    Raw {
        /// The status code.
        status: u16,
        /// The `Content-Type` header.
        content_type: String,
        /// The body.
        body: Vec<u8>,
    },
    /// The reply under another content type.
    ContentType {
        /// The `Content-Type` header.
        content_type: String,
    },
    /// In the middle of a stream, an event whose data is not JSON. A body that is no
    /// stream is broken off in its middle, so that it is not JSON either.
    GarbageEvent,
    /// In the middle of the text, one more piece of so many `x`: in a stream an event on
    /// a line longer than that.
    OversizedEvent {
        /// How many bytes the piece is long.
        bytes: usize,
    },
    /// In the middle of the text, one more piece of the byte `0xFF`, which no UTF-8 text
    /// holds.
    InvalidUtf8,
}

impl Fault {
    /// Panics if it asks for what no HTTP answer can have: better where the script is
    /// written than in a task of the server's.
    pub(crate) fn check(&self) {
        let headers: Vec<&str> = match self {
            Self::Status { retry_after, .. } => retry_after.iter().map(String::as_str).collect(),
            Self::Raw { content_type, .. } | Self::ContentType { content_type } => {
                vec![content_type]
            }
            _ => Vec::new(),
        };
        for header in headers {
            let is_header = HeaderValue::from_str(header).is_ok();
            assert!(is_header, "{header:?} cannot stand in a header");
        }
        if let Self::Status { status, .. } | Self::Raw { status, .. } = self {
            let is_final = (200..1000).contains(status);
            assert!(
                is_final,
                "{status} is no status of an answer: 200 to 999 are"
            );
        }
    }
}
