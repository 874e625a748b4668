//! What a command has written, from bytes to the text that a model reads.

use super::{Decoder, Kept, Plain};

/// How many bytes of the end a progress message shows.
pub const RECENT: usize = 400;

/// Takes what a command writes. However much that is, it needs no more memory.
#[derive(Debug, Clone, Default)]
pub struct Output {
    decoder: Decoder,
    plain: Plain,
    kept: Kept,
    bytes: u64,
}

impl Output {
    /// Takes more.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        let text = self.decoder.push(bytes);
        self.kept.push(&self.plain.push(&text));
    }

    /// How many bytes were written.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The end of it as it stands, in about [`RECENT`] bytes, for somebody who watches.
    pub fn recent(&self) -> String {
        let line = self.plain.line();
        let line = &line[crate::tools::ceil_boundary(line, line.len().saturating_sub(RECENT))..];
        [self.kept.end(RECENT - line.len()), line].concat()
    }

    /// All of it, or its head and tail; and whether something was left out.
    pub fn finish(mut self) -> (String, bool) {
        let rest = self.decoder.finish();
        self.kept.push(&self.plain.push(&rest));
        self.kept.push(self.plain.line());
        let text = self.kept.text();
        (text, self.kept.left_out() > 0)
    }
}
