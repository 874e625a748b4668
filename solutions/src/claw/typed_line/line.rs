//! What a line in a conversation means: a prompt for the model, or a command for `claw`.

use std::path::Path;
#[cfg(feature = "ch20")]
use std::path::PathBuf;

use super::command_help::{usage_of, usages};
use crate::claw::safe_text::one_line;

/// A parsed line.
#[derive(Debug, Clone, PartialEq)]
pub enum TypedLine {
    /// The line is blank.
    Empty,
    /// The line ends in `\`, so the next one continues it.
    Unfinished,
    /// End the conversation.
    Exit,
    /// Show [`help`](super::help).
    Help,
    /// Attach this image to the next prompt.
    #[cfg(feature = "ch20")]
    Image(PathBuf),
    /// Send this prompt when the running turn is over.
    #[cfg(feature = "ch20")]
    Then(String),
    /// Turn plan mode on or off.
    #[cfg(feature = "ch13")]
    Plan(bool),
    /// Show the agent's todo list.
    #[cfg(feature = "ch13")]
    Todos,
    /// Show the whole result of the call with this number, or of the last one.
    Show(Option<usize>),
    /// Show which calls run.
    #[cfg(feature = "ch10")]
    Permissions,
    /// Show the model in use, or use the one of this name.
    #[cfg(feature = "ch20")]
    Model(Option<String>),
    /// Begin a new conversation.
    #[cfg(feature = "ch20")]
    Clear,
    /// Resume the session whose id begins like this, or the latest.
    #[cfg(feature = "ch20")]
    Resume(Option<String>),
    /// Show how many tokens the conversation has used.
    #[cfg(feature = "ch20")]
    Cost,
    /// Send this prompt.
    Prompt(String),
    /// The line cannot be used; the error message says why.
    Invalid(String),
}

impl TypedLine {
    /// Parses a line, or several lines that are one prompt.
    pub fn parse(line: &str) -> Self {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match (word, rest.trim()) {
            ("", _) => Self::Empty,
            ("/exit" | "/quit" | "exit" | "quit", "") => Self::Exit,
            ("/help", "") => Self::Help,
            ("/show", "") => Self::Show(None),
            ("/show", number) if number.parse::<usize>().is_ok() => Self::Show(number.parse().ok()),
            #[cfg(feature = "ch13")]
            ("/plan", "" | "on") => Self::Plan(true),
            #[cfg(feature = "ch13")]
            ("/plan", "off") => Self::Plan(false),
            #[cfg(feature = "ch13")]
            ("/todos", "") => Self::Todos,
            #[cfg(feature = "ch20")]
            ("/image", file) if !file.is_empty() => {
                Self::Image(crate::claw::image_file::parse_path(file))
            }
            #[cfg(feature = "ch20")]
            ("/then", prompt) if !prompt.is_empty() => Self::Then(prompt.into()),
            #[cfg(feature = "ch10")]
            ("/permissions", "") => Self::Permissions,
            #[cfg(feature = "ch20")]
            ("/model", name) => Self::Model(one_word(name)),
            #[cfg(feature = "ch20")]
            ("/clear", "") => Self::Clear,
            #[cfg(feature = "ch20")]
            ("/resume", id) => Self::Resume(one_word(id)),
            #[cfg(feature = "ch20")]
            ("/cost", "") => Self::Cost,
            _ if looks_like_command(word) => Self::Invalid(match usage_of(word) {
                Some(usage) => format!("wrong arguments in `{}`; use {usage}", one_line(line)),
                None => format!(
                    "unknown command `{}`; the commands are {}",
                    one_line(line),
                    usages()
                ),
            }),
            _ => Self::Prompt(line.into()),
        }
    }

    /// Whether `claw` handles the line itself, so that no prompt contains it.
    pub fn is_for_claw(&self) -> bool {
        match self {
            Self::Exit | Self::Help | Self::Show(_) => true,
            #[cfg(feature = "ch13")]
            Self::Plan(_) | Self::Todos => true,
            #[cfg(feature = "ch20")]
            Self::Image(_) => true,
            #[cfg(feature = "ch10")]
            Self::Permissions => true,
            #[cfg(feature = "ch20")]
            Self::Model(_) | Self::Clear | Self::Resume(_) | Self::Cost => true,
            _ => false,
        }
    }
}

/// The argument of a command; `None` if there is none.
#[cfg(feature = "ch20")]
fn one_word(argument: &str) -> Option<String> {
    (!argument.is_empty()).then(|| argument.to_string())
}

/// Whether a word has the form of a command: `/help`, but neither `/usr/bin` nor `//`, nor a
/// path that exists, such as `/etc`.
fn looks_like_command(word: &str) -> bool {
    let name = word.strip_prefix('/').unwrap_or_default();
    let is_name = !name.is_empty() && name.chars().all(|it| it.is_ascii_alphabetic() || it == '-');
    is_name && !Path::new(word).exists()
}
