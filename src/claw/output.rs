//! Output outside a conversation: listings on standard output, messages on standard error.
//!
//! `println!` and `eprintln!` panic when the reader has closed the other end.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
#[cfg(feature = "ch10")]
use std::process::ExitCode;

use super::safe_text::without_control_chars;
use super::terminal::live_rows::live_rows;
use super::terminal::tty;

/// Writes `text` to standard output. A closed pipe, as `head` leaves it, counts as success.
/// Any other error, such as a full disk, is reported, and the exit code is 1.
#[cfg(feature = "ch10")]
pub fn print(text: &str) -> ExitCode {
    let mut stdout = io::stdout().lock();
    let written = stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush());
    drop(stdout);
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            report(format!("cannot write to standard output: {error}"));
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}

/// Writes a message of the program to standard error, as the line `claw: message`. An error
/// is ignored, since there is no place left to report it.
pub fn report(message: impl Display) {
    let message = without_control_chars(&message.to_string());
    let is_on_screen = tty::has_cursor() && io::stderr().is_terminal();
    // Held only for a terminal: a full pipe must not stop the screen.
    let mut live_rows = is_on_screen.then(live_rows);
    // The rows about a running turn would stay in front of the message.
    let erase = live_rows.as_mut().map(|rows| rows.erase());
    let erase = erase.unwrap_or_default();
    let _ = writeln!(io::stderr(), "{erase}claw: {message}");
}
