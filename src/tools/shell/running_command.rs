//! A command while it runs.

use std::io;
use std::process::{Command, ExitStatus};
use std::time::Duration;

use rustix::process::Signal;
use serde_json::json;
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe::Receiver;
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep_until};

use super::{CommandOutput, ProcessGroup, ShellState};
use crate::tools::report;

/// How long dropping a [`RunningCommand`] waits for its processes to end by themselves. It
/// is short, since it blocks the thread.
pub const DROP_GRACE: Duration = Duration::from_millis(100);

/// The size of the read buffer, in bytes: the capacity of a pipe on Linux.
const READ_BUFFER_BYTES: usize = 64 * 1024;

/// The intervals of a running command.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Timing {
    /// The time between two progress reports.
    pub report_interval: Duration,
    /// The time that processes have to end after they were asked to, or after their shell
    /// has ended.
    pub grace_period: Duration,
}

impl Default for Timing {
    /// Reports every 250 ms, and a grace period of 500 ms.
    fn default() -> Self {
        Self {
            report_interval: Duration::from_millis(250),
            grace_period: Duration::from_millis(500),
        }
    }
}

/// Why [`RunningCommand::wait_until`] returned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum WaitOutcome {
    /// The shell has ended, and no process can write to the output any more.
    Completed,
    /// The shell has ended, but a process that it started holds the output open.
    BackgroundLeft,
    /// The shell is suspended.
    Suspended,
    /// The deadline has passed.
    TimedOut,
}

/// The output of a command, and how it ended.
#[derive(Debug, Clone, PartialEq)]
pub struct FinishedCommand {
    /// The output, or its head and tail.
    pub text: String,
    /// Whether a part of the output is missing.
    pub is_truncated: bool,
    /// Why the tool stopped waiting.
    pub outcome: WaitOutcome,
    /// The shell's exit status, if it ended by itself.
    pub status: Option<ExitStatus>,
}

/// A command that runs. Dropping it ends every process of its group.
pub struct RunningCommand {
    group: ProcessGroup,
    pipe: Receiver,
    output: CommandOutput,
    timing: Timing,
    started: Instant,
    shell_has_ended: bool,
    /// Whether a process can still write to the pipe.
    pipe_is_open: bool,
}

impl RunningCommand {
    /// Starts `command`.
    pub fn start(command: Command, timing: Timing) -> io::Result<Self> {
        let (group, pipe) = ProcessGroup::start(command)?;
        Ok(Self::new(group, pipe, timing))
    }

    /// The command of a group that was just started and whose output arrives in `pipe`.
    pub fn new(group: ProcessGroup, pipe: Receiver, timing: Timing) -> Self {
        Self {
            group,
            pipe,
            output: CommandOutput::default(),
            timing,
            started: Instant::now(),
            shell_has_ended: false,
            pipe_is_open: true,
        }
    }

    /// The output that was read so far.
    pub fn output(&self) -> &CommandOutput {
        &self.output
    }

    /// Reads the output and reports progress until the command has ended, but not past
    /// `deadline`. Returns early if the shell is suspended, or if it has ended and the
    /// output is still open after the grace period.
    pub async fn wait_until(&mut self, mut deadline: Instant) -> io::Result<WaitOutcome> {
        todo!("wait-for-command: write RunningCommand::wait_until")
    }

    /// Reports the seconds since the start, the number of bytes written, and the end of
    /// the output.
    pub fn report_progress(&self) {
        report(json!({
            "seconds": self.started.elapsed().as_secs(),
            "bytes": self.output.bytes(),
            "output": self.output.recent(),
        }));
    }

    /// Waits for the command to end, at most `limit` from its start.
    ///
    /// Processes that still run then, or that the shell has left running, are asked to
    /// end. Those that remain after the grace period are killed. Output is read until no process
    /// can write any more or the grace period is over. A process with both outputs elsewhere does not
    /// hold the output open, so the end of the shell kills it at once.
    pub async fn finish(mut self, limit: Duration) -> io::Result<FinishedCommand> {
        todo!("time-limit: write RunningCommand::finish")
    }

    /// Asks every process of the group to end, including suspended ones.
    fn terminate(&self) {
        todo!("dropped-command: write RunningCommand::terminate")
    }

    /// Ends a command whose result is no longer wanted: asks its processes to end, blocks
    /// until they have, at most for [`DROP_GRACE`], and kills the rest. Meanwhile it reads and
    /// discards the output, so that no process waits for room in the pipe.
    pub fn shut_down(&mut self) {
        todo!("dropped-command: write RunningCommand::shut_down")
    }

    /// Whether no process can write any more. Reads and discards up to 4 KiB of what was written.
    fn output_is_closed(&self) -> bool {
        let mut buffer = [0; 4096];
        matches!(rustix::io::read(&self.pipe, &mut buffer), Ok(0))
    }
}

impl Drop for RunningCommand {
    fn drop(&mut self) {
        // During a panic there is no grace period: the group's own destructor kills it.
        if !self.group.is_reaped() && !std::thread::panicking() {
            self.shut_down();
        }
    }
}
