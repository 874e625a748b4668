//! Excerpts of long lines.

/// How many characters of a line are shown.
pub const MAX_LINE: usize = 400;

/// `line` as text, without its line ending (`\n` or `\r\n`).
///
/// A line of more than [`MAX_LINE`] characters is cut to that many: a window around byte
/// `match_start`, with about a quarter of the characters before it. The window moves back
/// at the end of the line, so it is always full. `…` marks each cut, and
/// ` [line of 5000 characters]` follows.
///
/// Bytes that are not UTF-8 become replacement characters.
pub fn excerpt(line: &[u8], match_start: usize) -> String {
    todo!("excerpts-of-long-lines: write excerpt")
}
