//! Where an edit belongs.

use std::ops::Range;

use crate::tools::{Text, explain_miss};

/// How many lines a message lists.
pub const MAX_LINES_LISTED: usize = 5;

/// One replacement, as the model asks for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// What to replace.
    pub old_string: String,
    /// What to put in its place.
    pub new_string: String,
    /// Whether every occurrence is meant; otherwise there must be one.
    pub replace_all: bool,
}

/// Every place in `text` where `wanted` begins, even inside another occurrence: in `aaa`,
/// `aa` begins at 0 and at 1. An empty `wanted` begins nowhere.
pub fn occurrences(text: &str, wanted: &str) -> Vec<usize> {
    todo!("6.10: write occurrences")
}

/// What parts of `text`, a [plain](Text::plain) one, to replace for `change`; the error is
/// for the model to read.
///
/// Without `replace_all`, [`occurrences`] must be one: with two that overlap, nobody can
/// say which is meant. With it, those are replaced that do not overlap, from the
/// beginning. Line ends are the same whether written `\n` or `\r\n`.
///
/// It is an error if `old_string` is empty, equals `new_string`, stands nowhere (in the
/// words of [`explain_miss`]), or more than once: then the message has how often, and the
/// lines, of which [`MAX_LINES_LISTED`] are listed.
pub fn find_change(text: &str, change: &Change) -> Result<Vec<Range<usize>>, String> {
    todo!("6.10: write find_change")
}

/// Does `change` to `text`, and says in which lines: `line 4` or
/// `3 places, lines 4, 17 and 30`. What `old_string` and `new_string` have in common at
/// their beginnings and ends is not touched, so lines that stay the same keep their line
/// ends even where those are mixed. On an error the text is as it was.
pub fn apply_change(text: &mut Text, change: &Change) -> Result<String, String> {
    todo!("6.10: write apply_change")
}

/// How many bytes two texts have in common at their beginnings, and how many of the rest
/// at their ends. Both are cut between characters.
fn common_ends(one: &str, other: &str) -> (usize, usize) {
    let same = |(a, b): &(char, char)| a == b;
    let length = |(a, _): (char, char)| a.len_utf8();
    let head = one.chars().zip(other.chars());
    let head: usize = head.take_while(same).map(length).sum();
    let tail = one[head..].chars().rev().zip(other[head..].chars().rev());
    (head, tail.take_while(same).map(length).sum())
}

/// The lines of these places, each once: `line 4`, `lines 4, 17 and 30`, or
/// `lines 1, 2, 3, 4, 5 and more`.
fn lines_text(text: &str, places: &[usize]) -> String {
    let mut lines: Vec<usize> = Vec::new();
    let (mut line, mut counted) = (1, 0);
    for at in places {
        line += text[counted..*at].matches('\n').count();
        counted = *at;
        if lines.last() != Some(&line) {
            lines.push(line);
        }
    }
    let mut words: Vec<String> = lines.iter().map(usize::to_string).collect();
    if words.len() > MAX_LINES_LISTED {
        words.truncate(MAX_LINES_LISTED);
        words.push("more".to_string());
    }
    match words.split_last() {
        Some((last, [])) => format!("line {last}"),
        Some((last, rest)) => format!("lines {} and {last}", rest.join(", ")),
        None => "no line".to_string(),
    }
}
