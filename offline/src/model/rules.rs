//! The table of rules: which requests the model understands, and which tasks they are.

use super::action::Action;
use super::pattern::{PUNCTUATION, split_at_any, unquote};
use super::task::Task;

/// Makes a task from what a pattern captured, or `None` if the rule does not apply after
/// all.
pub(super) type Rule = fn(&[&str]) -> Option<Task>;

/// The rules, each after the [pattern](super::pattern) of its requests. The first rule that
/// matches and returns a task wins.
pub(super) const RULES: &[(&str, Rule)] = &[
    ("make (all|the) (failing) tests pass", |_| {
        Some(Task::MakeTestsPass)
    }),
    ("fix (all|the) (failing) test|tests", |_| {
        Some(Task::MakeTestsPass)
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
        "create (a|the) (new) (file) (called|named) {word} with|containing the text|content|contents {text}",
        |it| create(it[0], it[1]),
    ),
    (
        "create (a|the) (new) (file) (called|named) {word} with|containing (text|content|contents) {text}",
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
    ("run (all|the) tests", |_| run("cargo test")),
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

fn run(text: &str) -> Option<Task> {
    let command = command(text);
    // Several commands in backticks. A shell would run what the first one prints.
    if command.starts_with('`') {
        return None;
    }
    Some(Task::Do(vec![Action::Run { command }]))
}

fn replace(file: &str, from: &str, to: &str) -> Option<Task> {
    Some(Task::Do(vec![Action::Replace {
        path: path(file)?,
        from: file_text(from),
        to: file_text(to),
        source: None,
    }]))
}

fn create(file: &str, text: &str) -> Option<Task> {
    Some(Task::Do(vec![Action::Create {
        path: path(file)?,
        text: file_text(text),
    }]))
}

fn search(pattern: &str, folder: &str) -> Option<Task> {
    Some(Task::Do(vec![Action::Search {
        pattern: command(pattern),
        path: path(folder)?,
    }]))
}

fn list(folder: &str) -> Option<Task> {
    let path = path(folder)?;
    let name = path.rsplit('/').next().unwrap_or_default();
    // `notes.txt` is the name of a file; `.git`, `.` and `..` are not.
    match name.trim_start_matches('.').contains('.') {
        true => read(folder),
        false => Some(Task::Do(vec![Action::List { path }])),
    }
}

/// Reads one file or several: `a.txt, b.txt and c.txt`.
fn read(files: &str) -> Option<Task> {
    let files = split_at_any(files, &[", ", " and "]);
    let actions = files.into_iter().map(|file| {
        let path = path(file.trim_start_matches("and "))?;
        // The working directory and its parent are no files.
        Some(match path.as_str() {
            "." | ".." => Action::List { path },
            _ => Action::Read { path },
        })
    });
    Some(Task::Do(actions.collect::<Option<_>>()?))
}

/// The path in a phrase such as `the file src/lib.rs`. `None` if the phrase is not about a
/// path.
fn path(text: &str) -> Option<String> {
    let bare = unquote(text);
    if bare != text.trim() && !bare.is_empty() {
        return Some(bare.trim_end_matches(PUNCTUATION).to_string()).filter(|it| !it.is_empty());
    }
    let mut words: Vec<&str> = bare.split_whitespace().collect();
    // Some clients put an `@` before a completed path.
    for word in &mut words {
        let path = word.strip_prefix('@').filter(|path| !path.is_empty());
        *word = path.unwrap_or(word);
    }
    if let Some(last) = words.last_mut() {
        let stripped = last.trim_end_matches(PUNCTUATION);
        // `.` and `..` are paths, not the ends of sentences.
        *last = if stripped.is_empty() { *last } else { stripped };
    }
    let is_filler = |word: &&str| FILLERS.contains(&word.to_lowercase().as_str());
    let is_working_directory = words.iter().all(is_filler);
    words.retain(|word| !is_filler(word));
    match words.as_slice() {
        [] if is_working_directory && !bare.is_empty() => Some(".".into()),
        [path] => Some(path.to_string()),
        _ => None,
    }
}

/// Words around a path. Alone, they mean the working directory.
const FILLERS: [&str; 13] = [
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

/// A command or a search pattern, without quotes and without the end of the sentence.
fn command(text: &str) -> String {
    let bare = unquote(text).trim();
    let sentence = bare.trim_end_matches(['.', '?', '!']);
    // After anything but a word, the punctuation belongs to the command: `ls ..`, `echo $?`.
    let last = sentence.chars().next_back();
    let ends_a_word = |last: char| last.is_alphanumeric() || "\"'`)]}*".contains(last);
    let command = if last.is_some_and(ends_a_word) {
        sentence
    } else {
        bare
    };
    command.to_string()
}

/// Text for a file, without the quotes around it. `\n` means a line end.
fn file_text(text: &str) -> String {
    unquote(text).replace("\\n", "\n")
}
