//! Processes that run tests: followed while they print, ended when they hang, and
//! killed with all they started when the runner is interrupted.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::not_started;

/// The process groups that are running, so that an interrupt can end them.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// How often [`kill_running`] was called.
static KILLS: AtomicUsize = AtomicUsize::new(0);

/// A number that changes with each [`kill_running`]: whoever is between two processes of a
/// run then knows that the second is not wanted any more.
pub fn kills() -> usize {
    KILLS.load(Ordering::SeqCst)
}

/// Ends the runs that are under way, with everything they started. They have no outcome then.
pub fn kill_running() {
    KILLS.fetch_add(1, Ordering::SeqCst);
    let running = RUNNING
        .lock()
        .map(|mut running| std::mem::take(&mut *running));
    running.unwrap_or_default().into_iter().for_each(kill_group);
}

/// What a program printed, and how it ended.
pub struct Output {
    /// Its standard output.
    pub stdout: String,
    /// Its error output.
    pub stderr: String,
    /// Whether it was ended because its tests hung.
    pub hung: bool,
    /// How it ended.
    pub status: ExitStatus,
}

/// Runs a command to its end, or ends it when its tests hang: when none has come to
/// an end for as long as `patience`.
pub fn follow(
    command: &mut Command,
    patience: Option<Duration>,
    news: &mut impl FnMut(usize),
) -> Result<Output> {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    own_group(command);
    let mut child = command.spawn().map_err(not_started)?;
    if let Ok(mut running) = RUNNING.lock() {
        running.insert(child.id());
    }
    if patience.is_some() {
        limit_memory(child.id());
    }
    let output = collect(&mut child, patience, news);
    let broken_off = RUNNING
        .lock()
        .is_ok_and(|mut running| !running.remove(&child.id()));
    let (stdout, stderr, hung) = output?;
    let status = child.wait().context("cannot wait for the tests to end")?;
    ensure!(!broken_off, "the run was broken off");
    Ok(Output {
        stdout,
        stderr,
        hung,
        status,
    })
}

fn collect(
    child: &mut Child,
    patience: Option<Duration>,
    news: &mut impl FnMut(usize),
) -> Result<(String, String, bool)> {
    let stdout = child.stdout.take().context("cargo has no output")?;
    let stderr = child.stderr.take().context("cargo has no error output")?;
    let errors = thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = BufReader::new(stderr).read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    });
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        let mut reader = BufReader::new(stdout);
        let mut line = Vec::new();
        while matches!(reader.read_until(b'\n', &mut line), Ok(n) if n > 0) {
            if sender
                .send(String::from_utf8_lossy(&line).into_owned())
                .is_err()
            {
                break;
            }
            line.clear();
        }
    });
    let mut text = String::new();
    let mut ended = 0;
    let mut testing = false;
    let mut hung = false;
    loop {
        // Compiling may take as long as it takes; only tests can hang.
        let wait = patience.filter(|_| testing).unwrap_or(FOREVER);
        match lines.recv_timeout(wait) {
            Ok(line) => {
                testing |= line.starts_with("running ");
                if line.starts_with("test ") && line.contains(" ... ") {
                    ended += 1;
                    news(ended);
                }
                text.push_str(&line);
            }
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                hung = true;
                kill_group(child.id());
                let _ = child.kill();
                // The name of the test that hangs has been printed, and no end of its line.
                while let Ok(line) = lines.recv_timeout(LAST_WORDS) {
                    text.push_str(&line);
                }
                break;
            }
        }
    }
    let errors = errors.join().unwrap_or_default();
    Ok((text, errors, hung))
}

#[cfg(unix)]
fn own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
fn own_group(_command: &mut Command) {}

#[cfg(unix)]
fn kill_group(id: u32) {
    let pid = i32::try_from(id)
        .ok()
        .and_then(rustix::process::Pid::from_raw);
    if let Some(pid) = pid {
        // It may have ended by itself a moment ago: that is as good.
        let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_id: u32) {}

/// Gives a process, and all that it starts, no more than [`MOST_MEMORY`] each. A loop that
/// grows without end then ends its test, and not the learner's session.
#[cfg(target_os = "linux")]
fn limit_memory(id: u32) {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    let pid = i32::try_from(id).ok().and_then(Pid::from_raw);
    let limit = Rlimit {
        current: Some(MOST_MEMORY),
        maximum: Some(MOST_MEMORY),
    };
    // Where it can't be set, tests run as they would under a plain `cargo test`.
    let _ = pid.map(|pid| prlimit(Some(pid), Resource::Data, limit));
}

#[cfg(not(target_os = "linux"))]
fn limit_memory(_id: u32) {}

/// In bytes.
#[cfg(target_os = "linux")]
const MOST_MEMORY: u64 = 3 << 30;

/// How long to wait for what a process that was killed had printed.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// Compiling may take as long as it takes; only tests can hang.
const FOREVER: Duration = Duration::from_secs(24 * 3600);
