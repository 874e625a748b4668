//! What `claw` writes at once: the whole of a list, and lines about itself.
//!
//! `println!` and `eprintln!` panic when nobody reads what they write.

use std::fmt::Display;
use std::io::{self, Write};
#[cfg(feature = "ch20")]
use std::process::ExitCode;

use super::screen::harmless;

/// Writes to standard output. A reader that has gone, such as `head`, has enough; any other
/// trouble, such as a full disk, is told, and the exit code is 1.
#[cfg(feature = "ch20")]
pub fn print(text: &str) -> ExitCode {
    let mut stdout = io::stdout().lock();
    let written = stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush());
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            say(format!("cannot write to standard output: {error}"));
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}

/// Says something of the program's own on standard error. If that can't be done, nobody is
/// left to tell.
pub fn say(words: impl Display) {
    let words = harmless(&words.to_string());
    let _ = writeln!(io::stderr(), "claw: {words}");
}
