//! The sentences of `bash`.

use serde_json::Value;

use super::{MAX_ARGUMENT, Narrator, argument, plain};

/// The narrator of `bash`.
pub struct BashNarrator;

impl Narrator for BashNarrator {
    fn aim(&self, args: &Value) -> String {
        format!("run {}", command(args))
    }

    /// `Ran ls -la`, and of a command that did not end well `Ran cargo test (exit code 101)`.
    fn deed(&self, args: &Value, text: &str) -> Option<String> {
        todo!("17.8: write BashNarrator::deed")
    }
}

/// The first line of a call's command that says something, and ` …` if there are more.
fn command(args: &Value) -> String {
    todo!("17.8: write command")
}

/// What the last line of a result says of the end: `exit code 1`, or `exit code 139: killed
/// by SIGSEGV`. `None` if all went well.
fn ending(text: &str) -> Option<&str> {
    todo!("17.8: write ending")
}
