//! Runs a shell command, from its start to its last byte of output.
//!
//! [`shell_command`] builds the process, and a [`ProcessGroup`] holds all processes of the
//! command. A [`RunningCommand`] reads what they write into a [`CommandOutput`], enforces
//! the time limit, and leaves no process running when it is dropped.
//! [`FinishedCommand::tool_result`] makes the result for the model.
//!
//! The output passes through three stages, each with bounded memory: [`Utf8Decoder`] turns
//! bytes into text, [`TerminalText`] into the text that a terminal would show, and
//! [`HeadTail`] keeps its head and tail.
//!
//! All of this requires Unix, which has process groups and signals.

mod command;
mod exit_report;
mod head_tail;
mod output;
mod process_group;
mod running_command;
mod terminal_text;
mod utf8_decoder;

pub use command::*;
pub use exit_report::*;
pub use head_tail::*;
pub use output::*;
pub use process_group::*;
pub use running_command::*;
pub use terminal_text::*;
pub use utf8_decoder::*;
