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
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let text = String::from_utf8_lossy(line);
    let count = text.chars().count();
    if count <= MAX_LINE {
        return text.into_owned();
    }
    let before = String::from_utf8_lossy(&line[..at.min(line.len())]);
    let wanted = before.chars().count().saturating_sub(MAX_LINE / 4);
    let start = wanted.min(count - MAX_LINE);
    let shown: String = text.chars().skip(start).take(MAX_LINE).collect();
    let head = if start > 0 { "…" } else { "" };
    let tail = if start + MAX_LINE < count { "…" } else { "" };
    format!("{head}{shown}{tail} [line of {count} characters]")
}
