//! The commands of a conversation and their help.

/// A command, for the help, error messages and completion.
pub struct CommandHelp {
    /// The name, with its `/`.
    pub name: &'static str,
    /// What follows the name; empty for nothing.
    arguments: &'static str,
    /// What the command does, at most 60 characters wide.
    help: &'static str,
}

/// All commands, in the order of the help.
pub const COMMANDS: &[CommandHelp] = &[
    #[cfg(feature = "ch20")]
    CommandHelp {
        name: "/image",
        arguments: "FILE",
        help: "attach an image to your next prompt",
    },
    #[cfg(feature = "ch20")]
    CommandHelp {
        name: "/then",
        arguments: "TEXT",
        help: "send TEXT when the work in progress is done",
    },
    #[cfg(feature = "ch13")]
    CommandHelp {
        name: "/plan",
        arguments: "[off]",
        help: "only read until you approve a plan; off ends that",
    },
    #[cfg(feature = "ch13")]
    CommandHelp {
        name: "/todos",
        arguments: "",
        help: "show the todo list",
    },
    CommandHelp {
        name: "/show",
        arguments: "[N]",
        help: "show the whole result of call N, or of the last one",
    },
    #[cfg(feature = "ch10")]
    CommandHelp {
        name: "/permissions",
        arguments: "",
        help: "show which calls run without a question",
    },
    #[cfg(feature = "ch20")]
    CommandHelp {
        name: "/model",
        arguments: "[NAME]",
        help: "show the model, or use the one of this name",
    },
    #[cfg(feature = "ch20")]
    CommandHelp {
        name: "/clear",
        arguments: "",
        help: "begin a new conversation",
    },
    #[cfg(feature = "ch20")]
    CommandHelp {
        name: "/resume",
        arguments: "[ID]",
        help: "resume another conversation, or the latest",
    },
    #[cfg(feature = "ch20")]
    CommandHelp {
        name: "/cost",
        arguments: "",
        help: "show the tokens that this conversation has used",
    },
    CommandHelp {
        name: "/help",
        arguments: "",
        help: "show this help",
    },
    CommandHelp {
        name: "/exit",
        arguments: "",
        help: "end claw, as Ctrl-D does",
    },
];

/// The commands in a sentence, such as `/help and /exit`.
pub fn usages() -> String {
    let usages = COMMANDS.iter().map(CommandHelp::usage);
    let usages: Vec<String> = usages.collect();
    let (last, others) = usages.split_last().expect("there are commands");
    format!("{} and {last}", others.join(", "))
}

/// How to use the command of this name, such as `/image FILE`.
pub fn usage_of(name: &str) -> Option<String> {
    let command = COMMANDS.iter().find(|it| it.name == name)?;
    Some(command.usage())
}

impl CommandHelp {
    fn usage(&self) -> String {
        format!("{} {}", self.name, self.arguments)
            .trim_end()
            .into()
    }
}

/// The answer to `/help`, at most 78 characters wide.
pub fn help() -> String {
    let mut text = PROMPTS_HELP.to_string();
    if cfg!(feature = "ch20") {
        text += TURNS_HELP;
    }
    for command in COMMANDS {
        text += &format!("\n  {:<16}{}", command.usage(), command.help);
    }
    text += KEYS_HELP;
    if cfg!(feature = "ch20") {
        text += THINKING_HELP;
    }
    text
}

const PROMPTS_HELP: &str = "\
Ask for something, such as: list the files here. A paste is part of the prompt
until you press Enter, and a line that ends in \\ continues on the next one.
Tab completes /commands and @files.";
const TURNS_HELP: &str = "
What you type while claw works redirects it.";
const KEYS_HELP: &str = "
Esc or Ctrl-C stops a reply. `claw -p PROMPT < FILE` asks about a file.";
const THINKING_HELP: &str = "
The model's thinking is shown only in a terminal that can dim it.";
