//! Helpers for the tests of chapter 7. A real shell runs real commands, in a folder made
//! for the test.
//!
//! Tests wait for events and not for time to pass. `cat never` is a command that does not
//! end by itself, since it reads a FIFO to which nothing is written. A [`LivenessFifo`]
//! shows whether processes are alive. [`skip_time`] makes deadlines pass at once.

use std::fs::File;
use std::io::{PipeWriter, Read, Write};
use std::ops::Deref;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use claw_code::tools::shell::*;
use claw_code::types::ToolResult;
use rustix::process::{Pid, WaitId, WaitIdOptions, test_kill_process, waitid};
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe::Receiver;
use tokio::signal::unix::{self, SignalKind};
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::support::TempFolder;
pub use crate::support::run_beside_busy_thread;

/// A shell that writes its process id, with a child and a grandchild. These two hold the
/// [`LivenessFifo`] open.
pub const FAMILY: &str = "echo $$; sh -c 'cat never & wait' 9>alive & wait";

/// A command that cleans up when it is asked to end, and ends with the test program. It has
/// no child: a child that has not started its program yet may lose a signal.
pub const CAREFUL: &str = "\
trap 'echo cleaning up; : >cleaned; exit' TERM
exec 9>alive
while kill -0 $PPID; do :; done";

/// A command that ends only when it is killed.
pub const STUBBORN: &str = "trap '' TERM; exec 9>alive; cat never";

/// How long a test waits for an event before it fails. Long enough for a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// A grace period that only a process that does not end uses up.
pub const TIMING: Timing = Timing {
    report_interval: Duration::from_millis(2),
    grace_period: PATIENCE,
};

/// For [`skip_time`]: a grace period that passes in a few steps.
pub const SHORT_GRACE: Timing = Timing {
    grace_period: Duration::from_millis(40),
    ..TIMING
};

/// The output of `work`. Fails if it hangs.
pub async fn in_time<F: Future>(work: F) -> F::Output {
    match timeout(2 * PATIENCE, work).await {
        Ok(output) => output,
        Err(_) => panic!("this hangs: it waits for an event that does not come"),
    }
}

/// The output of `work` with a paused clock, which jumps to the next timer whenever no task
/// can continue. Only for processes that have nothing left to do.
pub async fn skip_time<F: Future>(work: F) -> F::Output {
    tokio::time::pause();
    let output = work.await;
    tokio::time::resume();
    output
}

/// A command like that of section 7.4, so that later sections do not depend on it.
pub fn sh(text: &str, folder: &Path) -> Command {
    let mut command = Command::new("sh");
    command.arg("-c").arg(text).current_dir(folder);
    command.stdin(Stdio::null()).process_group(0);
    command
}

pub fn child_signals() -> unix::Signal {
    unix::signal(SignalKind::child()).expect("SIGCHLD can be received")
}

/// A group without output, made without `ProcessGroup::start`, and its shell.
pub fn start_group(text: &str, folder: &Path) -> (ProcessGroup, Pid) {
    let signals = child_signals();
    let child = sh(text, folder).stdout(Stdio::null()).spawn();
    let child = child.expect("every Unix has a shell");
    let shell = Pid::from_child(&child);
    (ProcessGroup::new(child, signals), shell)
}

/// Waits until the shell of `group` has ended.
pub async fn wait_for_end(group: &mut ProcessGroup) {
    let ended = async {
        // A shell that was just resumed may seem to be suspended for a moment.
        while group.wait_for_change().await.expect("a state") != ShellState::Ended {
            tokio::task::yield_now().await;
        }
    };
    in_time(ended).await;
}

pub fn start(folder: &CommandFolder, text: &str) -> RunningCommand {
    start_with(folder, text, TIMING).0
}

/// A running command, made without `ProcessGroup::start`, and its shell.
pub fn start_with(folder: &CommandFolder, text: &str, timing: Timing) -> (RunningCommand, Pid) {
    let signals = child_signals();
    let (pipe, writer) = pipe();
    let mut command = sh(text, folder.path());
    let stdout = writer.try_clone().expect("the end of a pipe");
    let child = command.stdout(stdout).stderr(writer).spawn();
    let child = child.expect("every Unix has a shell");
    let shell = Pid::from_child(&child);
    let group = ProcessGroup::new(child, signals);
    (RunningCommand::new(group, pipe, timing), shell)
}

/// The two ends of a new pipe.
pub fn pipe() -> (Receiver, PipeWriter) {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    let reader = Receiver::from_owned_fd(reader.into());
    (reader.expect("the end of a pipe"), writer)
}

/// Waits until this child of the test has ended, and does not reap it.
pub fn wait_for_zombie(shell: Pid) {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    waitid(WaitId::Pid(shell), options).expect("the shell is a child of the test");
}

/// A temporary folder with the FIFO `never`, to which nothing is written. A command that
/// reads it ends with the test at the latest.
pub struct CommandFolder {
    folder: TempFolder,
    _never: File,
}

impl CommandFolder {
    pub fn new() -> Self {
        let folder = TempFolder::new();
        let never = open_fifo(&make_fifo(&folder, "never"));
        Self {
            folder,
            _never: never,
        }
    }
}

impl Deref for CommandFolder {
    type Target = TempFolder;

    fn deref(&self) -> &TempFolder {
        &self.folder
    }
}

fn make_fifo(folder: &TempFolder, name: &str) -> PathBuf {
    let path = folder.path().join(name);
    let status = Command::new("mkfifo").arg(&path).status();
    assert!(
        status.is_ok_and(|it| it.success()),
        "every Unix has `mkfifo`"
    );
    path
}

/// Opens a FIFO for both reading and writing, which does not wait for another process.
fn open_fifo(path: &Path) -> File {
    let file = File::options().read(true).write(true).open(path);
    file.expect("the FIFO exists")
}

/// The FIFO `gate`: a command that reads a line from it waits until the gate is opened.
pub struct Gate(File);

impl Gate {
    pub fn new(folder: &CommandFolder) -> Self {
        Self(open_fifo(&make_fifo(folder, "gate")))
    }

    pub fn open(&mut self) {
        self.0
            .write_all(b"go\n")
            .expect("a pipe has room for a line");
    }
}

/// The FIFO `alive`, which processes hold open while they are alive.
pub struct LivenessFifo {
    opened: oneshot::Receiver<()>,
    closed: mpsc::Receiver<()>,
}

impl LivenessFifo {
    pub fn new(folder: &CommandFolder) -> Self {
        let path = make_fifo(folder, "alive");
        let (open, opened) = oneshot::channel();
        let (close, closed) = mpsc::channel();
        std::thread::spawn(move || {
            // Opening waits for the first writer, and reading ends with the last one.
            let mut file = File::open(path).expect("the FIFO exists");
            let _ = open.send(());
            let _ = file.read_to_end(&mut Vec::new());
            let _ = close.send(());
        });
        Self { opened, closed }
    }

    /// Waits until a process has opened the FIFO.
    pub async fn wait_for_start(&mut self) {
        in_time(&mut self.opened).await.expect("the thread runs");
    }

    /// Fails with `rule` unless every process that has the FIFO open ends.
    #[track_caller]
    pub fn assert_ended(self, rule: &str) {
        let closed = self.closed.recv_timeout(PATIENCE);
        assert!(closed.is_ok(), "{rule}; a process is still alive");
    }
}

/// The process id on a line.
#[track_caller]
pub fn parse_pid(line: &str) -> Pid {
    let number = line.trim().parse().ok();
    let number = number.and_then(Pid::from_raw);
    number.unwrap_or_else(|| panic!("the shell should write its process id, and writes {line:?}"))
}

/// Fails with `rule` unless the process is reaped: until then, its id is in use.
#[track_caller]
pub fn assert_reaped(shell: Pid, rule: &str) {
    let deadline = Instant::now() + PATIENCE;
    while test_kill_process(shell).is_ok() {
        assert!(
            Instant::now() < deadline,
            "{rule}; its process id is still in use"
        );
        std::thread::yield_now();
    }
}

/// Reads a pipe to its end.
pub async fn read_all(pipe: &mut Receiver) -> String {
    let mut text = String::new();
    let read = timeout(PATIENCE, pipe.read_to_string(&mut text)).await;
    let read = read.unwrap_or_else(|_| {
        panic!("the pipe does not end: which process or value still holds its writing end? So far: {text:?}")
    });
    read.expect("the pipe can be read");
    text
}

/// Reads one line from a pipe.
pub async fn read_line(pipe: &mut Receiver) -> String {
    let mut bytes = Vec::new();
    while bytes.last() != Some(&b'\n') {
        bytes.push(in_time(pipe.read_u8()).await.expect("a line"));
    }
    String::from_utf8(bytes).expect("the line is UTF-8")
}

/// Fails with `rule` unless `result` is an error whose text contains all `parts`.
#[track_caller]
pub fn assert_error(rule: &str, result: &ToolResult, parts: &[&str]) {
    assert!(
        result.is_error && result.content.starts_with("error: "),
        "{rule}: the result should be an error: {}",
        result.content
    );
    for part in parts {
        assert!(
            result.content.contains(part),
            "{rule}: the result should contain {part:?}: {}",
            result.content
        );
    }
}
