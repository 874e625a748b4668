//! What a line in a conversation means: a prompt for the model, or a command for `claw`.

#[cfg(feature = "ch20")]
use std::path::PathBuf;

use super::safe_text::one_line;

/// A parsed line.
#[derive(Debug, Clone, PartialEq)]
pub enum ReplCommand {
    /// The line is blank.
    Empty,
    /// The line ends in `\`, so the next one continues it.
    Unfinished,
    /// End the conversation.
    Exit,
    /// Show [`help`].
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
    /// Send this prompt.
    Prompt(String),
    /// The line cannot be used; the error message says why.
    Invalid(String),
}

impl ReplCommand {
    /// Parses a line, or several lines that are one prompt.
    pub fn parse(line: &str) -> Self {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match (word, rest.trim()) {
            ("", _) => Self::Empty,
            ("/exit" | "/quit" | "exit" | "quit", "") => Self::Exit,
            ("/help", "") => Self::Help,
            #[cfg(feature = "ch13")]
            ("/plan", "" | "on") => Self::Plan(true),
            #[cfg(feature = "ch13")]
            ("/plan", "off") => Self::Plan(false),
            #[cfg(feature = "ch13")]
            ("/todos", "") => Self::Todos,
            #[cfg(feature = "ch20")]
            ("/image", file) if !file.is_empty() => {
                Self::Image(super::image_file::parse_path(file))
            }
            #[cfg(feature = "ch20")]
            ("/then", prompt) if !prompt.is_empty() => Self::Then(prompt.into()),
            _ if looks_like_command(word) => Self::Invalid(format!(
                "unknown command `{}`; the commands are {COMMANDS}",
                one_line(line)
            )),
            _ => Self::Prompt(line.into()),
        }
    }

    /// Whether `claw` handles the line itself, so that no prompt contains it.
    pub fn is_for_claw(&self) -> bool {
        match self {
            Self::Exit | Self::Help => true,
            #[cfg(feature = "ch13")]
            Self::Plan(_) | Self::Todos => true,
            #[cfg(feature = "ch20")]
            Self::Image(_) => true,
            _ => false,
        }
    }
}

/// Whether a word has the form of a command: `/help`, but neither `/usr/bin` nor `//`.
fn looks_like_command(word: &str) -> bool {
    let name = word.strip_prefix('/').unwrap_or_default();
    !name.is_empty() && name.chars().all(|it| it.is_ascii_alphabetic() || it == '-')
}

const COMMANDS: &str = if cfg!(feature = "ch20") {
    "/image FILE, /then TEXT, /plan, /todos, /help and /exit"
} else if cfg!(feature = "ch13") {
    "/plan, /todos, /help and /exit"
} else {
    "/help and /exit"
};

/// The answer to `/help`, at most 78 characters wide.
pub fn help() -> String {
    let mut text = PROMPTS_HELP.to_string();
    if cfg!(feature = "ch20") {
        text += TURNS_HELP;
    }
    if cfg!(feature = "ch13") {
        text += PLAN_HELP;
    }
    text += COMMANDS_HELP;
    if cfg!(feature = "ch20") {
        text += THINKING_HELP;
    }
    text
}

const PROMPTS_HELP: &str = "\
Ask for something, such as: list the files here. Lines pasted together are
one prompt, and a line that ends in \\ continues on the next one.";
const TURNS_HELP: &str = " While claw
is working, what you type redirects it.
  /image FILE  attaches an image to your next prompt
  /then TEXT   sends TEXT when the work in progress is done";
const PLAN_HELP: &str = "
  /plan        makes claw only read until you approve its plan; /plan off
               ends that
  /todos       shows claw's todo list";
const COMMANDS_HELP: &str = "
  /help        shows this help
  /exit        ends claw, and so does Ctrl-D; Ctrl-C stops a reply
`claw -p PROMPT < FILE` asks about a file.";
const THINKING_HELP: &str = " The model's thinking is shown only
in a terminal that can dim it.";
