//! A summary of the conversation, for a client that wants to shorten it.

use super::prompt_text::prompt_text;
use crate::conversation::Turn;

/// The summary, if the prompt asks for one.
pub(super) fn answer(prompt: &str, turns: &[Turn]) -> Option<String> {
    let prompt = prompt.to_lowercase();
    REQUESTS
        .iter()
        .any(|it| prompt.contains(it))
        .then(|| summarize(turns))
}

fn summarize(turns: &[Turn]) -> String {
    let mut prompts = Vec::new();
    let mut tools: Vec<&str> = Vec::new();
    // The last turn is the request for the summary.
    let last = turns.len().saturating_sub(1);
    for turn in &turns[..last] {
        match turn {
            Turn::User(content) => {
                let prompt = prompt_text(&content.text);
                let first_line = prompt.as_deref().map(|it| it.lines().next());
                prompts.extend(first_line.map(|it| it.unwrap_or_default().to_string()));
            }
            Turn::Assistant { calls, .. } => tools.extend(calls.iter().map(|it| it.name.as_str())),
            _ => {}
        }
    }
    let prompts = match prompts.as_slice() {
        [] => "No requests so far.".into(),
        prompts => format!("Requests so far: {}.", prompts.join("; ")),
    };
    match tools.as_slice() {
        [] => format!("{prompts} No tools were used."),
        tools => format!("{prompts} Tools used, in order: {}.", tools.join(", ")),
    }
}

const REQUESTS: [&str; 3] = [
    "summarize the conversation",
    "summary of the conversation",
    "summarize this conversation",
];
