//! Text made safe to show in a terminal.

use unicode_width::UnicodeWidthChar;

/// The longest row, in columns.
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

/// `text` with escapes, such as `\u{1b}`, for characters that could hide part of it: control
/// characters except tabs, and [invisible](is_invisible) ones.
pub fn visible(text: &str) -> String {
    let is_hidden = |it: char| it != '\t' && (it.is_control() || is_invisible(it));
    let mut shown = String::with_capacity(text.len());
    for char in text.chars() {
        match is_hidden(char) {
            true => shown.extend(char.escape_default()),
            false => shown.push(char),
        }
    }
    shown
}

/// Whether a character shows nothing by itself, or changes the direction of the text. Accents
/// and variation selectors are not among these.
fn is_invisible(char: char) -> bool {
    matches!(
        char,
        '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{e0000}'..='\u{e00ff}'
            | '\u{e01f0}'..='\u{e0fff}'
    )
}

/// `text` as one row of at most [`ROW`] columns: each run of white space is one space,
/// control characters are removed, and `…` marks where the rest is cut off.
pub fn one_line(text: &str) -> String {
    cut(text, ROW)
}

/// Like [`one_line`], with at most `limit` columns.
pub fn cut(text: &str, limit: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = without_control_chars(&words.join(" "));
    let mut width = 0;
    // Where the text ends if a `…` follows.
    let mut end = 0;
    for (at, char) in text.char_indices() {
        width += char.width().unwrap_or(0);
        if width > limit {
            return format!("{}…", &text[..end]);
        }
        if width < limit {
            end = at + char.len_utf8();
        }
    }
    text
}
