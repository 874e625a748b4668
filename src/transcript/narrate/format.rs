//! Formatting for one short line: escaping, cutting, sizes, counts and reasons.

use serde_json::Value;

/// The longest narration, in characters.
pub const MAX_NARRATION: usize = 200;

/// The longest argument in a narration, in characters.
pub const MAX_ARGUMENT: usize = 60;

/// The longest reason in a narration, in characters.
pub const MAX_REASON: usize = 100;

/// `text` on one line of at most `limit` characters. If the text is cut, the last character
/// is `…`.
///
/// Control characters, and characters that reorder or hide parts of a line, become escapes:
/// `\n`, `\u{202e}`. An escape is kept whole or left out.
pub fn one_line(text: &str, limit: usize) -> String {
    let mut line = String::new();
    // `cut` is the length of the longest prefix after which `…` still fits.
    let (mut length, mut cut) = (0, 0);
    for letter in text.chars() {
        let escaped = match letter.is_control() || is_deceptive(letter) {
            true => letter.escape_default().to_string(),
            false => letter.to_string(),
        };
        length += escaped.chars().count();
        if length > limit {
            line.truncate(cut);
            line.push('…');
            return line;
        }
        line += &escaped;
        if length < limit {
            cut = line.len();
        }
    }
    line
}

/// Whether a character is invisible and changes how other characters are shown. The two
/// joiners are allowed, since Persian and emoji need them.
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

/// A path on [one line](one_line) of at most [`MAX_ARGUMENT`] characters. A line that is longer
/// is replaced by `…` and its last 59 characters, which hold the file name. If these contain a
/// `/`, they start at the first one.
pub fn short_path(path: &str) -> String {
    let whole = one_line(path, usize::MAX);
    let length = whole.chars().count();
    if length <= MAX_ARGUMENT {
        return whole;
    }
    let end: String = whole.chars().skip(length - MAX_ARGUMENT + 1).collect();
    let start = end.find('/').unwrap_or(0);
    format!("…{}", &end[start..])
}

/// The argument `name` if it is a string that is not empty.
pub fn argument<'a>(args: &'a Value, name: &str) -> Option<&'a str> {
    args[name].as_str().filter(|text| !text.is_empty())
}

/// A number and its noun, in the singular for 1: `1 file`, `2 files`.
pub fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// A number of bytes for people: `1 byte`, `1023 bytes`, `4 KB`, `1.5 MB`.
///
/// 1 KB is 1024 bytes, and TB is the largest unit. The number is rounded, a half up: below 10 to one
/// decimal digit, which is left out if it is 0, else to a whole number. A number that rounds
/// to 1024 becomes 1 of the next unit.
pub fn size(bytes: u64) -> String {
    if bytes < 1024 {
        return count(bytes as usize, "byte", "bytes");
    }
    let mut number = bytes as f64;
    let mut unit = "bytes";
    for next in ["KB", "MB", "GB", "TB"] {
        if number.round() < 1024.0 {
            break;
        }
        number /= 1024.0;
        unit = next;
    }
    let tenths = (number * 10.0).round() / 10.0;
    match tenths < 10.0 {
        true => format!("{tenths} {unit}"),
        false => format!("{} {unit}", number.round()),
    }
}

/// The cause of a failure, without the advice for the model: the first line of `error` that is
/// not blank, up to the first `; ` or `. `, whichever comes first. It has at most
/// [`MAX_REASON`] characters and no periods or colons at its end. It is empty if `error` is blank.
pub fn reason(error: &str) -> String {
    let line = error.trim().lines().next().unwrap_or_default();
    let line = line.split("; ").next().unwrap_or_default();
    let line = line.split(". ").next().unwrap_or_default();
    one_line(line.trim_end_matches(['.', ':']), MAX_REASON)
}
