//! The tool result of a command that has ended or was stopped.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

use rustix::process::Signal;

use super::{FinishedCommand, WaitOutcome};
use crate::tools::MAX_TIMEOUT;
use crate::types::ToolResult;

impl FinishedCommand {
    /// The result for the model of a command whose time limit was `limit`.
    ///
    /// A command that ended by itself is not an error, whatever its exit code: the tool has
    /// done its work, and the output tells what is wrong. The result is the output without
    /// its last line end, or `(no output)` if that is empty. Two lines may follow:
    /// [`BACKGROUND_STOPPED`] if the shell left processes running, and the [`exit_note`].
    ///
    /// A command that was stopped is an error. The result says why, what to do, and what
    /// the output was until then.
    pub fn tool_result(&self, limit: Duration) -> ToolResult {
        todo!("bash-result: write FinishedCommand::tool_result")
    }
}

/// The note on an exit status other than success: `[exit code 1]`, or for a signal
/// `[exit code 139: killed by SIGSEGV]`. The code of a signal is that of a shell: 128 plus
/// the signal's number.
pub fn exit_note(status: ExitStatus) -> Option<String> {
    todo!("bash-result: write exit_note")
}

/// The signals that most often end programs. Their numbers differ between systems.
const SIGNAL_NAMES: [(Signal, &str); 13] = [
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

/// The note on a command whose shell ended before the processes that it had started. A process
/// that has left the group, as by `setsid`, gets no signal.
pub const BACKGROUND_STOPPED: &str =
    "[background processes were stopped; one in a session of its own may still run]";

/// The error text for a command that was stopped because the system had suspended it.
pub const SUSPENDED: &str = "\
the command tried to use the terminal, was suspended for it, and was stopped, with every \
process that it had started. No terminal is available: pass the input as an option, in a \
file or through a pipe";
