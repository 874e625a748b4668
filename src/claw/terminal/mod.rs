//! Input from the user and output to the user, through a terminal or pipes.
//!
//! [`Input`] is what comes from the user: lines from the [`LineReader`], Ctrl-C and the
//! signals that end the program from [`Interrupts`]. [`Screen`] shows a conversation. `tty`
//! asks the operating system what only a terminal can tell.

mod input;
mod interrupts;
mod line_reader;
mod screen;
mod tty;

pub use input::*;
pub use interrupts::*;
pub use line_reader::*;
pub use screen::*;
