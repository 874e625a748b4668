//! Input from the user and output to the user, through a terminal or pipes.
//!
//! [`Input`] is what comes from the user: lines from the [`LineReader`], Ctrl-C and the
//! signals that end the program from [`Interrupts`]. [`Screen`] shows a conversation. `tty`
//! asks the operating system what only a terminal can tell.
//!
//! In a terminal, the `line_editor` lets the user edit the lines. `terminal_mode` makes the
//! terminal deliver keys at once.

mod display;
mod input;
mod interrupts;
mod line_editor;
mod line_reader;
#[cfg(unix)]
mod terminal_mode;
pub mod tty;

pub use display::*;
pub use input::*;
pub use interrupts::*;
pub use line_reader::*;
