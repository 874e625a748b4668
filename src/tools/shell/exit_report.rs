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
        todo!("7.11: write Finished::result")
    }
}

/// How a command ended that did not end well: `[exit code 1]`, or `[exit code 139:
/// killed by SIGSEGV]`, with the code that a shell gives for a signal, 128 and its number.
pub fn ending(status: ExitStatus) -> Option<String> {
    todo!("7.11: write ending")
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
