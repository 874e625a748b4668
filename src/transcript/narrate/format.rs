//! Texts for one short line.

use serde_json::Value;

/// How many characters a narration has at most.
pub const MAX_NARRATION: usize = 200;

/// How many characters of an argument it shows.
pub const MAX_ARGUMENT: usize = 60;

/// How many characters of an error it shows.
pub const MAX_REASON: usize = 100;

/// `text` on one line, in at most `limit` characters, of which the last is `…` if
/// something was cut off.
///
/// Control characters, and those that would make a line read in another order or hide a
/// part of it, are written as escapes: `\n`, `\u{202e}`. An escape is never cut apart.
pub fn plain(text: &str, limit: usize) -> String {
    todo!("17.6: write plain")
}

/// Whether a character shows nothing itself and changes how others are shown. The two
/// joiners, which Persian and emoji need, are not among them.
fn is_deceptive(letter: char) -> bool {
    matches!(
        letter,
        '\u{61c}'
            | '\u{200b}'
            | '\u{200e}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
    )
}

/// A path on one line, in at most [`MAX_ARGUMENT`] characters. Of a longer one the end is
/// shown, behind `…`: it has the name in it. It begins with a whole name if it can.
pub fn short_path(path: &str) -> String {
    todo!("17.6: write short_path")
}

/// The string argument `name`, unless it is empty or none.
pub fn argument<'a>(args: &'a Value, name: &str) -> Option<&'a str> {
    args[name].as_str().filter(|text| !text.is_empty())
}

/// `1 file`, `2 files`.
pub fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// A number of bytes for people: `1 byte`, `1023 bytes`, `4 KB`, `1.5 MB`.
///
/// A KB is 1024 bytes. There is one digit behind the point below 10, if it is not 0. The
/// number is rounded, and one that would be rounded to 1024 is 1 of the next unit, of which
/// the last is the TB.
pub fn size(bytes: u64) -> String {
    todo!("17.6: write size")
}

/// Why something failed: the first sentence of an error's first line, or the part of it
/// before a semicolon, behind which tools tell a model what to do. At most [`MAX_REASON`]
/// characters, and no full stop or colon at the end.
pub fn reason(error: &str) -> String {
    todo!("17.6: write reason")
}
