//! The processes of one command.

use std::io;
use std::process::{Child, Command, ExitStatus};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use tokio::net::unix::pipe::Receiver;
use tokio::signal::unix::{self, SignalKind};

/// A shell that was started, and all that it has started in its turn, except for what
/// has gone into a process group or a session of its own.
///
/// The group's number is the shell's. The system gives that to nobody else as long as
/// the shell has not been reaped, so signals are sent only before.
pub struct Group {
    /// The shell; taken when it is reaped.
    child: Option<Child>,
    id: Pid,
    /// Comes whenever a child of this program's ends or stands still.
    changes: unix::Signal,
}

/// How it is with the shell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Life {
    /// It runs.
    Running,
    /// It stands still until somebody lets it go on. A process that wants to read from
    /// the terminal is stopped like this, and its whole group with it.
    Stopped,
    /// It has ended, and can be reaped.
    Ended,
}

impl Group {
    /// That of a shell which was started as the leader of a group. `changes` must come for
    /// SIGCHLD, and be older than the shell.
    pub fn new(child: Child, changes: unix::Signal) -> Self {
        Self {
            id: Pid::from_child(&child),
            child: Some(child),
            changes,
        }
    }

    /// Starts `command`, and returns the end of the pipe that its output comes out of.
    ///
    /// Standard output and standard error are one pipe, so that what is written first
    /// comes first. The price: nobody can tell the one from the other any more. The pipe
    /// ends when the last process that can write to it is gone.
    pub fn start(mut command: Command) -> io::Result<(Self, Receiver)> {
        let changes = unix::signal(SignalKind::child())?;
        let (reader, writer) = io::pipe()?;
        let output = Receiver::from_owned_fd(reader.into())?;
        command.stdout(writer.try_clone()?).stderr(writer);
        let child = command.spawn()?;
        // `command` goes here, and with it our own copies of the pipe's other end.
        Ok((Self::new(child, changes), output))
    }

    /// How it is with the shell now. One that has ended stays as it is: looking does not
    /// reap it.
    pub fn look(&self) -> io::Result<Life> {
        let options = WaitIdOptions::EXITED
            | WaitIdOptions::STOPPED
            | WaitIdOptions::NOHANG
            | WaitIdOptions::NOWAIT;
        Ok(match waitid(WaitId::Pid(self.id), options)? {
            None => Life::Running,
            Some(status) if status.stopped() => Life::Stopped,
            Some(_) => Life::Ended,
        })
    }

    /// Waits until the shell runs no longer. May be dropped and called again.
    pub async fn change(&mut self) -> io::Result<Life> {
        loop {
            match self.look()? {
                Life::Running => self.changes.recv().await,
                life => return Ok(life),
            };
        }
    }

    /// Sends `signal` to every process of the group, if the shell has not been reaped.
    pub fn signal(&self, signal: Signal) {
        if self.child.is_some() {
            // Fails if all of them belong to another user, and then nothing can be done.
            let _ = kill_process_group(self.id, signal);
        }
    }

    /// Kills what is left of the group, and then reaps the shell, which must have ended.
    pub fn reap(&mut self) -> io::Result<ExitStatus> {
        self.signal(Signal::KILL);
        match self.child.take() {
            Some(mut child) => child.wait(),
            None => Err(io::Error::other("the shell has been reaped")),
        }
    }

    /// Kills the group, and has the shell reaped as soon as it has died. Does not wait
    /// for that: a process that is stuck in the kernel may take its time.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            // Fails only as in `signal`.
            let _ = kill_process_group(self.id, Signal::KILL);
            std::thread::spawn(move || child.wait());
        }
    }

    /// Whether the shell was reaped, or is being.
    pub fn is_over(&self) -> bool {
        self.child.is_none()
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}
