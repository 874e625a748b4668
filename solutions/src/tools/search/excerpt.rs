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
    let line = match line.strip_suffix(b"\n") {
        Some(line) => line.strip_suffix(b"\r").unwrap_or(line),
        None => line,
    };
    let text = String::from_utf8_lossy(line);
    let count = text.chars().count();
    if count <= MAX_LINE {
        return text.into_owned();
    }
    let before = String::from_utf8_lossy(&line[..match_start.min(line.len())]);
    let wanted = before.chars().count().saturating_sub(MAX_LINE / 4);
    let start = wanted.min(count - MAX_LINE);
    let shown: String = text.chars().skip(start).take(MAX_LINE).collect();
    let head = if start > 0 { "…" } else { "" };
    let tail = if start + MAX_LINE < count { "…" } else { "" };
    format!("{head}{shown}{tail} [line of {count} characters]")
}
