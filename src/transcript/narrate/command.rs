//! The narrator of `bash`.

use serde_json::Value;

use super::{MAX_ARGUMENT, Narrator, argument, one_line};

/// Describes calls of `bash`.
pub struct BashNarrator;

impl Narrator for BashNarrator {
    fn action(&self, args: &Value) -> String {
        format!("run {}", command_line(args))
    }

    /// `Ran ls -la`, and for a command that failed `Ran cargo test (exit code 101)`.
    fn outcome(&self, args: &Value, text: &str) -> Option<String> {
        todo!("command-narrator: write BashNarrator::outcome")
    }
}

/// The first line of a call's command that is not blank, without the spaces around it, on
/// [one line](one_line) of at most [`MAX_ARGUMENT`] characters. ` …` follows if the command has more
/// lines; blank lines at its end don't count. `a command` if there is no command or only blank lines.
fn command_line(args: &Value) -> String {
    todo!("command-narrator: write command_line")
}

/// The exit status in the last line of a result, without the brackets: `exit code 1`, or
/// `exit code 139: killed by SIGSEGV`. The code is a number. `None` if the last line is anything
/// else, as after a command that succeeded.
fn exit_status(text: &str) -> Option<&str> {
    todo!("command-narrator: write exit_status")
}
