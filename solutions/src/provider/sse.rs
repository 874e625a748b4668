//! Decodes server-sent events from bytes that arrive in pieces of any size.
//!
//! The format is defined in the WHATWG's HTML standard, section "Server-sent events". This
//! decoder differs in one point: bytes that are not UTF-8 are an error. The standard
//! replaces them by U+FFFD, which would change file contents without a warning.
//!
//! The functions that run for every piece or line are `#[inline]`, so that a crate that calls
//! [`SseDecoder::next_event`] can compile them into its loop. That saves a third of the time.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use bytes::Bytes;

/// The default limit for one event. A whole reply in one event, the longest that a correct
/// server sends, is far below it.
pub const MAX_EVENT_BYTES: usize = 8 * 1024 * 1024;

/// The bytes that may begin a stream, and are no part of its first line.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// One event of a stream.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SseEvent {
    /// The event's type: `message` unless the server names another. `message` is borrowed,
    /// since nearly all events have this type, and an allocation for each costs time.
    pub event: Cow<'static, str>,
    /// The values of its `data` lines, joined by line feeds.
    pub data: String,
    /// The stream's last `id`, from this event or an earlier one.
    pub id: String,
}

/// Why a stream of events cannot be decoded any further.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SseError {
    /// A line and the data before it in the same event have more bytes than this limit.
    TooLarge(usize),
    /// A line is not UTF-8.
    NotUtf8,
}

impl fmt::Display for SseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge(limit) => write!(f, "an event is longer than {limit} bytes"),
            Self::NotUtf8 => write!(f, "the stream is not UTF-8"),
        }
    }
}

impl std::error::Error for SseError {}

/// Splits a stream of bytes into lines. LF, CR or CRLF ends a line.
///
/// A line that arrives in one piece is a slice of that piece. Only the lines that are cut
/// between two pieces are copied.
#[derive(Debug, Default)]
pub struct LineBuffer {
    /// The piece of the stream that arrived last.
    piece: Bytes,
    /// The offset of the next line in `piece`. The bytes before it have been read.
    start: usize,
    /// The beginning of the next line, from earlier pieces. A cut line is completed here.
    cut_line: Vec<u8>,
    /// `cut_line` was completed and returned, so the next call clears it.
    cut_line_returned: bool,
    /// The last line ended with CR, so an LF that comes next belongs to that line end.
    after_cr: bool,
    /// Whether the stream's first line has been returned.
    first_line_done: bool,
}

impl LineBuffer {
    /// Takes the next bytes of the stream. They follow the lines that have not been returned.
    #[inline]
    pub fn push(&mut self, bytes: Bytes) {
        let rest = &self.piece[self.start..];
        self.piece = match rest.is_empty() {
            true => bytes,
            false => [rest, &bytes].concat().into(),
        };
        self.start = 0;
    }

    /// The next complete line without its line end; `None` until more bytes complete one.
    ///
    /// A CR completes a line at once, before the next byte arrives. The stream's first line
    /// is returned without a leading byte order mark. A line that lies whole in the last
    /// piece is not copied.
    #[inline]
    pub fn next_line(&mut self) -> Option<&[u8]> {
        if std::mem::take(&mut self.cut_line_returned) {
            self.cut_line.clear();
        }
        if self.after_cr && self.start < self.piece.len() {
            self.after_cr = false;
            if self.piece[self.start] == b'\n' {
                self.start += 1;
            }
        }
        let rest = &self.piece[self.start..];
        let Some(length) = memchr::memchr2(b'\n', b'\r', rest) else {
            self.cut_line.extend_from_slice(rest);
            self.start = self.piece.len();
            return None;
        };
        let mut line = &rest[..length];
        self.after_cr = rest[length] == b'\r';
        self.start += length + 1;
        if !self.cut_line.is_empty() {
            self.cut_line.extend_from_slice(line);
            self.cut_line_returned = true;
            line = &self.cut_line;
        }
        match std::mem::replace(&mut self.first_line_done, true) {
            true => Some(line),
            false => Some(line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line)),
        }
    }

    /// The number of pushed bytes that [`next_line`](Self::next_line) has not returned: the
    /// unfinished line without a byte order mark, once every complete line has been taken.
    pub fn pending(&self) -> usize {
        let cut: &[u8] = match self.cut_line_returned {
            true => &[],
            false => &self.cut_line,
        };
        let mark = match !self.first_line_done && cut.starts_with(BYTE_ORDER_MARK) {
            true => BYTE_ORDER_MARK.len(),
            false => 0,
        };
        cut.len() - mark + self.piece.len() - self.start
    }
}

/// Decodes the bytes of a stream into events.
///
/// The events do not depend on how the bytes are split. Memory is bounded by a small multiple of
/// the limit, plus the largest piece pushed. After an error the decoder must not be used again.
#[derive(Debug)]
pub struct SseDecoder {
    lines: LineBuffer,
    limit: usize,
    /// The event being read. Each line of its `data` ends with a line feed.
    event: SseEvent,
    reconnection_time: Option<Duration>,
}

impl SseDecoder {
    /// A decoder at the start of a stream. A line and the data before it in the same event
    /// may have at most `limit` bytes together.
    pub fn new(limit: usize) -> Self {
        Self {
            lines: LineBuffer::default(),
            limit,
            event: SseEvent::default(),
            reconnection_time: None,
        }
    }

    /// How long to wait before reconnecting: the stream's last valid `retry` field.
    pub fn reconnection_time(&self) -> Option<Duration> {
        self.reconnection_time
    }

    /// Appends the next bytes of the stream.
    #[inline]
    pub fn push(&mut self, bytes: Bytes) {
        self.lines.push(bytes);
    }

    /// The next complete event; `None` until more bytes complete one. An event that the end
    /// of the stream cuts off is never returned.
    #[inline]
    pub fn next_event(&mut self) -> Result<Option<SseEvent>, SseError> {
        while let Some(line) = self.lines.next_line() {
            if line.len() + self.event.data.len() > self.limit {
                return Err(SseError::TooLarge(self.limit));
            }
            let line = simdutf8::basic::from_utf8(line).map_err(|_| SseError::NotUtf8)?;
            if !line.is_empty() {
                apply_field(&mut self.event, &mut self.reconnection_time, line);
            } else if let Some(event) = take_event(&mut self.event) {
                return Ok(Some(event));
            }
        }
        match self.lines.pending() + self.event.data.len() > self.limit {
            true => Err(SseError::TooLarge(self.limit)),
            false => Ok(None),
        }
    }
}

/// Adds a non-empty line to the event being read.
///
/// A line is a field name, a colon and a value. One space after the colon is not part of
/// the value. A line without a colon is a field name with an empty value. A line that
/// begins with a colon is a comment.
///
/// - `event` sets the event's type and replaces an earlier one.
/// - `data` appends its value and a line feed to the data.
/// - `id` sets the id, unless the value contains U+0000.
/// - `retry` sets the reconnection time in milliseconds, if the value is only ASCII digits.
/// - Any other field is ignored.
#[inline]
pub fn apply_field(event: &mut SseEvent, reconnection_time: &mut Option<Duration>, line: &str) {
    // Nearly all lines are data, and need no search for the colon.
    let (name, value) = match line.strip_prefix("data:") {
        Some(value) => ("data", value),
        None => line.split_once(':').unwrap_or((line, "")),
    };
    let value = value.strip_prefix(' ').unwrap_or(value);
    match name {
        "event" => event.event = value.to_string().into(),
        "data" => {
            event.data.reserve(value.len() + 1);
            event.data.push_str(value);
            event.data.push('\n');
        }
        "id" if !value.contains('\0') => event.id = value.to_string(),
        "retry" if value.bytes().all(|byte| byte.is_ascii_digit()) => {
            // An empty value and a number that does not fit into a u64 are ignored.
            let time = value.parse().map(Duration::from_millis).ok();
            *reconnection_time = time.or(*reconnection_time);
        }
        _ => {}
    }
}

/// Ends the event at an empty line: takes it and leaves a new one that keeps only the `id`.
/// Without a `data` line it returns `None`, and the event is discarded all the same.
///
/// The returned event's data has no trailing line feed, and an empty type becomes a borrowed
/// `message`.
#[inline]
pub fn take_event(event: &mut SseEvent) -> Option<SseEvent> {
    let mut data = std::mem::take(&mut event.data);
    let mut event_type = std::mem::take(&mut event.event);
    // Every data line ends with a line feed, so this is `None` if there was no data line.
    data.pop()?;
    if event_type.is_empty() {
        event_type = Cow::Borrowed("message");
    }
    Some(SseEvent {
        event: event_type,
        data,
        id: event.id.clone(),
    })
}
