//! A command of the shell, from its start to its last byte of output.
//!
//! [`command`] says how a command is run, and [`Group`] is its processes. A [`Run`]
//! looks after them: it reads what they write into an [`Output`], keeps to the time
//! limit, and leaves nothing behind when it goes. [`Finished::result`] puts what came of it
//! into words.
//!
//! What a command writes goes through three small machines in turn, each bounded: bytes
//! become text ([`Decoder`]), text becomes what a terminal would show ([`Plain`]), and
//! of that the head and the tail are kept ([`Kept`]).
//!
//! All of this is for Unix: process groups and signals are its notions.

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
