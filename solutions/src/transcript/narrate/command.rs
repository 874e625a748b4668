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
        let ending = match ending(text) {
            Some(ending) => format!(" ({ending})"),
            None => String::new(),
        };
        Some(format!("Ran {}{ending}", command(args)))
    }
}

/// The first line of a call's command that says something, and ` …` if there are more.
fn command(args: &Value) -> String {
    let Some(command) = argument(args, "command") else {
        return "a command".to_string();
    };
    let mut lines = command.trim().lines();
    let first = lines.next().unwrap_or_default();
    let more = if lines.next().is_some() { " …" } else { "" };
    plain(first, MAX_ARGUMENT) + more
}

/// What the last line of a result says of the end: `exit code 1`, or `exit code 139: killed
/// by SIGSEGV`. `None` if all went well.
fn ending(text: &str) -> Option<&str> {
    let line = text.lines().next_back()?;
    let inner = line.strip_prefix('[')?.strip_suffix(']')?;
    let code = inner.strip_prefix("exit code ")?;
    let number = code.split(": ").next()?;
    number.parse::<u32>().is_ok().then_some(inner)
}
