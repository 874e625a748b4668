//! The table of requests that are understood, and what their words stand for.

use super::pattern::{PUNCTUATION, unquoted};
use super::task::{Task, split_at_any};
use super::toolbox::Action;

/// What the captured words ask for, if anything.
pub(super) type Rule = fn(&[&str]) -> Option<Task>;

/// How requests are worded, in the words of [`captures`](super::pattern::captures). The first rule that fits and
/// does not answer `None` is taken.
pub(super) const RULES: &[(&str, Rule)] = &[
    ("make (all|the) (failing) tests pass", |_| {
        tests(DEFAULT_TESTS)
    }),
    (
        "make (all|the) (failing) tests pass with|using {text}",
        |it| tests(it[0]),
    ),
    ("make (all|the) (failing) tests in {word} pass", |it| {
        tests(&format!("cd {} && {DEFAULT_TESTS}", path(it[0])?))
    }),
    ("make {text} pass", |it| tests(it[0])),
    ("fix (all|the) (failing) test|tests", |_| {
        tests(DEFAULT_TESTS)
    }),
    ("replace {text} with|by {text} in {word}", |it| {
        replace(it[2], it[0], it[1])
    }),
    ("change {text} to|into {text} in {word}", |it| {
        replace(it[2], it[0], it[1])
    }),
    ("in {word} replace {text} with|by {text}", |it| {
        replace(it[0], it[1], it[2])
    }),
    (
        "create (a|the) (new) (file) (called|named) {word} with|containing (the) (text|content|contents) {text}",
        |it| create(it[0], it[1]),
    ),
    ("write {text} to|into (the) (file) {word}", |it| {
        create(it[1], it[0])
    }),
    (
        "search|look|grep (for) {text} in (the) (folder|directory|file) {word}",
        |it| search(it[0], it[1]),
    ),
    ("search|look|grep (for) {text}", |it| search(it[0], ".")),
    ("find {text} in {word}", |it| search(it[0], it[1])),
    ("where is {text} defined|used", |it| search(it[0], ".")),
    ("run (all|the) tests", |_| run(DEFAULT_TESTS)),
    ("run|execute (the) (command) {text}", |it| run(it[0])),
    ("list|ls (all|the) (files|folder|directory)", |_| list(".")),
    ("list|ls (all|the) (files) (in|of|under) {text}", |it| {
        list(it[0])
    }),
    ("what is|are here", |_| list(".")),
    ("what is in {text}", |it| list(it[0])),
    ("what's in {text}", |it| list(it[0])),
    ("what files are (there) (in) {text}", |it| list(it[0])),
    ("read|show|open|cat (me) {text}", |it| read(it[0])),
    ("what does {word} say", |it| read(it[0])),
];

/// How a project's tests are run when nobody says.
const DEFAULT_TESTS: &str = "cargo test";

fn tests(text: &str) -> Option<Task> {
    let command = command(text);
    Some(Task::MakeTestsPass { command })
}

fn run(text: &str) -> Option<Task> {
    let command = command(text);
    Some(Task::Do(vec![Action::Run { command }]))
}

fn replace(place: &str, from: &str, to: &str) -> Option<Task> {
    Some(Task::Do(vec![Action::Replace {
        path: path(place)?,
        from: content(from),
        to: content(to),
    }]))
}

fn create(place: &str, text: &str) -> Option<Task> {
    Some(Task::Do(vec![Action::Create {
        path: path(place)?,
        text: content(text),
    }]))
}

fn search(pattern: &str, place: &str) -> Option<Task> {
    Some(Task::Do(vec![Action::Search {
        pattern: command(pattern),
        path: path(place)?,
    }]))
}

fn list(place: &str) -> Option<Task> {
    let path = path(place)?;
    let name = path.rsplit('/').next().unwrap_or_default();
    // `notes.txt` is a file's name; `.git`, `.` and `..` are not.
    match name.trim_start_matches('.').contains('.') {
        true => read(place),
        false => Some(Task::Do(vec![Action::List { path }])),
    }
}

/// One file or several: `a.txt, b.txt and c.txt`.
fn read(places: &str) -> Option<Task> {
    let places = split_at_any(places, &[", ", " and "]);
    let actions = places.into_iter().map(|place| {
        let path = path(place.trim_start_matches("and "))?;
        Some(Action::Read { path })
    });
    Some(Task::Do(actions.collect::<Option<_>>()?))
}

/// A path, without what is said around it. `None` if it is no path but a phrase.
fn path(text: &str) -> Option<String> {
    let bare = unquoted(text);
    if bare != text.trim() && !bare.is_empty() {
        return Some(bare.trim_end_matches(PUNCTUATION).to_string()).filter(|it| !it.is_empty());
    }
    let mut words: Vec<&str> = bare.split_whitespace().collect();
    if let Some(last) = words.last_mut() {
        let stripped = last.trim_end_matches(PUNCTUATION);
        // `.` and `..` are paths, not the ends of sentences.
        *last = if stripped.is_empty() { *last } else { stripped };
    }
    let is_noise = |word: &&str| NOISE.contains(&word.to_lowercase().as_str());
    let is_here = words.iter().all(is_noise);
    words.retain(|word| !is_noise(word));
    match words.as_slice() {
        [] if is_here && !bare.is_empty() => Some(".".into()),
        [path] => Some(path.to_string()),
        _ => None,
    }
}

/// What is said around a path; by itself it means the working directory.
const NOISE: [&str; 13] = [
    "the",
    "this",
    "my",
    "here",
    "current",
    "working",
    "project",
    "repository",
    "workspace",
    "directory",
    "folder",
    "file",
    "files",
];

/// A command or a search pattern: without quotes and the full stop of the sentence.
fn command(text: &str) -> String {
    let bare = unquoted(text);
    bare.trim_end_matches(['.', '?', '!']).trim().to_string()
}

/// A text to be written: without the quotes around it, `\n` for an end of line.
fn content(text: &str) -> String {
    unquoted(text).replace("\\n", "\n")
}
