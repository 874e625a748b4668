//! The output of a command, from bytes to the text that a model reads.

use super::{HeadTail, TerminalText, Utf8Decoder};
use crate::tools::ceil_boundary;

/// The number of bytes of the output's end that a progress report shows.
pub const RECENT_BYTES: usize = 400;

/// Collects the output of a command, in a bounded amount of memory.
#[derive(Debug, Clone, Default)]
pub struct CommandOutput {
    decoder: Utf8Decoder,
    terminal: TerminalText,
    head_tail: HeadTail,
    bytes: u64,
}

impl CommandOutput {
    /// Appends bytes that the command has written.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        let text = self.decoder.push(bytes);
        self.head_tail.push(&self.terminal.push(&text));
    }

    /// The number of bytes that the command has written.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The end of the output for a progress report, about [`RECENT_BYTES`] long. It
    /// includes the current line.
    pub fn recent(&self) -> String {
        let line = self.terminal.current_line();
        let line = &line[ceil_boundary(line, line.len().saturating_sub(RECENT_BYTES))..];
        [self.head_tail.last(RECENT_BYTES - line.len()), line].concat()
    }

    /// The whole output or its head and tail, and whether something was left out. An output
    /// without text, such as NUL characters, is `(no text in 5000 bytes of output)`.
    pub fn finish(mut self) -> (String, bool) {
        let rest = self.decoder.finish();
        self.head_tail.push(&self.terminal.push(&rest));
        self.head_tail.push(self.terminal.current_line());
        let mut text = self.head_tail.text();
        if text.is_empty() && self.bytes > 0 {
            text = format!("(no text in {} bytes of output)", self.bytes);
        }
        (text, self.head_tail.left_out() > 0)
    }
}
