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
mod decode;
mod group;
mod kept;
mod output;
mod plain;
mod run;
mod words;

pub use command::*;
pub use decode::*;
pub use group::*;
pub use kept::*;
pub use output::*;
pub use plain::*;
pub use run::*;
pub use words::*;
