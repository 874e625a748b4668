//! Patterns for requests in words.
//!
//! A pattern is words with a space between them. `word` is itself, in upper or lower
//! case and whatever punctuation follows; `a|b` is either; `(a|b)` is either or nothing;
//! `{word}` is any one word, and `{text}` is one word or more. What stands in quotes or
//! backticks is one word.

/// How many places a `{text}` in the middle may end at: enough for a sentence, and a bound
/// for a long message.
const ENDS: usize = 200;
const QUOTES: [char; 3] = ['"', '\'', '`'];

/// What stands in the places of `{word}` and `{text}`, if the text fits the pattern.
pub(crate) fn captures<'t>(pattern: &str, text: &'t str) -> Option<Vec<&'t str>> {
    let tokens: Vec<&str> = pattern.split(' ').collect();
    let mut found = Vec::new();
    fits(&tokens, text, &mut found).then_some(found)
}

fn fits<'t>(tokens: &[&str], text: &'t str, found: &mut Vec<&'t str>) -> bool {
    let text = text.trim_start();
    let Some((token, tokens)) = tokens.split_first() else {
        return text.is_empty();
    };
    let ends = match *token {
        "{word}" => vec![word_end(text)],
        "{text}" if tokens.is_empty() => vec![text.trim_end().len()],
        "{text}" => text_ends(text),
        literal => return fits_literal(literal, tokens, text, found),
    };
    for end in ends.into_iter().filter(|end| *end > 0) {
        let (captured, after) = text.split_at(end);
        found.push(captured);
        if fits(tokens, after, found) {
            return true;
        }
        found.pop();
    }
    false
}

fn fits_literal<'t>(
    literal: &str,
    tokens: &[&str],
    text: &'t str,
    found: &mut Vec<&'t str>,
) -> bool {
    let optional = literal
        .strip_prefix('(')
        .and_then(|it| it.strip_suffix(')'));
    let (word, after) = text.split_at(word_end(text));
    let word = word.trim_end_matches(PUNCTUATION);
    let mut choices = optional.unwrap_or(literal).split('|');
    let is_there = choices.any(|choice| choice.eq_ignore_ascii_case(word));
    (is_there && fits(tokens, after, found)) || (optional.is_some() && fits(tokens, text, found))
}

/// What may follow a word and is no part of it.
pub(crate) const PUNCTUATION: [char; 6] = ['.', ',', ':', ';', '?', '!'];

fn word_end(text: &str) -> usize {
    quoted_end(text).unwrap_or_else(|| text.find(char::is_whitespace).unwrap_or(text.len()))
}

fn text_ends(text: &str) -> Vec<usize> {
    match quoted_end(text) {
        Some(end) => vec![end],
        None => (text.char_indices())
            .filter(|(_, letter)| letter.is_whitespace())
            .map(|(at, _)| at)
            .take(ENDS)
            .collect(),
    }
}

/// Where the quotes at the start of the text are closed, and the word ends.
fn quoted_end(text: &str) -> Option<usize> {
    let quote = text.chars().next().filter(|first| QUOTES.contains(first))?;
    let mut closings = text.match_indices(quote).skip(1).map(|(at, _)| at + 1);
    closings.find(|end| {
        let next = text[*end..].chars().next();
        next.is_none_or(|next| next.is_whitespace() || PUNCTUATION.contains(&next))
    })
}

/// A text without the quotes around it.
pub(crate) fn unquoted(text: &str) -> &str {
    let text = text.trim();
    let bare = text.trim_end_matches(PUNCTUATION);
    for quote in QUOTES {
        let inner = bare
            .strip_prefix(quote)
            .and_then(|it| it.strip_suffix(quote));
        if let Some(inner) = inner {
            return inner;
        }
    }
    text
}
