//! Chapter 7, The Shell Tool.
//!
//! The commands are real ones, run by a real shell in folders made for the test. Tests
//! wait for what happens and not for time to pass: a command that is to run "for long"
//! sleeps for half a minute, which no test waits for. Whether a process is still alive
//! is told by a [`Witness`].

use std::future::Future;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc as channel;
use std::time::{Duration, Instant};

use claw_code::tools::shell::*;
use rustix::process::{Pid, test_kill_process};
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe::Receiver;
use tokio::signal::unix::{self, SignalKind};
use tokio::sync::oneshot;
use tokio::time::timeout;

/// A shell that writes its number, with a child and a grandchild, which the witness sees.
pub const FAMILY: &str = "echo $$; sh -c 'sleep 30 & wait' 9>alive & wait";

/// A command that cleans up when it is asked to end. It has no child: one that has not
/// become another program yet may lose a signal.
pub const CAREFUL: &str = "\
trap 'echo cleaning up; : >cleaned; exit' TERM
echo $$ >pid; exec 9>alive
while :; do :; done";

/// A command that ends only when it is killed.
pub const STUBBORN: &str = "trap '' TERM; exec 9>alive; while :; do sleep 30; done";

/// Longer than anything here takes on a busy machine, and shorter than `sleep 30`.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// The grace is used up only by what does not end.
pub const PACE: Pace = Pace {
    report: Duration::from_millis(2),
    grace: PATIENCE,
};

/// For what does not end.
pub const HASTE: Pace = Pace {
    report: Duration::from_millis(2),
    grace: Duration::from_millis(40),
};

/// What `work` returns, unless it hangs.
pub async fn in_time<F: Future>(work: F) -> F::Output {
    match timeout(2 * PATIENCE, work).await {
        Ok(output) => output,
        Err(_) => panic!("this must come to an end, and hangs"),
    }
}

/// A command as section 7.5 makes it, so that later sections do without that.
pub fn sh(text: &str, folder: &Path) -> Command {
    let mut command = Command::new("sh");
    command.arg("-c").arg(text).current_dir(folder);
    command.stdin(Stdio::null()).process_group(0);
    command
}

pub fn changes() -> unix::Signal {
    unix::signal(SignalKind::child()).expect("SIGCHLD can be waited for")
}

/// A group without output, made without `Group::start`; and its shell.
pub fn group(text: &str, folder: &Path) -> (Group, Pid) {
    let changes = changes();
    let child = sh(text, folder).stdout(Stdio::null()).spawn();
    let child = child.expect("there is a shell on every Unix");
    let shell = Pid::from_child(&child);
    (Group::new(child, changes), shell)
}

/// Waits for the end of a group's shell.
pub async fn ends(group: &mut Group) {
    let ended = async {
        // One that was let go on may seem to stand still for a moment.
        while group.change().await.expect("it can be asked") != Life::Ended {
            tokio::task::yield_now().await;
        }
    };
    in_time(ended).await;
}

pub fn run_in(folder: &Folder, text: &str) -> Run {
    run_at(folder, text, PACE)
}

/// A run, made without `Group::start`.
pub fn run_at(folder: &Folder, text: &str, pace: Pace) -> Run {
    let changes = changes();
    let (reader, writer) = std::io::pipe().expect("a pipe can be made");
    let pipe = Receiver::from_owned_fd(reader.into()).expect("it is a pipe");
    let mut command = sh(text, folder.path());
    let both = writer.try_clone().expect("it can be copied");
    let child = command.stdout(both).stderr(writer).spawn();
    let child = child.expect("there is a shell on every Unix");
    Run::new(Group::new(child, changes), pipe, pace)
}

/// A thread that sees whether any process still has the file `alive` open.
pub struct Witness {
    pub begins: oneshot::Receiver<()>,
    pub ends: channel::Receiver<()>,
}

impl Witness {
    /// One for commands in `folder`.
    pub fn new(folder: &Folder) -> Self {
        let path = folder.fifo("alive");
        let (begun, begins) = oneshot::channel();
        let (ended, ends) = channel::channel();
        std::thread::spawn(move || {
            // Opening waits for the first writer, and reading ends with the last.
            let mut file = std::fs::File::open(path).expect("it is there");
            let _ = begun.send(());
            let _ = file.read_to_end(&mut Vec::new());
            let _ = ended.send(());
        });
        Self { begins, ends }
    }

    /// Waits until a process has opened the file.
    pub async fn begins(&mut self) {
        in_time(&mut self.begins).await.expect("the thread waits");
    }

    /// Waits until no process has it open any more.
    #[track_caller]
    pub fn ends(self, or_else: &str) {
        let ended = self.ends.recv_timeout(PATIENCE);
        assert!(ended.is_ok(), "{or_else}; a process is still alive");
    }
}

#[track_caller]
pub fn pid(line: &str) -> Pid {
    let number = line.trim().parse().ok();
    let number = number.and_then(Pid::from_raw);
    number.unwrap_or_else(|| panic!("a shell writes its number first, and not {line:?}"))
}

/// Waits until no process has this number; a zombie still has it.
#[track_caller]
pub fn assert_gone(pid: Pid, or_else: &str) {
    let until = Instant::now() + PATIENCE;
    while test_kill_process(pid).is_ok() {
        assert!(Instant::now() < until, "{or_else}; it is still there");
        std::thread::sleep(Duration::from_millis(1));
    }
}

pub async fn read(pipe: &mut Receiver) -> String {
    let mut text = String::new();
    let read = timeout(PATIENCE, pipe.read_to_string(&mut text)).await;
    let read = read.unwrap_or_else(|_| {
        panic!("the pipe does not end: who can still write to it? So far: {text:?}")
    });
    read.expect("it can be read");
    text
}

/// The first line that comes.
pub async fn line(pipe: &mut Receiver) -> String {
    let mut bytes = Vec::new();
    while bytes.last() != Some(&b'\n') {
        bytes.push(in_time(pipe.read_u8()).await.expect("a line comes first"));
    }
    String::from_utf8(bytes).expect("it is text")
}

pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new() -> Self {
        let path = std::env::temp_dir().join(format!("claw-ch7-{}", uuid::Uuid::new_v4()));
        std::fs::create_dir_all(&path).expect("a new folder among the temporary files");
        Self(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).expect("it has been written")
    }

    /// A new pipe with a name: what is written to it can be read from it elsewhere.
    pub fn fifo(&self, name: &str) -> PathBuf {
        let path = self.0.join(name);
        if path.exists() {
            std::fs::remove_file(&path).expect("it is ours");
        }
        let made = Command::new("mkfifo").arg(&path).status();
        assert!(made.is_ok_and(|it| it.success()), "mkfifo is on every Unix");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
