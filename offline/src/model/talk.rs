//! Small talk, and what the model says of itself.

use super::pattern::captures;
use super::picture;
use crate::request::Turn;

/// The answer to what needs no tool, if that is what it is.
pub(crate) fn answer(ask: &str, turns: &[Turn]) -> Option<String> {
    let lower = ask.to_lowercase();
    if SUMMARIES.iter().any(|words| lower.contains(words)) {
        return Some(so_far(turns));
    }
    let fits = |patterns: &[&str]| patterns.iter().any(|it| captures(it, ask).is_some());
    let found = TALK.iter().find(|(patterns, _)| fits(patterns));
    found.map(|(_, said)| said.to_string())
}

/// What to say when no rule fits.
pub(crate) fn not_understood() -> String {
    format!("{NOT_UNDERSTOOD}\n{EXAMPLES}")
}

/// The conversation in short, for a caller that wants to make it shorter.
fn so_far(turns: &[Turn]) -> String {
    let mut asked = Vec::new();
    let mut tools: Vec<&str> = Vec::new();
    let last = turns.len().saturating_sub(1);
    for turn in &turns[..last] {
        match turn {
            Turn::User(text) => {
                let (words, _) = picture::set_aside(text);
                asked.push(words.lines().next().unwrap_or_default().to_string());
            }
            Turn::Assistant { calls, .. } => tools.extend(calls.iter().map(|it| it.name.as_str())),
            _ => {}
        }
    }
    let asked = match asked.as_slice() {
        [] => "Nothing was asked so far.".into(),
        asked => format!("So far, this was asked: {}.", asked.join("; ")),
    };
    match tools.as_slice() {
        [] => format!("{asked} No tool was used."),
        tools => format!(
            "{asked} These tools were used, in this order: {}.",
            tools.join(", ")
        ),
    }
}

const SUMMARIES: [&str; 4] = [
    "summarize the conversation",
    "summarise the conversation",
    "summary of the conversation",
    "summarize this conversation",
];

/// What is said, by the wordings that it answers.
const TALK: &[(&[&str], &str)] = &[
    (
        &[
            "hello|hi|hey|hallo (there|claw|you)",
            "good morning|day|afternoon|evening",
            "who|what are you",
            "who is this|there",
            "are you {text}",
            "what is your name",
        ],
        "Hello. I am claw-offline: a table of rules, not a neural network. I run on your own \
         machine and need no key. Ask me to list, read, search, write or edit files, to run a \
         command, or to make the tests pass.",
    ),
    (
        &[
            "(can) (you) (please) help (me)",
            "what can you do",
            "what do you know",
        ],
        EXAMPLES,
    ),
    (
        &[
            "thanks|thank (you) (very) (much)",
            "ok|okay|good|great|nice|cool (job|work)",
        ],
        "At your service. Being a table of rules, I am never tired.",
    ),
    (
        &["bye|goodbye|ciao (bye)", "see you (later|soon)"],
        "Goodbye. I remember nothing between conversations, so nothing is lost on my side.",
    ),
];

const NOT_UNDERSTOOD: &str = "None of my rules fits that. I am claw-offline, a table of rules and \
    not a neural network: for open questions, set up a real model.";

const EXAMPLES: &str = "What I understand, in these words or some like them:
- list src
- what is in this directory?
- read README.md
- search for TODO in src
- create notes.txt with \"remember the milk\"
- replace \"milk\" with \"bread\" in notes.txt
- run cargo build
- make the tests pass
Several in a row, with \", then \" between them, are done in their order.";
