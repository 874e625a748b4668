//! Text made safe to show in a terminal.

/// The longest row, in characters.
pub const ROW: usize = 120;

/// `text` without control characters, which could move the cursor or reconfigure the
/// terminal; line ends and tabs stay.
///
/// Only the first character of an escape sequence is removed. The rest is ordinary text, so
/// the result does not depend on how a text is split into pieces.
pub fn without_control_chars(text: &str) -> String {
    let is_safe = |it: &char| !it.is_control() || matches!(it, '\n' | '\t');
    text.chars().filter(is_safe).collect()
}

/// `text` as one row of at most [`ROW`] characters: each run of white space is one space,
/// control characters are removed, and `…` marks where the rest is cut off.
pub fn one_line(text: &str) -> String {
    cut(text, ROW)
}

/// Like [`one_line`], with at most `limit` characters.
pub fn cut(text: &str, limit: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let chars: Vec<char> = without_control_chars(&words.join(" ")).chars().collect();
    match chars.len() > limit {
        true => chars[..limit.saturating_sub(1)]
            .iter()
            .chain(&['…'])
            .collect(),
        false => chars.into_iter().collect(),
    }
}
