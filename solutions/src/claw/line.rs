//! What a line of the user's means.

#[cfg(feature = "ch20")]
use std::path::PathBuf;

use super::screen::one_line;

/// A line, by what is to be done with it.
#[derive(Debug, Clone, PartialEq)]
pub enum Line {
    /// Nothing is in it.
    Nothing,
    /// It goes on in the next one.
    Begun,
    /// The conversation is to end.
    End,
    /// How `claw` is used.
    Help,
    /// A picture for the model.
    #[cfg(feature = "ch20")]
    Image(PathBuf),
    /// Words for when the turn that runs is done.
    #[cfg(feature = "ch20")]
    Then(String),
    /// Words for the model.
    Say(String),
    /// Nothing that can be done, and why.
    Wrong(String),
}

impl Line {
    /// Reads a line, or several that are one prompt.
    pub fn read(line: &str) -> Self {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match (word, rest.trim()) {
            ("", _) => Self::Nothing,
            ("/exit" | "/quit" | "exit" | "quit", "") => Self::End,
            ("/help", "") => Self::Help,
            #[cfg(feature = "ch20")]
            ("/image", file) if !file.is_empty() => Self::Image(super::images::named(file)),
            #[cfg(feature = "ch20")]
            ("/then", words) if !words.is_empty() => Self::Then(words.into()),
            _ if is_command(word) => Self::Wrong(format!(
                "there is no command `{}`; there are {COMMANDS}",
                one_line(line)
            )),
            _ => Self::Say(line.into()),
        }
    }

    /// Whether it is for `claw`, and not for the model.
    pub fn is_command(&self) -> bool {
        match self {
            Self::End | Self::Help => true,
            #[cfg(feature = "ch20")]
            Self::Image(_) => true,
            _ => false,
        }
    }
}

/// Whether a word looks like a command: `/help`, but neither `/usr/bin` nor `//`.
fn is_command(word: &str) -> bool {
    let name = word.strip_prefix('/').unwrap_or_default();
    !name.is_empty() && name.chars().all(|it| it.is_ascii_alphabetic() || it == '-')
}

const COMMANDS: &str = if cfg!(feature = "ch20") {
    "/image FILE, /then WORDS, /help and /exit"
} else {
    "/help and /exit"
};
