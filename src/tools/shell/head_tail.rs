//! Keeps the head and the tail of a text of any length.

use crate::tools::{ceil_boundary, floor_boundary};

/// The number of bytes kept of the beginning.
pub const HEAD_BYTES: usize = 10 * 1024;

/// The number of bytes kept of the end. It is the larger part, since errors are most often
/// reported there. Head, tail and notes fit into
/// [`RESULT_LIMIT`](crate::tools::RESULT_LIMIT), so that nothing is cut a second time.
pub const TAIL_BYTES: usize = 20 * 1024;

/// The head and the tail of the text that was pushed, in a bounded amount of memory.
#[derive(Debug, Clone, Default)]
pub struct HeadTail {
    head: String,
    tail: String,
    left_out: u64,
}

impl HeadTail {
    /// Appends `text`. The first [`HEAD_BYTES`] stay for good. Of the rest, at least the last
    /// [`TAIL_BYTES`] are kept, and afterwards at most twice as many. Cuts are made between
    /// characters.
    pub fn push(&mut self, text: &str) {
        todo!("bounded-output: write HeadTail::push")
    }

    /// The memory in use, in bytes.
    pub fn memory(&self) -> usize {
        self.head.capacity() + self.tail.capacity()
    }

    /// The number of bytes left out so far.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// The last bytes, at most `limit`, as far as the tail reaches back; of a short text,
    /// the last bytes of the head. Cut between characters.
    pub fn last(&self, limit: usize) -> &str {
        let part = if self.tail.is_empty() {
            &self.head
        } else {
            &self.tail
        };
        &part[ceil_boundary(part, part.len().saturating_sub(limit))..]
    }

    /// The whole text if it fits. Otherwise the head and the tail, and between them the number
    /// of missing bytes: `\n[1234 bytes left out]\n`, whatever the head ends with.
    pub fn text(&mut self) -> String {
        todo!("bounded-output: write HeadTail::text")
    }

    /// Cuts the tail to [`TAIL_BYTES`].
    fn cut_tail(&mut self) {
        todo!("bounded-output: write HeadTail::cut_tail")
    }
}
