//! Removes text and closes up the blank lines around it.

use std::borrow::Cow;
use std::ops::Range;

/// Marks removed text until the blank lines around it are closed up. The character is in
/// Unicode's private use area, so no source contains it.
pub(super) const GAP: char = '\u{E000}';

/// Removes `range` from `text`, with the blank line that would be left.
pub fn remove(text: &str, range: &Range<usize>) -> String {
    let line = text[..range.start].rfind('\n').map_or(0, |n| n + 1);
    let after = text[range.end..].split('\n').next().unwrap_or_default();
    let after = after.trim_start_matches([',', ' ', '\t', '\r']);
    let is_alone =
        text[line..range.start].trim().is_empty() && (after.is_empty() || after.starts_with("//"));
    if !is_alone {
        return format!(
            "{}{}",
            &text[..range.start],
            text[range.end..].trim_start_matches([',', ' '])
        );
    }
    let range = lines_of(text, range);
    close_gaps(&format!(
        "{}{GAP}\n{}",
        &text[..range.start],
        &text[range.end..]
    ))
}

/// The whole lines of an item, with the comma after it and plain comments directly above it.
pub fn lines_of(text: &str, range: &Range<usize>) -> Range<usize> {
    let mut start = text[..range.start].rfind('\n').map_or(0, |n| n + 1);
    while let Some(above) = text[..start.saturating_sub(1)]
        .rfind('\n')
        .map(|n| n + 1)
        .filter(|above| {
            let line = text[*above..start].trim_start();
            line.starts_with("//") && !line.starts_with("///") && !line.starts_with("//!")
        })
    {
        start = above;
    }
    let end = text[range.end..]
        .find('\n')
        .map_or(text.len(), |newline| range.end + newline + 1);
    start..end
}

/// Removes the gap marks. Also removes blank lines that would be doubled, follow an opening
/// brace, precede a closing one or end the file. Empty braces close up.
pub(super) fn close_gaps(text: &str) -> String {
    let lines: Vec<&str> = text.split('\n').collect();
    let is_gap = |line: &str| line.starts_with(GAP);
    let mut out: Vec<Cow<str>> = Vec::with_capacity(lines.len());
    let mut at = 0;
    while at < lines.len() {
        let end = lines[at..]
            .iter()
            .position(|line| !is_gap(line) && !line.trim().is_empty())
            .map_or(lines.len(), |n| at + n);
        let block = &lines[at..end];
        if block.iter().any(|line| is_gap(line)) {
            let blank = block.iter().any(|line| line.is_empty());
            let opens = out.last().is_none_or(|line| line.ends_with('{'));
            let closing = lines.get(end).map(|line| line.trim_start());
            let closes = closing.is_none_or(|line| line.starts_with('}'));
            if end == lines.len() || (blank && !opens && !closes) {
                out.push(Cow::Borrowed(""));
            } else if opens
                && closes
                && let (Some(line), Some(closing)) = (out.last_mut(), closing)
            {
                line.to_mut().push_str(closing);
                at = end + 1;
                continue;
            }
        } else {
            out.extend(block.iter().copied().map(Cow::Borrowed));
        }
        if let Some(line) = lines.get(end) {
            out.push(Cow::Borrowed(line));
        }
        at = end + 1;
    }
    out.join("\n")
}
