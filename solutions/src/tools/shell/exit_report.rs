//! What a model is told of a command.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

use rustix::process::Signal;

use super::{Finished, Pause};
use crate::tools::MAX_TIMEOUT;
use crate::types::ToolResult;

impl Finished {
    /// What the model is told of a command that had `limit` to run.
    ///
    /// A command that ended by itself is no error, whatever its code: the tool has done its
    /// work, and the output says what is wrong. Its text, or `(no output)`, comes without its
    /// last line end. Behind it, each on a line of its own, come [`LEFT`] where that is so,
    /// and [`ending`] unless all went well.
    ///
    /// A command that was stopped is an error, which says why and what to do, and then
    /// gives the output so far, or `It had written nothing.`
    pub fn result(&self, limit: Duration) -> ToolResult {
        let text = self.text.strip_suffix('\n').unwrap_or(&self.text);
        let why = match self.pause {
            Pause::Done | Pause::Left => {
                let mut lines = vec![if text.is_empty() { "(no output)" } else { text }];
                lines.extend((self.pause == Pause::Left).then_some(LEFT));
                let ending = self.status.and_then(ending);
                lines.extend(ending.as_deref());
                return ToolResult {
                    is_truncated: self.is_truncated,
                    ..ToolResult::text(lines.join("\n"))
                };
            }
            Pause::Late => format!(
                "the command did not end within {} s and was stopped, with all that it had started. If it needs longer, give a longer `timeout`, at most {MAX_TIMEOUT}",
                limit.as_secs_f64()
            ),
            Pause::Stopped => STOPPED.to_string(),
        };
        let output = match text {
            "" => "It had written nothing.".to_string(),
            text => format!("Its output until then:\n{text}"),
        };
        ToolResult {
            is_truncated: self.is_truncated,
            ..ToolResult::error(format!("{why}.\n{output}"))
        }
    }
}

/// How a command ended that did not end well: `[exit code 1]`, or `[exit code 139:
/// killed by SIGSEGV]`, with the code that a shell gives for a signal, 128 and its number.
pub fn ending(status: ExitStatus) -> Option<String> {
    if let Some(code) = status.code() {
        return (code != 0).then(|| format!("[exit code {code}]"));
    }
    let number = status.signal()?;
    let known = SIGNALS.iter().find(|(signal, _)| signal.as_raw() == number);
    let name = match known {
        Some((_, name)) => name.to_string(),
        None => format!("signal {number}"),
    };
    Some(format!("[exit code {}: killed by {name}]", 128 + number))
}

/// The signals that end programs most often. Their numbers differ between systems.
const SIGNALS: [(Signal, &str); 13] = [
    (Signal::HUP, "SIGHUP"),
    (Signal::INT, "SIGINT"),
    (Signal::QUIT, "SIGQUIT"),
    (Signal::ILL, "SIGILL"),
    (Signal::TRAP, "SIGTRAP"),
    (Signal::ABORT, "SIGABRT"),
    (Signal::BUS, "SIGBUS"),
    (Signal::FPE, "SIGFPE"),
    (Signal::KILL, "SIGKILL"),
    (Signal::SEGV, "SIGSEGV"),
    (Signal::PIPE, "SIGPIPE"),
    (Signal::TERM, "SIGTERM"),
    (Signal::XCPU, "SIGXCPU"),
];

/// What is said of a command whose shell has ended before all that it had started.
pub const LEFT: &str = "[what it had left running was stopped]";

/// What is said of a command that was stopped because it stood still.
pub const STOPPED: &str = "\
the command stood still, as one does that wants an answer from the terminal, and was \
stopped, with all that it had started. Nobody can answer it: give it what it asks for by \
an option, a file or a pipe";
