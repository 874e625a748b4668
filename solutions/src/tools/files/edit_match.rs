//! Finds the text that an edit replaces, and replaces it.

use std::ops::Range;

use memchr::memmem;

use crate::tools::{TextFile, explain_mismatch, line_ends};

/// The number of lines that a message lists.
pub const MAX_LINES_LISTED: usize = 5;

/// One replacement, as the model asks for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Edit {
    /// The text to replace.
    pub old_string: String,
    /// The replacement.
    pub new_string: String,
    /// Whether to replace every occurrence. Otherwise there must be exactly one.
    pub replace_all: bool,
}

/// The offset of every occurrence of `wanted` in `text`, including those that overlap: in
/// `aaa`, `aa` begins at 0 and at 1. An empty `wanted` has no occurrence.
pub fn occurrences(text: &str, wanted: &str) -> Vec<usize> {
    let Some(step) = wanted.chars().next().map(char::len_utf8) else {
        return Vec::new();
    };
    let (mut found, mut from) = (Vec::new(), 0);
    while let Some(at) = memmem::find(&text.as_bytes()[from..], wanted.as_bytes()) {
        found.push(from + at);
        from += at + step;
    }
    found
}

/// The ranges of `text`, a [normalized](TextFile::normalized) text, that `edit` replaces.
/// The error is text for the model.
///
/// Without `replace_all`, there must be one of [`occurrences`]: of two that overlap, it is
/// unclear which one is meant. With it, all occurrences are replaced that do not overlap,
/// counted from the beginning. `\r\n` in the edit matches `\n`.
///
/// It is an error if `old_string`
///
/// - is empty, or equals `new_string`;
/// - does not occur: the message is that of [`explain_mismatch`];
/// - occurs more than once: the message has the number of occurrences and their lines, of
///   which it lists [`MAX_LINES_LISTED`].
pub fn edit_ranges(text: &str, edit: &Edit) -> Result<Vec<Range<usize>>, String> {
    let old = edit.old_string.replace("\r\n", "\n");
    if old.is_empty() {
        return Err("`old_string` is empty; to create a file, use `write`".to_string());
    }
    if old == edit.new_string.replace("\r\n", "\n") {
        return Err("`old_string` and `new_string` are the same".to_string());
    }
    let found = occurrences(text, &old);
    if found.is_empty() {
        return Err(explain_mismatch(text, &old));
    }
    if found.len() > 1 && !edit.replace_all {
        return Err(ambiguous_message(text, &found));
    }
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for at in found {
        if ranges.last().is_none_or(|last| last.end <= at) {
            ranges.push(at..at + old.len());
        }
    }
    Ok(ranges)
}

/// Error text for an `old_string` that occurs at all these offsets.
fn ambiguous_message(text: &str, found: &[usize]) -> String {
    format!(
        "`old_string` occurs {} times in the file, on {}; add surrounding lines to make it unique, or set `replace_all`",
        found.len(),
        line_list(text, found)
    )
}

/// Applies `edit` to `text`, and returns the lines on which `old_string` began, in the old text:
/// `line 4`, `2 places, line 4` or `3 places, lines 4, 17 and 30`. On an error, `text` is
/// unchanged.
///
/// The beginning and the end that `old_string` and `new_string` have in common are not
/// touched, so unchanged lines keep their line ends even in a file with mixed ones.
pub fn apply_edit(text: &mut TextFile, edit: &Edit) -> Result<String, String> {
    let mut ranges = edit_ranges(text.normalized(), edit)?;
    let starts: Vec<usize> = ranges.iter().map(|range| range.start).collect();
    let mut summary = line_list(text.normalized(), &starts);
    if ranges.len() > 1 {
        summary = format!("{} places, {summary}", ranges.len());
    }
    let old = edit.old_string.replace("\r\n", "\n");
    let new = edit.new_string.replace("\r\n", "\n");
    let (prefix, suffix) = common_ends(&old, &new);
    for range in &mut ranges {
        *range = range.start + prefix..range.end - suffix;
    }
    text.replace(&ranges, &new[prefix..new.len() - suffix]);
    Ok(summary)
}

/// The length in bytes of the longest common prefix of two texts, and of the longest
/// common suffix of what follows it. Both end between characters.
fn common_ends(one: &str, other: &str) -> (usize, usize) {
    let equal = |(a, b): &(char, char)| a == b;
    let length = |(a, _): (char, char)| a.len_utf8();
    let prefix = one.chars().zip(other.chars());
    let prefix: usize = prefix.take_while(equal).map(length).sum();
    let suffix = one[prefix..]
        .chars()
        .rev()
        .zip(other[prefix..].chars().rev());
    (prefix, suffix.take_while(equal).map(length).sum())
}

/// The lines of these offsets, each once: `line 4`, `lines 4, 17 and 30`, or
/// `lines 1, 2, 3, 4, 5 and more`.
fn line_list(text: &str, offsets: &[usize]) -> String {
    let mut lines: Vec<usize> = Vec::new();
    let (mut line, mut counted) = (1, 0);
    for at in offsets {
        line += line_ends(&text[counted..*at]);
        counted = *at;
        if lines.last() != Some(&line) {
            lines.push(line);
        }
    }
    let mut items: Vec<String> = lines.iter().map(usize::to_string).collect();
    if items.len() > MAX_LINES_LISTED {
        items.truncate(MAX_LINES_LISTED);
        items.push("more".to_string());
    }
    match items.split_last() {
        Some((last, [])) => format!("line {last}"),
        Some((last, rest)) => format!("lines {} and {last}", rest.join(", ")),
        None => "no line".to_string(),
    }
}
