//! Pictures. The rules know that they are there, and nothing else.

use super::pattern::captures;
use crate::request::Turn;

/// How a message's text names a picture, in the three APIs.
const NAMES: [&str; 3] = ["[image]", "[image_url]", "[input_image]"];

/// What was said, without the pictures, and how many of them came with it.
pub(super) fn set_aside(said: &str) -> (String, usize) {
    let is_picture = |line: &&str| NAMES.contains(line);
    match said.lines().filter(is_picture).count() {
        0 => (said.to_string(), 0),
        count => {
            let words = said.lines().filter(|line| !is_picture(line));
            (words.collect::<Vec<_>>().join("\n"), count)
        }
    }
}

/// The answer to a question about a picture, if that is what it is.
pub(super) fn answer(words: &str, turns: &[Turn]) -> Option<String> {
    QUESTIONS.iter().find(|it| captures(it, words).is_some())?;
    let shown = turns.iter().map(|turn| match turn {
        Turn::User(said) => set_aside(said).1,
        _ => 0,
    });
    let shown = match shown.sum::<usize>() {
        0 => "There is none in this conversation, either.".to_string(),
        1 => "There is one in this conversation: that is all I can say of it.".to_string(),
        count => format!("There are {count} in this conversation: that is all I can say of them."),
    };
    Some(format!("I cannot see pictures. {shown}"))
}

/// What is said before an answer that is about something else.
pub(super) fn unseen(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => "I cannot see the picture that came with that. ".to_string(),
        count => format!("I cannot see the {count} pictures that came with that. "),
    }
}

/// Without an article it may be a folder that is asked about: what is in images?
const QUESTIONS: &[&str] = &[
    "what is|are in|on the|this|that|my picture|image|photo|screenshot",
    "what's in|on the|this|that|my picture|image|photo|screenshot",
    "what is|are in|on these|those pictures|images|photos|screenshots",
    "what do|can you see",
    "what do|can you see in|on the|this|that|these|my picture|pictures|image|images|photo|photos|screenshot",
    "describe the|this|that|these|my picture|pictures|image|images|photo|photos|screenshot",
];
