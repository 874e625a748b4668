//! Truncates text between characters.

use std::borrow::Cow;

use crate::types::ToolResult;

/// The greatest length of a result, in bytes.
pub const RESULT_LIMIT: usize = 32 * 1024;

/// The last character boundary of `text` at or before byte `at`. If `at` is after the end
/// of the text, that is its end.
pub fn floor_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The first character boundary of `text` at or after byte `at`. If `at` is after the end
/// of the text, that is its end.
pub fn ceil_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}

/// Truncates `text` to at most `limit` bytes.
///
/// A text that fits is unchanged. Otherwise a head and a tail of about equal length stay,
/// with a line between them that counts the missing bytes: `[1234 bytes left out]`. If the
/// limit has no room for the longest such line, only a head stays.
///
/// Cuts are between `char`s. A reader may see several `char`s as one character, such as a
/// letter with an accent, and a cut can separate these.
pub fn truncate(text: &str, limit: usize) -> Cow<'_, str> {
    todo!("head-and-tail: write truncate")
}

/// The line that replaces this many bytes.
fn gap_line(bytes: usize) -> String {
    format!("\n[{bytes} bytes left out]\n")
}

/// Truncates the content of `result` to at most `limit` bytes, and sets `is_truncated` if
/// it cut anything. A result that was truncated before stays marked, and a failure stays a
/// failure.
pub fn truncate_result(result: ToolResult, limit: usize) -> ToolResult {
    todo!("head-and-tail: write truncate_result")
}
