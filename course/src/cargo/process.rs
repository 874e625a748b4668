//! Starts cargo and test programs, collects their output while they run, and stops them when they
//! hang or when the runner is interrupted.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use super::command::not_started;
use super::process_group::{kill_group, own_group};
use super::progress::Step;
use super::supervisor::computing_time;

/// The running processes. Cargo is the leader of a process group; a supervisor of tests has a
/// pipe, and ends them when that is closed.
static RUNNING: Mutex<BTreeMap<u32, Option<ChildStdin>>> = Mutex::new(BTreeMap::new());

/// The number of calls of [`kill_running`].
static KILLS: AtomicUsize = AtomicUsize::new(0);

/// A number that changes with each [`kill_running`]. A run that starts several processes
/// compares it before each one, and stops if it has changed.
pub fn kills() -> usize {
    KILLS.load(Ordering::SeqCst)
}

/// Stops all running processes with everything that they have started. Their runs end with an
/// error.
pub fn kill_running() {
    KILLS.fetch_add(1, Ordering::SeqCst);
    let running = RUNNING
        .lock()
        .map(|mut running| std::mem::take(&mut *running));
    for (id, pipe) in running.unwrap_or_default() {
        stop(id, pipe);
    }
}

/// A supervisor stops when its pipe is dropped.
fn stop(id: u32, pipe: Option<ChildStdin>) {
    if pipe.is_none() {
        kill_group(id);
    }
}

/// The output and exit status of a program.
#[derive(Debug)]
pub struct Output {
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
    /// Whether it was stopped because its tests hung, or at a time limit.
    pub hung: bool,
    /// Its exit status.
    pub status: ExitStatus,
}

/// Runs cargo, or a supervised test program that lists its tests. Calls `on_stderr` with each part
/// of the standard error. Stops the program at `end`.
pub fn run(
    command: &mut Command,
    end: Option<Instant>,
    mut on_stderr: impl FnMut(&str),
) -> Result<Output> {
    let mut process = Process::start(command)?;
    while process.read(&mut on_stderr) {
        if is_over(end) {
            return process.end(true);
        }
    }
    process.end(false)
}

/// Whether a time limit has passed.
pub fn is_over(end: Option<Instant>) -> bool {
    end.is_some_and(|end| Instant::now() >= end)
}

/// Runs a supervised test program that writes a line to the file `log` for each test that has
/// finished. Calls `on_progress` after each test, and each second in which none finishes. Stops the
/// program at `end`, and when no test finishes for `budget`, or until one has computed for `computing`.
pub fn run_tests(
    program: &mut Command,
    log: &Path,
    budget: Duration,
    computing: Duration,
    end: Option<Instant>,
    on_progress: &mut dyn FnMut(Step),
) -> Result<Output> {
    let mut process = Process::start(program)?;
    let mut log = File::open(log).context("cannot read the log of the tests")?;
    let mut finished = 0;
    let mut last = Instant::now();
    let mut seconds = 0;
    let mut new = Vec::new();
    while process.read(&mut |_| {}) {
        new.clear();
        log.read_to_end(&mut new)?;
        let lines = new.iter().filter(|byte| **byte == b'\n').count();
        if is_over(end) {
            return process.end(true);
        } else if lines > 0 {
            finished += lines;
            last = Instant::now();
            seconds = 0;
            on_progress(Step::Testing(finished));
            continue;
        }
        let waited = last.elapsed();
        if waited > budget {
            return process.end(true);
        }
        if waited.as_secs() > seconds {
            seconds = waited.as_secs();
            if computing_time(process.child.id()).is_some_and(|time| time > computing) {
                return process.end(true);
            }
            on_progress(Step::Stalled {
                finished,
                waited: seconds,
                limit: budget.as_secs(),
            });
        }
    }
    process.end(false)
}

/// A running process.
struct Process {
    child: Child,
    parts: Receiver<Part>,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

/// A part of a process's output.
enum Part {
    Stdout(Vec<u8>),
    Stderr(Vec<u8>),
}

impl Process {
    fn start(command: &mut Command) -> Result<Self> {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        own_group(command);
        // Locked until the process is in the list, so that `kill_running` does not miss it.
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        let mut child = command.spawn().map_err(not_started)?;
        running.insert(child.id(), child.stdin.take());
        drop(running);
        let (sender, parts) = mpsc::channel();
        let stdout = child.stdout.take().context("a process has no output")?;
        let stderr = child.stderr.take().context("a process has no errors")?;
        forward(stdout, sender.clone(), Part::Stdout);
        forward(stderr, sender, Part::Stderr);
        Ok(Self {
            child,
            parts,
            stdout: Vec::new(),
            stderr: Vec::new(),
        })
    }

    /// Waits a moment for output. Returns `false` when the process has ended.
    fn read(&mut self, on_stderr: &mut impl FnMut(&str)) -> bool {
        match self.parts.recv_timeout(POLL) {
            Ok(part) => {
                if let Part::Stderr(text) = &part {
                    on_stderr(&String::from_utf8_lossy(text));
                }
                self.keep(part);
            }
            Err(RecvTimeoutError::Disconnected) => return false,
            // A process that it started can keep the output open.
            Err(RecvTimeoutError::Timeout) => return matches!(self.child.try_wait(), Ok(None)),
        }
        true
    }

    /// Keeps a part of the output, unless there is too much of it.
    fn keep(&mut self, part: Part) {
        let (output, part) = match part {
            Part::Stdout(part) => (&mut self.stdout, part),
            Part::Stderr(part) => (&mut self.stderr, part),
        };
        if output.len() < MOST_OUTPUT {
            output.extend(part);
        }
    }

    /// Waits for the end of the process, after stopping it if it has `hung`.
    fn end(mut self, hung: bool) -> Result<Output> {
        let id = self.child.id();
        if hung && let Some(pipe) = remove(id) {
            stop(id, pipe);
        }
        let status = self
            .child
            .wait()
            .context("cannot wait for the tests to finish")?;
        let interrupted = remove(id).is_none() && !hung;
        let end = Instant::now() + REMAINING_OUTPUT;
        while let Ok(part) = self
            .parts
            .recv_timeout(end.saturating_duration_since(Instant::now()))
        {
            self.keep(part);
        }
        ensure!(!interrupted, INTERRUPTED);
        Ok(Output {
            stdout: String::from_utf8_lossy(&self.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&self.stderr).into_owned(),
            hung,
            status,
        })
    }
}

/// Takes a process out of [`RUNNING`]. `None` if it was interrupted.
fn remove(id: u32) -> Option<Option<ChildStdin>> {
    RUNNING.lock().ok()?.remove(&id)
}

/// Reads `from` on another thread and sends its parts.
fn forward(mut from: impl Read + Send + 'static, to: Sender<Part>, part: fn(Vec<u8>) -> Part) {
    thread::spawn(move || {
        let mut buffer = [0; 8192];
        loop {
            match from.read(&mut buffer) {
                Ok(0) => return,
                Ok(size) if to.send(part(buffer[..size].to_vec())).is_err() => return,
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    });
}

/// The number of bytes of each output that are kept. A loop that prints would fill the memory.
const MOST_OUTPUT: usize = 64 << 20;
/// How long to wait for output before looking at the log of the tests.
const POLL: Duration = Duration::from_millis(10);
/// How long to wait for the remaining output of a process that has ended.
const REMAINING_OUTPUT: Duration = Duration::from_secs(1);

/// The error of a run that [`kill_running`] has ended.
pub(super) const INTERRUPTED: &str = "the run was interrupted";
