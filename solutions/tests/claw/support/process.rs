//! `claw` as a process, from its command to its end.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Write;
use std::process::{Child, Command, Output, Stdio};

use super::{ScriptedServer, Workspace};

/// A command that starts `claw`. Standard input is empty, and its output is captured, unless
/// a method changes that.
pub struct Claw {
    pub command: Command,
    pub workspace: Workspace,
}

impl Claw {
    /// Asks this server, whatever its model is called.
    pub fn asks(mut self, server: &ScriptedServer) -> Self {
        self.command.args(["--base-url", &server.base_url()]);
        self.command.args(["--model", "scripted"]);
        self
    }

    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    pub fn stdin(mut self, stdin: impl Into<Stdio>) -> Self {
        self.command.stdin(stdin);
        self
    }

    pub fn stdout(mut self, stdout: impl Into<Stdio>) -> Self {
        self.command.stdout(stdout);
        self
    }

    /// Writes standard output to the file `name` of the workspace.
    pub fn stdout_to(self, name: &str) -> Self {
        let file = File::create(self.workspace.path().join(name));
        self.stdout(file.expect("a file"))
    }

    /// Writes standard error to the file `name` of the workspace.
    pub fn stderr_to(mut self, name: &str) -> Self {
        let file = File::create(self.workspace.path().join(name));
        self.command.stderr(file.expect("a file"));
        self
    }

    /// Makes standard output a pipe that the reader has closed.
    pub fn closed_stdout(self) -> Self {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        self.stdout(writer)
    }

    /// Makes standard output a disk that is full.
    #[cfg(target_os = "linux")]
    pub fn full_stdout(self) -> Self {
        let full = File::options().write(true).open("/dev/full");
        self.stdout(full.expect("Linux has this device"))
    }

    pub fn start(mut self) -> Running {
        Running {
            child: self.command.spawn().expect("claw starts"),
            _workspace: self.workspace,
        }
    }

    /// Runs to the end.
    pub fn run(self) -> Run {
        self.start().finish()
    }

    /// Runs to the end, with this input.
    pub fn run_with(self, input: impl AsRef<[u8]>) -> Run {
        let mut running = self.stdin(Stdio::piped()).start();
        let mut stdin = running.child.stdin.take().expect("a pipe");
        // `claw` may end before it reads its input.
        let _ = stdin.write_all(input.as_ref());
        drop(stdin);
        running.finish()
    }
}

/// A `claw` that runs.
pub struct Running {
    pub child: Child,
    _workspace: Workspace,
}

impl Running {
    /// Ends it at once, with a signal that it cannot handle.
    pub fn kill(mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }

    /// Sends it SIGINT, as Ctrl-C does.
    #[cfg(unix)]
    pub fn interrupt(&self) {
        let claw = rustix::process::Pid::from_child(&self.child);
        let signal = rustix::process::Signal::INT;
        rustix::process::kill_process(claw, signal).expect("claw runs");
    }

    /// Waits for its end.
    pub fn finish(self) -> Run {
        Run::from(self.child.wait_with_output().expect("claw ends"))
    }
}

/// What `claw` did, from its start to its end.
#[derive(Debug)]
pub struct Run {
    /// The exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl Run {
    /// Asserts that the exit code is 0.
    #[track_caller]
    pub fn succeeds(self) -> Self {
        assert_eq!(self.code, Some(0), "{self:?}");
        self
    }

    /// Asserts the exit code, and that a message on standard error contains `message`.
    #[track_caller]
    pub fn fails(self, code: i32, message: &str) -> Self {
        assert_eq!(self.code, Some(code), "{self:?}");
        assert!(self.stderr.contains(message), "{message:?}: {self:?}");
        self
    }
}
