//! Patterns for requests in English.
//!
//! A pattern is a list of words with one space between them. `word` matches itself, in upper
//! or lower case, with or without punctuation after it; `a|b` matches either word; `(a|b)`
//! matches either word or nothing; `{word}` captures one word, and `{text}` captures one or
//! more. Text in quotes or backticks is one word.

/// How many ends to try for a `{text}` in the middle of a pattern: enough for a sentence,
/// and a bound for a long message.
const MAX_ENDS: usize = 200;
/// The quotes that open and close a word.
pub(super) const QUOTES: [(char, char); 6] = [
    ('"', '"'),
    ('\'', '\''),
    ('`', '`'),
    ('“', '”'),
    ('‘', '’'),
    ('«', '»'),
];

/// Punctuation that may follow a word without being part of it.
pub(super) const PUNCTUATION: [char; 6] = ['.', ',', ':', ';', '?', '!'];

/// What `{word}` and `{text}` capture, if the whole text matches the pattern.
pub(super) fn captures<'t>(pattern: &str, text: &'t str) -> Option<Vec<&'t str>> {
    let tokens: Vec<&str> = pattern.split(' ').collect();
    let mut captured = Vec::new();
    matches(&tokens, text, &mut captured).then_some(captured)
}

fn matches<'t>(tokens: &[&str], text: &'t str, captured: &mut Vec<&'t str>) -> bool {
    let text = text.trim_start();
    let Some((token, tokens)) = tokens.split_first() else {
        return text.is_empty();
    };
    let ends = match *token {
        "{word}" => vec![word_end(text)],
        "{text}" if tokens.is_empty() => vec![text.trim_end().len()],
        "{text}" => text_ends(text),
        literal => return matches_literal(literal, tokens, text, captured),
    };
    for end in ends.into_iter().filter(|end| *end > 0) {
        let (capture, rest) = text.split_at(end);
        captured.push(capture);
        if matches(tokens, rest, captured) {
            return true;
        }
        captured.pop();
    }
    false
}

fn matches_literal<'t>(
    literal: &str,
    tokens: &[&str],
    text: &'t str,
    captured: &mut Vec<&'t str>,
) -> bool {
    let optional = literal
        .strip_prefix('(')
        .and_then(|it| it.strip_suffix(')'));
    let (word, rest) = text.split_at(word_end(text));
    let word = word.trim_end_matches(PUNCTUATION);
    let mut choices = optional.unwrap_or(literal).split('|');
    let is_present = choices.any(|choice| choice.eq_ignore_ascii_case(word));
    (is_present && matches(tokens, rest, captured))
        || (optional.is_some() && matches(tokens, text, captured))
}

fn word_end(text: &str) -> usize {
    quoted_end(text).unwrap_or_else(|| text.find(char::is_whitespace).unwrap_or(text.len()))
}

fn text_ends(text: &str) -> Vec<usize> {
    match quoted_end(text) {
        Some(end) => vec![end],
        None => (text.char_indices())
            .filter(|(_, letter)| letter.is_whitespace())
            .map(|(at, _)| at)
            .take(MAX_ENDS)
            .collect(),
    }
}

/// The end of the quoted word at the start of the text, if there is one.
fn quoted_end(text: &str) -> Option<usize> {
    let first = text.chars().next()?;
    let (open, close) = QUOTES.iter().find(|(open, _)| *open == first)?;
    let inner = &text[open.len_utf8()..];
    let mut ends =
        (inner.match_indices(*close)).map(|(at, _)| open.len_utf8() + at + close.len_utf8());
    ends.find(|end| {
        let next = text[*end..].chars().next();
        next.is_none_or(|next| next.is_whitespace() || PUNCTUATION.contains(&next))
    })
}

/// A text without the quotes around it.
pub(super) fn unquote(text: &str) -> &str {
    let text = text.trim();
    let bare = text.trim_end_matches(PUNCTUATION);
    for (open, close) in QUOTES {
        let inner = bare
            .strip_prefix(open)
            .and_then(|it| it.strip_suffix(close));
        if let Some(inner) = inner {
            return match starts_another(bare, open) {
                true => text,
                false => inner,
            };
        }
    }
    text
}

/// Whether a second quotation starts after the end of the first, as in `"a" and "b"`.
fn starts_another(text: &str, open: char) -> bool {
    let Some(end) = quoted_end(text) else {
        return false;
    };
    text[end..].match_indices(open).any(|(at, _)| {
        let before = text[..end + at].chars().next_back();
        before.is_some_and(|it| it.is_whitespace() || PUNCTUATION.contains(&it))
    })
}

/// The parts of a text between any of these separators. A separator in quotes does not count.
pub(super) fn split_at_any<'t>(text: &'t str, separators: &[&str]) -> Vec<&'t str> {
    let mut parts = Vec::new();
    let (mut start, mut at) = (0, 0);
    while let Some(letter) = text[at..].chars().next() {
        let is_word_start = text[..at]
            .chars()
            .next_back()
            .is_none_or(char::is_whitespace);
        if is_word_start && let Some(end) = quoted_end(&text[at..]) {
            at += end;
        } else if let Some(found) = separators.iter().find(|it| text[at..].starts_with(**it)) {
            parts.push(&text[start..at]);
            at += found.len();
            start = at;
        } else {
            at += letter.len_utf8();
        }
    }
    parts.push(&text[start..]);
    parts
}
