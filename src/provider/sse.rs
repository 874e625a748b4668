//! Server-sent events: from bytes, however they are cut up, to events.
//!
//! The format is that of the WHATWG's HTML standard, section "Server-sent events", with
//! one exception: bytes that are not UTF-8 are an error. The standard puts U+FFFD in
//! their place, and so would file contents be changed without anybody being told.

use std::fmt;
use std::time::Duration;

/// A reply in one event, the longest thing that a server may rightly send, is far below.
pub const MAX_EVENT_BYTES: usize = 8 * 1024 * 1024;

/// One event of a stream.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SseEvent {
    /// What kind of event it is: `message` unless the server named another.
    pub event: String,
    /// Its content: the values of its `data` lines, with a line feed between any two.
    pub data: String,
    /// The last `id` that the stream has given, in this event or an earlier one.
    pub id: String,
}

/// Why a stream of events cannot be read on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SseError {
    /// An event, or one line, has more bytes than this limit.
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

/// Cuts a stream of bytes into lines, each ended by LF, CR or CRLF.
#[derive(Debug, Default)]
pub struct Lines {
    buffer: Vec<u8>,
    /// Where in the buffer the next line begins; what lies before was given out.
    start: usize,
    /// Up to where the buffer is known to hold no line end. Without it, a long line that
    /// comes byte by byte would be searched from its beginning with every byte.
    searched: usize,
    /// The last line ended with CR: an LF that comes next belongs to that line's end.
    after_cr: bool,
    /// Whether a line was given out already.
    begun: bool,
}

impl Lines {
    /// Takes in the next bytes of the stream. What was given out already is dropped.
    pub fn push(&mut self, bytes: &[u8]) {
        todo!("2.3: write Lines::push")
    }

    /// The next whole line, without its end; `None` until more bytes complete one. A
    /// line is complete at its CR, whatever follows. The first line of a stream is given
    /// without the byte order mark that it may begin with.
    pub fn next_line(&mut self) -> Option<&[u8]> {
        todo!("2.3: write Lines::next_line")
    }

    /// How many bytes of an unfinished line are waiting, once every whole line was taken.
    pub fn pending(&self) -> usize {
        todo!("2.3: write Lines::pending")
    }
}

/// Turns the bytes of a stream into events.
///
/// How the bytes are cut up makes no difference. Memory is bounded by the limit and the
/// largest piece pushed. After an error the decoder is of no more use.
#[derive(Debug)]
pub struct SseDecoder {
    lines: Lines,
    limit: usize,
    /// The event that is being read. Its `data` has a line feed behind every line.
    event: SseEvent,
    reconnection_time: Option<Duration>,
}

impl SseDecoder {
    /// A decoder at the start of a stream. A line and the data that came before it in the
    /// same event may have no more than `limit` bytes together.
    pub fn new(limit: usize) -> Self {
        Self {
            lines: Lines::default(),
            limit,
            event: SseEvent::default(),
            reconnection_time: None,
        }
    }

    /// How long to wait before connecting again, as the stream last said.
    pub fn retry(&self) -> Option<Duration> {
        self.reconnection_time
    }

    /// Takes in the next bytes of the stream.
    pub fn push(&mut self, bytes: &[u8]) {
        todo!("2.4: write SseDecoder::push")
    }

    /// The next whole event; `None` until more bytes complete one. An event that the end
    /// of the stream cuts off is never given out.
    pub fn next_event(&mut self) -> Result<Option<SseEvent>, SseError> {
        todo!("2.4: write SseDecoder::next_event")
    }
}

/// Adds a line that is not empty to the event being read.
///
/// A line is a field's name, a colon and its value; one space behind the colon is not
/// part of the value. Without a colon the line is a name, and the value is empty. A line
/// that begins with a colon is a comment.
///
/// - `event` names the kind of event, in place of an earlier name.
/// - `data` adds its value and a line feed to the data.
/// - `id` is kept, unless it contains U+0000.
/// - `retry` is a time in milliseconds, if it is ASCII digits and nothing else.
/// - Any other field is passed over.
pub fn take_field(event: &mut SseEvent, retry: &mut Option<Duration>, line: &str) {
    todo!("2.4: write take_field")
}

/// What an empty line does: gives out the event and begins the next, which has its `id`
/// and nothing else of it. Without a `data` line there is nothing to give out; the
/// event's name is forgotten all the same.
///
/// Given out, the data has no line feed at its end, and a kind without a name is
/// `message`.
pub fn dispatch(event: &mut SseEvent) -> Option<SseEvent> {
    todo!("2.4: write dispatch")
}
