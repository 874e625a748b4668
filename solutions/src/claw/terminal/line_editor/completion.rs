//! What the key Tab completes at a prompt: `/commands` and `@files`.

use std::fs;

use rustyline::completion::{Completer, Pair};
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::Validator;
use rustyline::{Context, Helper};

use crate::claw::typed_line::COMMANDS;

/// Completes the word before the cursor.
pub struct Completion;

impl Helper for Completion {}
impl Highlighter for Completion {}
impl Validator for Completion {}

impl Hinter for Completion {
    type Hint = String;
}

impl Completer for Completion {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        cursor: usize,
        _context: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let word = line[..cursor].split(char::is_whitespace).next_back();
        let word = word.unwrap_or_default();
        let start = cursor - word.len();
        let candidates = match word.strip_prefix('@') {
            Some(path) => files(path),
            None if start == 0 && word.starts_with('/') => commands(word),
            None => Vec::new(),
        };
        Ok((start, candidates))
    }
}

/// The commands that begin with `word`.
fn commands(word: &str) -> Vec<Pair> {
    let matching = COMMANDS.iter().filter(|it| it.name.starts_with(word));
    let pair = |name: &str| Pair {
        display: name.to_string(),
        replacement: format!("{name} "),
    };
    matching.map(|it| pair(it.name)).collect()
}

/// The files and folders whose path begins with `path`. Hidden ones need their dot.
fn files(path: &str) -> Vec<Pair> {
    let (folder, prefix) = match path.rfind('/') {
        Some(at) => path.split_at(at + 1),
        None => ("", path),
    };
    let listed = if folder.is_empty() { "." } else { folder };
    let entries = fs::read_dir(listed).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| {
        let mut name = entry.file_name().into_string().ok()?;
        let is_wanted = name.starts_with(prefix)
            && (prefix.starts_with('.') || !name.starts_with('.'))
            && !name.contains(char::is_control);
        if entry.path().is_dir() {
            name.push('/');
        }
        is_wanted.then_some(name)
    });
    let mut names: Vec<String> = names.collect();
    names.sort();
    let pairs = names.into_iter().map(|name| Pair {
        replacement: format!("@{folder}{name}"),
        display: name,
    });
    pairs.collect()
}
