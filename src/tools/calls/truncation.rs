//! Text cut to a size, never inside a character.

use std::borrow::Cow;

use crate::types::ToolResult;

/// How many bytes of a result a model is given.
pub const RESULT_LIMIT: usize = 32 * 1024;

/// The last place at or before byte `at` that lies between two characters of `text`.
/// Behind the end of the text that is its end.
pub fn floor_boundary(text: &str, at: usize) -> usize {
    todo!("3.9: write floor_boundary")
}

/// The first place at or behind byte `at` that lies between two characters of `text`.
/// Behind the end of the text that is its end.
pub fn ceil_boundary(text: &str, at: usize) -> usize {
    todo!("3.9: write ceil_boundary")
}

/// `text` in at most `limit` bytes.
///
/// What fits is unchanged. Otherwise the head and the tail stay, about as long as each
/// other, and between them a line of its own says how many bytes are missing:
/// `[1234 bytes left out]`. A limit too small for that line leaves the head alone.
///
/// Cuts are made between characters (`char`s). What a reader sees as one sign may be
/// several of them, a letter and its accent for one, and may be cut apart.
pub fn truncate(text: &str, limit: usize) -> Cow<'_, str> {
    todo!("3.10: write truncate")
}

/// What stands in place of so many bytes.
fn gap(bytes: usize) -> String {
    format!("\n[{bytes} bytes left out]\n")
}

/// `result` with at most `limit` bytes of content, marked as truncated if content was
/// cut off. A result that was truncated before stays marked, and a failure stays a
/// failure.
pub fn bounded(result: ToolResult, limit: usize) -> ToolResult {
    todo!("3.10: write bounded")
}
