//! Runs cargo and test programs. Reads their output while they run, stops them when they
//! hang, and kills their process groups when the runner is interrupted.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::command::not_started;

/// The running process groups. An interrupt kills them.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// The number of calls of [`kill_running`].
static KILLS: AtomicUsize = AtomicUsize::new(0);

/// A number that changes with each [`kill_running`]. A run that starts several processes
/// compares it before each one, and stops if it has changed.
pub fn kills() -> usize {
    KILLS.load(Ordering::SeqCst)
}

/// Kills all running process groups. Their runs end with an error.
pub fn kill_running() {
    KILLS.fetch_add(1, Ordering::SeqCst);
    let running = RUNNING
        .lock()
        .map(|mut running| std::mem::take(&mut *running));
    running.unwrap_or_default().into_iter().for_each(kill_group);
}

/// The output and exit status of a program.
pub struct Output {
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
    /// Whether it was killed because its tests hung.
    pub hung: bool,
    /// Its exit status.
    pub status: ExitStatus,
}

/// Runs a command. With `timeout`, kills it when no test finishes for that long. Calls
/// `on_progress` with the number of tests that have finished.
pub fn follow(
    command: &mut Command,
    timeout: Option<Duration>,
    on_progress: &mut impl FnMut(usize),
) -> Result<Output> {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    own_group(command);
    let mut child = command.spawn().map_err(not_started)?;
    if let Ok(mut running) = RUNNING.lock() {
        running.insert(child.id());
    }
    if timeout.is_some() {
        limit_memory(child.id());
    }
    let output = collect(&mut child, timeout, on_progress);
    let interrupted = RUNNING
        .lock()
        .is_ok_and(|mut running| !running.remove(&child.id()));
    let (stdout, stderr, hung) = output?;
    let status = child
        .wait()
        .context("cannot wait for the tests to finish")?;
    ensure!(!interrupted, "the run was interrupted");
    Ok(Output {
        stdout,
        stderr,
        hung,
        status,
    })
}

fn collect(
    child: &mut Child,
    timeout: Option<Duration>,
    on_progress: &mut impl FnMut(usize),
) -> Result<(String, String, bool)> {
    let stdout = child.stdout.take().context("cargo has no output")?;
    let stderr = child.stderr.take().context("cargo has no standard error")?;
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
        // Compilation has no time limit; only tests can hang.
        let wait = timeout.filter(|_| testing).unwrap_or(FOREVER);
        match lines.recv_timeout(wait) {
            Ok(line) => {
                testing |= line.starts_with("running ");
                if line.starts_with("test ") && line.contains(" ... ") {
                    ended += 1;
                    on_progress(ended);
                }
                text.push_str(&line);
            }
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                hung = true;
                kill_group(child.id());
                let _ = child.kill();
                // The last line names the test that hangs. It has no line break yet.
                while let Ok(line) = lines.recv_timeout(REMAINING_OUTPUT) {
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
        // An error means that the group has already ended.
        let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_id: u32) {}

/// Limits the memory of a process and of its children to [`MOST_MEMORY`] each. A loop that
/// allocates without end then fails its test and does not freeze the machine.
#[cfg(target_os = "linux")]
fn limit_memory(id: u32) {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    let pid = i32::try_from(id).ok().and_then(Pid::from_raw);
    let limit = Rlimit {
        current: Some(MOST_MEMORY),
        maximum: Some(MOST_MEMORY),
    };
    // If the limit cannot be set, tests run as under a plain `cargo test`.
    let _ = pid.map(|pid| prlimit(Some(pid), Resource::Data, limit));
}

#[cfg(not(target_os = "linux"))]
fn limit_memory(_id: u32) {}

/// In bytes.
#[cfg(target_os = "linux")]
const MOST_MEMORY: u64 = 3 << 30;

/// How long to wait for the remaining output of a killed process.
const REMAINING_OUTPUT: Duration = Duration::from_secs(1);
/// Stands in for no time limit.
const FOREVER: Duration = Duration::from_secs(24 * 3600);
