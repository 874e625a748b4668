//! Compares texts by their words. Line breaks, markup, quotes and the value of a number do not
//! matter.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

use super::expectations::Expected;

/// Texts that are known.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// All of them, each on a line.
    all: String,
    /// The places of each word in them.
    places: HashMap<String, Vec<usize>>,
    /// The pieces that may occur inside an expected text, each on a line.
    pieces: Vec<String>,
}

impl Known {
    /// Adds the text of a page or of a source file.
    pub(super) fn add(&mut self, text: &str) {
        let start = self.all.len();
        self.all.push_str(&words(text));
        self.all.push('\n');
        let mut place = start;
        for word in self.all[start..].split_inclusive(|c: char| !c.is_alphanumeric()) {
            let bare = word.trim_end_matches(|c: char| !c.is_alphanumeric());
            self.places.entry(bare.to_string()).or_default().push(place);
            place += word.len();
        }
    }

    /// Texts that may occur inside expected ones, as an input does in an error message.
    pub(super) fn pieces<'t>(texts: impl Iterator<Item = &'t String>) -> Self {
        let mut known = Self::default();
        let mut pieces = BTreeSet::new();
        for text in texts {
            known.add(text);
            let lines = text.lines().chain([text.as_str()]).map(words);
            let lines = lines.map(|line| line.trim().to_string());
            pieces.extend(lines.filter(|line| line.len() > 1));
        }
        // The longest come first, since a piece can contain another one.
        known.pieces.extend(pieces);
        known.pieces.sort_by_key(|piece| Reverse(piece.len()));
        known
    }

    /// Whether a text contains `phrase`, without the marks at its beginning.
    fn contains(&self, phrase: &str) -> bool {
        let phrase = phrase.trim_start_matches(|c: char| !c.is_alphanumeric());
        let first = phrase.split(|c: char| !c.is_alphanumeric()).next();
        let places = first.and_then(|word| self.places.get(word));
        let mut places = places.into_iter().flatten();
        places.any(|place| self.all[*place..].starts_with(phrase))
    }
}

/// The first part of an expected text that is neither taught nor the test's `own`.
///
/// The parts are what is left without the test's own pieces and quoted values. They end at
/// numbers, and keep the numbers at their ends. A part counts if it has two words or a mark, such
/// as the colon of `error:`. The name of a JSON field always counts. In the result, N is any
/// number.
pub(super) fn untaught(expected: &Expected, own: &Known, taught: &Known) -> Option<String> {
    let is_known = |phrase: &str| taught.contains(phrase) || own.contains(phrase);
    if is_known(words(&expected.text).trim()) {
        return None;
    }
    let text = without_quoted(&expected.text);
    for line in text.lines().map(words) {
        let line = line.trim();
        if is_known(line) {
            continue;
        }
        let mut parts = vec![line];
        for piece in &own.pieces {
            parts = parts
                .into_iter()
                .flat_map(|part| split_at(part, piece))
                .collect();
        }
        let parts = parts.into_iter().flat_map(between_numbers);
        for part in parts.filter(|part| expected.is_key || counts(part)) {
            let phrase = part.trim_matches(|c: char| !c.is_alphanumeric());
            if !is_known(phrase) {
                return Some(phrase.replace('0', "N"));
            }
        }
    }
    None
}

/// Whether a text has two words, or a word with a colon after it or a bracket before it.
fn counts(text: &str) -> bool {
    let is_word = |word: &str| word.chars().filter(|c| c.is_alphabetic()).count() > 1;
    let mut parts = text.split(' ').filter(|part| is_word(part));
    match (parts.next(), parts.next()) {
        (Some(only), None) => only.starts_with('[') || only.ends_with(':'),
        (_, second) => second.is_some(),
    }
}

/// Line breaks in place of values in quotes or backticks.
fn without_quoted(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['`', '"']) {
        let (before, quoted) = rest.split_at(at);
        out.push_str(before);
        let inner = &quoted[1..];
        let end = inner.find(&quoted[..1]).filter(|end| *end > 0);
        match end {
            Some(end) if !inner[..end].contains(char::is_whitespace) => {
                out.push('\n');
                rest = &inner[end + 1..];
            }
            _ => rest = inner,
        }
    }
    out + rest
}

/// The parts of `text` around the whole words `piece`.
fn split_at<'t>(text: &'t str, piece: &str) -> Vec<&'t str> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, _) in text.match_indices(piece) {
        let end = at + piece.len();
        if is_border(text, at) && is_border(text, end) && start <= at {
            parts.push(&text[start..at]);
            start = end;
        }
    }
    parts.push(&text[start..]);
    parts
}

/// The parts of `text` between its numbers, each with the numbers next to it.
fn between_numbers(text: &str) -> impl Iterator<Item = &str> {
    let numbers = text.match_indices('0').map(|(at, _)| at);
    let starts = [0].into_iter().chain(numbers.clone());
    let ends = numbers.map(|at| at + 1).chain([text.len()]);
    starts.zip(ends).map(|(start, end)| &text[start..end])
}

/// Whether the byte `at` is not inside a word.
fn is_border(text: &str, at: usize) -> bool {
    let before = text[..at].chars().next_back();
    let after = text[at..].chars().next();
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    !(is_word(before) && is_word(after))
}

/// The words of a text: without the marks of comments, markup, quotes, escapes and the
/// sequences that color a terminal. Every number becomes 0, and so does a place for a value, such
/// as `{name}`.
fn words(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let line = line.trim_start();
        let line = line.trim_start_matches('/').trim_start_matches('!');
        let line = line.replace("\\u{1b}", "\u{1b}");
        let line = ["\\n", "\\r", "\\t"]
            .into_iter()
            .fold(line, |line, escape| line.replace(escape, " "));
        let line = without_placeholders(&line);
        let mut chars = line.chars().peekable();
        while let Some(c) = chars.next() {
            match c {
                '\u{1b}' => {
                    if chars.next_if_eq(&'[').is_some() {
                        while chars.next_if(|c| c.is_ascii_digit() || *c == ';').is_some() {}
                        chars.next();
                    }
                }
                '`' | '"' | '\\' | '*' => {}
                c if c.is_whitespace() => push_once(&mut out, ' '),
                c if c.is_ascii_digit() => push_once(&mut out, '0'),
                c if c.is_control() => {}
                c => out.push(c),
            }
        }
        push_once(&mut out, ' ');
    }
    out
}

/// A 0 in place of each `{name}`, `{name:?}` and `{}`.
fn without_placeholders(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let name = after.split('}').next().unwrap_or_default();
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '?');
        rest = match name.len() < after.len() && name.chars().all(is_name) {
            true => {
                out.push('0');
                &after[name.len() + 1..]
            }
            false => {
                out.push('{');
                after
            }
        };
    }
    out + rest
}

fn push_once(text: &mut String, c: char) {
    if !text.ends_with(c) {
        text.push(c);
    }
}
