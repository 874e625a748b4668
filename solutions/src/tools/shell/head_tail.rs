//! The head and the tail of a text of any length.

use crate::tools::{ceil_boundary, floor_boundary};

/// How many bytes are kept of the beginning.
pub const HEAD: usize = 10 * 1024;

/// How many bytes are kept of the end. It is the longer part: where a command failed is
/// most often said there. With the head and some words, it fits into
/// [`RESULT_LIMIT`](crate::tools::RESULT_LIMIT), so that nothing is cut a second time.
pub const TAIL: usize = 20 * 1024;

/// Keeps the head and the tail of what is pushed, in memory that does not grow.
#[derive(Debug, Clone, Default)]
pub struct Kept {
    head: String,
    tail: String,
    left_out: u64,
}

impl Kept {
    /// Adds to the end. The first [`HEAD`] bytes stay for good; of the others, the last
    /// [`TAIL`] and never more than twice as many. Cuts are made between characters.
    pub fn push(&mut self, text: &str) {
        let mut text = text;
        if self.tail.is_empty() {
            let (head, rest) = text.split_at(floor_boundary(text, HEAD - self.head.len()));
            self.head.push_str(head);
            text = rest;
        }
        if text.len() > TAIL {
            let (gone, end) = text.split_at(ceil_boundary(text, text.len() - TAIL));
            self.left_out += (self.tail.len() + gone.len()) as u64;
            self.tail.clear();
            text = end;
        }
        self.tail.push_str(text);
        // Moved to the front only now and then, so that each byte is moved about once.
        if self.tail.len() > 2 * TAIL {
            self.cut();
        }
    }

    /// How much memory is used, in bytes.
    pub fn memory(&self) -> usize {
        self.head.capacity() + self.tail.capacity()
    }

    /// What has been left out so far, in bytes.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// The last `most` bytes or a few less, as far as the tail goes back; of a short
    /// text, the last of the head.
    pub fn end(&self, most: usize) -> &str {
        let part = if self.tail.is_empty() {
            &self.head
        } else {
            &self.tail
        };
        &part[ceil_boundary(part, part.len().saturating_sub(most))..]
    }

    /// The whole text if it fits. Otherwise the head and the tail, and between them a
    /// line of its own that says how much is missing: `[1234 bytes left out]`.
    pub fn text(&mut self) -> String {
        if self.tail.len() > TAIL {
            self.cut();
        }
        match self.left_out {
            0 => [self.head.as_str(), &self.tail].concat(),
            bytes => format!("{}\n[{bytes} bytes left out]\n{}", self.head, self.tail),
        }
    }

    /// Cuts the tail to its length.
    fn cut(&mut self) {
        let at = ceil_boundary(&self.tail, self.tail.len() - TAIL);
        self.left_out += at as u64;
        self.tail.drain(..at);
    }
}
