//! One line, in a length that can be shown.

/// How many characters of a line are shown.
pub const MAX_LINE: usize = 400;

/// `line` without its end (`\n` or `\r\n`), as text.
///
/// Of a line of more than [`MAX_LINE`] characters, so many are shown: those around byte
/// `at`, where the match begins, with about a quarter of them before it. `…` stands
/// where something is missing, and ` [line of 5000 characters]` follows.
///
/// What is not UTF-8 is shown as replacement characters.
pub fn excerpt(line: &[u8], at: usize) -> String {
    todo!("8.8: write excerpt")
}
