//! Reads the tokens of a submission's sources for what honest code has no use for.
//!
//! This is for the teacher's eyes. The grade does not depend on it, except that code that would
//! read other files at compile time is refused.

use std::collections::BTreeSet;

use course::stubs::Solution;
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The conditions of `cfg` and the conspicuous literals in the reference.
pub struct Scan {
    known: BTreeSet<String>,
}

impl Scan {
    /// Reads the reference.
    pub fn new(solution: &Solution) -> Self {
        let mut known = BTreeSet::new();
        for (_, source) in solution.files() {
            if let Ok(tokens) = source.text.parse::<TokenStream>() {
                visit(&flat(tokens), &mut |found| {
                    if let Found::Condition(text, _) | Found::Text(text, _) = found {
                        known.insert(text);
                    }
                });
            }
        }
        Self { known }
    }

    /// What is conspicuous in the file `src/NAME`. An `Err` is the reason to refuse it.
    pub fn notes(&self, name: &str, text: &str) -> Result<Vec<String>, String> {
        let Ok(tokens) = text.parse::<TokenStream>() else {
            // It hardly compiles.
            return Ok(vec![format!("src/{name} cannot be read as Rust")]);
        };
        if is_too_deep(tokens.clone()) {
            return Err(format!(
                "src/{name} nests brackets more than {DEEPEST} deep"
            ));
        }
        let mut notes = BTreeSet::new();
        let mut refused = None;
        visit(&flat(tokens), &mut |found| match found {
            Found::Inclusion(what, line) => {
                refused.get_or_insert(format!(
                    "src/{name}, line {line}: `{what}` reads another file at compile time"
                ));
            }
            Found::Condition(text, line) if !self.known.contains(&text) => {
                notes.insert(format!("src/{name}, line {line}: cfg({text})"));
            }
            Found::End(what, line) => {
                notes.insert(format!("src/{name}, line {line}: process::{what}"));
            }
            Found::Text(text, line) if !self.known.contains(&text) => {
                notes.insert(format!(
                    "src/{name}, line {line}: text like the output of tests, or a path in /proc"
                ));
            }
            Found::Condition(..) | Found::Text(..) => {}
        });
        refused.map_or(Ok(notes.into_iter().collect()), Err)
    }
}

/// Code that compiles nests its brackets a few dozen deep. Far deeper ones would overflow the stack.
const DEEPEST: usize = 200;

/// Whether brackets are nested too deep. It goes level by level, without recursion.
fn is_too_deep(tokens: TokenStream) -> bool {
    let mut level = vec![tokens];
    for _ in 0..DEEPEST {
        let tokens = level.into_iter().flatten();
        let inside = tokens.filter_map(|token| match token {
            TokenTree::Group(group) => Some(group.stream()),
            _ => None,
        });
        level = inside.collect();
        if level.is_empty() {
            return false;
        }
    }
    true
}

/// What [`visit`] looks for, with its line.
enum Found {
    /// A macro or an attribute that reads another file.
    Inclusion(&'static str, usize),
    /// A condition of `cfg`.
    Condition(String, usize),
    /// `process::exit` or `process::abort`.
    End(&'static str, usize),
    /// A literal like libtest's output, or a path in `/proc`.
    Text(String, usize),
}

/// Tokens in the order of the text, with each group's content after it.
fn flat(tokens: TokenStream) -> Vec<TokenTree> {
    let mut all = Vec::new();
    for token in tokens {
        let inside = match &token {
            TokenTree::Group(group) => Some(group.stream()),
            _ => None,
        };
        all.push(token);
        all.extend(inside.into_iter().flat_map(flat));
    }
    all
}

fn visit(tokens: &[TokenTree], found: &mut impl FnMut(Found)) {
    let is_mark = |at: Option<usize>, mark: char| {
        let token = at.and_then(|at| tokens.get(at));
        matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == mark)
    };
    for (at, token) in tokens.iter().enumerate() {
        let line = token.span().start().line;
        let (before, next) = (at.checked_sub(1), Some(at + 1));
        match token {
            TokenTree::Ident(ident) => match ident.to_string().as_str() {
                "include_str" => found(Found::Inclusion("include_str", line)),
                "include_bytes" => found(Found::Inclusion("include_bytes", line)),
                "include" if is_mark(next, '!') || is_mark(before, ':') => {
                    found(Found::Inclusion("include", line));
                }
                "cfg" | "cfg_attr" => {
                    let mut after = tokens[at + 1..].iter().take(2);
                    if let Some(TokenTree::Group(group)) =
                        after.find(|token| matches!(token, TokenTree::Group(_)))
                    {
                        found(Found::Condition(group.stream().to_string(), line));
                    }
                }
                // As in `process::exit` and `use std::process::{exit, Command}`.
                "exit" | "abort" => {
                    let earlier = tokens[..at].iter().rev().take(12);
                    let mut names = earlier.filter_map(|token| match token {
                        TokenTree::Ident(ident) => Some(ident.to_string()),
                        _ => None,
                    });
                    if names.any(|name| name == "process") {
                        let what = if *ident == "exit" { "exit" } else { "abort" };
                        found(Found::End(what, line));
                    }
                }
                _ => {}
            },
            TokenTree::Group(group)
                if group.delimiter() == Delimiter::Bracket && is_attribute(tokens, at) =>
            {
                let inside = flat(group.stream());
                let is_path = inside.windows(2).any(|pair| {
                    matches!(&pair[0], TokenTree::Ident(ident) if *ident == "path")
                        && matches!(&pair[1], TokenTree::Punct(punct) if punct.as_char() == '=')
                });
                if is_path {
                    found(Found::Inclusion("path", line));
                }
            }
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                if CONSPICUOUS.iter().any(|part| text.contains(part)) {
                    found(Found::Text(text, line));
                }
            }
            _ => {}
        }
    }
}

/// Whether the group at `at` follows `#` or `#!`.
fn is_attribute(tokens: &[TokenTree], at: usize) -> bool {
    let mark = |back: usize| match at.checked_sub(back).map(|at| &tokens[at]) {
        Some(TokenTree::Punct(punct)) => punct.as_char(),
        _ => ' ',
    };
    mark(1) == '#' || (mark(1) == '!' && mark(2) == '#')
}

/// In text literals.
const CONSPICUOUS: [&str; 5] = [
    "test result:",
    "... ok",
    "ok ch",
    "COURSE_WITNESS",
    "/proc/self",
];
