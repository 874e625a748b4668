//! Small talk, and what the model says about itself.

use super::pattern::captures;

/// The answer to a prompt that needs no tool, if it is small talk.
pub(super) fn answer(prompt: &str) -> Option<&'static str> {
    let matches = |patterns: &[&str]| patterns.iter().any(|it| captures(it, prompt).is_some());
    let (_, answer) = TALK.iter().find(|(patterns, _)| matches(patterns))?;
    Some(answer)
}

/// The answer to a prompt that no rule matches.
pub(super) fn no_rule() -> String {
    format!("{NO_RULE}\n{EXAMPLES}")
}

/// The answers, each after the patterns that it answers.
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
        "You are welcome.",
    ),
    (
        &["bye|goodbye|ciao (bye)", "see you (later|soon)"],
        "Goodbye. I remember nothing between conversations, so nothing is lost on my side.",
    ),
];

const NO_RULE: &str = "None of my rules matches that. I am claw-offline, a table of rules and \
    not a neural network: for open questions, set up a real model.";

const EXAMPLES: &str = "I understand requests like these:
- list src
- what is in this directory?
- read README.md
- search for TODO in src
- create notes.txt with \"remember the milk\"
- replace \"milk\" with \"bread\" in notes.txt
- run cargo build
- make the tests pass
- plan to run cargo build, then read README.md (after you have typed /plan)
I do several in a row if you put \", then \" between them.";
