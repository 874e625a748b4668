//! Input from the user and output to the user, through a terminal or pipes.
//!
//! [`Input`] is what comes from the user: lines from the [`LineReader`], Ctrl-C and the
//! signals that end the program from [`Interrupts`]. [`Screen`] shows a conversation. `tty`
//! asks the operating system what only a terminal can tell. [`live_rows`] erases the rows that
//! change below the output.
//!
//! In a terminal, the `line_editor` lets the user edit the lines. `terminal_mode` makes the
//! terminal deliver keys at once.

mod display;
mod input;
mod interrupts;
mod line_editor;
mod line_reader;
pub mod live_rows;
#[cfg(unix)]
mod terminal_mode;
pub mod tty;

pub use display::*;
pub use input::*;
pub use interrupts::*;
pub use line_reader::*;
