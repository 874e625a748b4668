//! The process group of one command.

use std::io;
use std::process::{Child, Command, ExitStatus};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use tokio::net::unix::pipe::Receiver;
use tokio::signal::unix::{self, SignalKind};

/// A shell and all processes that it has started, except those that have moved to another
/// process group or session.
///
/// The group's id is the shell's process id. The system does not reuse it until the shell
/// is reaped, so signals are sent only before that.
pub struct ProcessGroup {
    /// The shell; `None` once it is reaped.
    shell: Option<Child>,
    id: Pid,
    /// Receives SIGCHLD: a child of this program has ended or was suspended.
    child_signals: unix::Signal,
}

/// The state of the shell process.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ShellState {
    /// The shell runs.
    Running,
    /// The shell is suspended until it gets SIGCONT. The system suspends a background
    /// process that reads from the terminal, together with its whole group.
    Suspended,
    /// The shell has ended, and can be reaped.
    Ended,
}

impl ProcessGroup {
    /// The group that `shell` leads. `child_signals` receives SIGCHLD, and must have been
    /// created before the shell was started.
    pub fn new(shell: Child, child_signals: unix::Signal) -> Self {
        Self {
            id: Pid::from_child(&shell),
            shell: Some(shell),
            child_signals,
        }
    }

    /// Starts `command`, and returns its group and the reading end of its output pipe.
    ///
    /// Standard output and standard error share the pipe, so that their order is kept. As
    /// a consequence, they can't be told apart. The pipe ends when the last process that
    /// can write to it has ended.
    pub fn start(mut command: Command) -> io::Result<(Self, Receiver)> {
        let child_signals = unix::signal(SignalKind::child())?;
        let (reader, writer) = io::pipe()?;
        let output = Receiver::from_owned_fd(reader.into())?;
        command.stdout(writer.try_clone()?).stderr(writer);
        let shell = command.spawn()?;
        // Dropping `command` closes this program's copies of the writing end.
        Ok((Self::new(shell, child_signals), output))
    }

    /// The state of the shell, which must not be reaped yet. Asking for it does not reap a shell
    /// that has ended.
    pub fn state(&self) -> io::Result<ShellState> {
        let options = WaitIdOptions::EXITED
            | WaitIdOptions::STOPPED
            | WaitIdOptions::NOHANG
            | WaitIdOptions::NOWAIT;
        Ok(match waitid(WaitId::Pid(self.id), options)? {
            None => ShellState::Running,
            Some(status) if status.stopped() => ShellState::Suspended,
            Some(_) => ShellState::Ended,
        })
    }

    /// Waits until the shell no longer runs. The future may be dropped, and the method
    /// called again.
    pub async fn wait_for_change(&mut self) -> io::Result<ShellState> {
        loop {
            match self.state()? {
                ShellState::Running => self.child_signals.recv().await,
                state => return Ok(state),
            };
        }
    }

    /// Sends `signal` to every process of the group, unless the shell is reaped.
    pub fn signal(&self, signal: Signal) {
        if self.shell.is_some() {
            // Fails only if all processes belong to another user; they can't be reached.
            let _ = kill_process_group(self.id, signal);
        }
    }

    /// Kills the remaining processes of the group, including a shell that still runs, and then
    /// reaps the shell. It is an error if the shell is already reaped.
    pub fn reap(&mut self) -> io::Result<ExitStatus> {
        self.signal(Signal::KILL);
        match self.shell.take() {
            Some(mut shell) => shell.wait(),
            None => Err(io::Error::other("the shell is already reaped")),
        }
    }

    /// Kills the group. A thread reaps the shell when it has ended, which may take a while
    /// if a system call blocks it.
    pub fn kill(&mut self) {
        if let Some(mut shell) = self.shell.take() {
            // Fails only if all processes belong to another user.
            let _ = kill_process_group(self.id, Signal::KILL);
            std::thread::spawn(move || shell.wait());
        }
    }

    /// Whether the shell is reaped, or a thread is going to reap it.
    pub fn is_reaped(&self) -> bool {
        self.shell.is_none()
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.kill();
    }
}
