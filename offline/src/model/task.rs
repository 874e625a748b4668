//! From words to tasks, and from a task to what it wants next.

use super::pattern::{PUNCTUATION, captures};
use super::repair;
use super::rules::RULES;
use super::toolbox::Action;
use super::{Round, is_error};

/// What was asked for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Task {
    /// These actions, at once.
    Do(Vec<Action>),
    /// This command is to succeed.
    MakeTestsPass { command: String },
}

/// What a task wants to do next.
pub(crate) enum Move {
    /// Say something, and act.
    Call(String, Vec<Action>),
    /// Over, after so many rounds: what came of it, and whether another task may follow.
    Over {
        rounds: usize,
        said: String,
        is_well: bool,
    },
}

impl Move {
    /// To announce an action, and do it.
    pub(crate) fn act(action: Action) -> Self {
        Self::Call(action.announcement(), vec![action])
    }
}

impl Task {
    /// What to do next, given what was done for it so far and perhaps for later tasks.
    pub(crate) fn next(&self, rounds: &[Round]) -> Move {
        match self {
            Self::Do(actions) => carry_out(actions, rounds),
            Self::MakeTestsPass { command } => repair::next(command, rounds),
        }
    }
}

fn carry_out(actions: &[Action], rounds: &[Round]) -> Move {
    let Some(round) = rounds.first() else {
        let said: Vec<String> = actions.iter().map(Action::announcement).collect();
        return Move::Call(said.join(" "), actions.to_vec());
    };
    if let [change @ (Action::Replace { path, .. } | Action::Create { path, .. })] = actions
        && wants_reading(round)
    {
        return read_and_retry(change, path, rounds);
    }
    over(1, round)
}

/// Whether a change failed for want of a look at the file.
fn wants_reading(round: &Round) -> bool {
    let output = round.output().to_lowercase();
    is_error(&output)
        && ["read it", "been read", "read first"]
            .iter()
            .any(|it| output.contains(it))
}

fn read_and_retry(change: &Action, path: &str, rounds: &[Round]) -> Move {
    match rounds {
        [_] => Move::act(Action::Read { path: path.into() }),
        [_, read] if !read.has_failed() => Move::act(change.clone()),
        [_, read] => over(2, read),
        [_, _, round, ..] => over(3, round),
        [] => Move::act(change.clone()),
    }
}

fn over(rounds: usize, last: &Round) -> Move {
    Move::Over {
        rounds,
        said: last.summary(),
        is_well: !last.has_failed(),
    }
}

/// What a message asks for: all of it as one task, or tasks that it strings together, or
/// those of its lines and sentences that are tasks. Nothing, if no rule fits.
pub(crate) fn tasks(message: &str) -> Vec<Task> {
    let parts = split_at_any(message, &[", then ", " and then ", "; then ", ". Then "]);
    let strung: Option<Vec<Task>> = parts.iter().map(|part| task(part)).collect();
    if let Some(tasks) = strung {
        return tasks;
    }
    if let Some(task) = task(message) {
        return vec![task];
    }
    let sentences = split_at_any(message, &["\n", ". ", "! ", "? "]);
    sentences.iter().filter_map(|part| task(part)).collect()
}

/// A text in the parts between any of these separators.
pub(super) fn split_at_any<'t>(text: &'t str, separators: &[&str]) -> Vec<&'t str> {
    separators.iter().fold(vec![text], |parts, separator| {
        parts
            .iter()
            .flat_map(|part| part.split(separator))
            .collect()
    })
}

fn task(text: &str) -> Option<Task> {
    let text = without_courtesy(text.trim());
    let mut rules = RULES.iter();
    rules.find_map(|(pattern, rule)| rule(&captures(pattern, text)?))
}

/// The text without the words that people put before a request, and without a `please`
/// after it.
fn without_courtesy(mut text: &str) -> &str {
    for ending in [", please.", ", please", ", please?"] {
        text = text.strip_suffix(ending).unwrap_or(text);
    }
    while let Some((word, rest)) = text.split_once(char::is_whitespace) {
        let word = word.trim_end_matches(PUNCTUATION).to_lowercase();
        if !COURTESIES.contains(&word.as_str()) {
            break;
        }
        text = rest.trim_start();
    }
    text
}

const COURTESIES: [&str; 15] = [
    "please", "can", "could", "would", "you", "now", "then", "first", "next", "hello", "hi", "hey",
    "and", "ok", "okay",
];
