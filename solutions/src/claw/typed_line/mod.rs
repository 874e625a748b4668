//! What the user types in a conversation: prompts for the model, and commands for `claw`.
//!
//! `line` parses a line, and `command_help` lists the commands.

mod command_help;
mod line;

pub use command_help::{COMMANDS, help};
pub use line::TypedLine;
