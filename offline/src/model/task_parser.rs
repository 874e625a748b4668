//! Finds the tasks in a message.

use super::pattern::{PUNCTUATION, captures, split_at_any};
use super::rules::RULES;
use super::task::Task;

/// The tasks that a message asks for: tasks joined by "then", or the message as one task,
/// or else those of its lines and sentences that are tasks. Empty if no rule matches.
pub(super) fn parse_tasks(message: &str) -> Vec<Task> {
    // All parts of a request to plan belong to the plan.
    if let Some(request) = captures("plan (to|how) (to) {text}", strip_courtesy(message.trim())) {
        let tasks = parse_tasks(request[0]);
        if !tasks.is_empty() {
            return vec![Task::Plan(tasks)];
        }
    }
    let parts = split_at_any(message, &[", then ", " and then ", "; then ", ". Then "]);
    let joined: Option<Vec<Task>> = parts.iter().map(|part| parse_task(part)).collect();
    if let Some(tasks) = joined {
        return tasks;
    }
    if let Some(task) = parse_task(message) {
        return vec![task];
    }
    let sentences = split_at_any(message, &["\n", ". ", "! ", "? "]);
    sentences.iter().filter_map(|it| parse_task(it)).collect()
}

fn parse_task(text: &str) -> Option<Task> {
    let text = strip_courtesy(text.trim());
    let mut rules = RULES.iter();
    rules.find_map(|(pattern, rule)| rule(&captures(pattern, text)?))
}

/// The text without polite words before the request, and without a `please` after it.
fn strip_courtesy(mut text: &str) -> &str {
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
