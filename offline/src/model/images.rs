//! Images. The rules know how many there are, and nothing else about them.

use super::pattern::captures;
use crate::conversation::Turn;

/// Whether a prompt asks what an image shows.
pub(super) fn is_question(prompt: &str) -> bool {
    QUESTIONS.iter().any(|it| captures(it, prompt).is_some())
}

/// The answer to a question about an image.
pub(super) fn answer(turns: &[Turn]) -> String {
    let counts = turns.iter().map(|turn| match turn {
        Turn::User(content) => content.images,
        _ => 0,
    });
    let known = match counts.sum::<usize>() {
        0 => "This conversation has none.".to_string(),
        1 => "This conversation has one, and I know nothing else about it.".to_string(),
        count => format!("This conversation has {count}, and I know nothing else about them."),
    };
    format!("I cannot see images. {known}")
}

/// The start of an answer about something else, for a prompt with this many images.
pub(super) fn notice(images: usize) -> String {
    match images {
        0 => String::new(),
        1 => "I cannot see the image in your message. ".to_string(),
        count => format!("I cannot see the {count} images in your message. "),
    }
}

/// The article is required: without it the question may be about a folder, as in "what is
/// in images?".
const QUESTIONS: &[&str] = &[
    "what is|are in|on the|this|that|my picture|image|photo|screenshot",
    "what's in|on the|this|that|my picture|image|photo|screenshot",
    "what is|are in|on these|those pictures|images|photos|screenshots",
    "what do|can you see",
    "what do|can you see in|on the|this|that|these|my picture|pictures|image|images|photo|photos|screenshot",
    "describe the|this|that|these|my picture|pictures|image|images|photo|photos|screenshot",
];
