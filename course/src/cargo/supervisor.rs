//! A process between the runner and a test program. When the tests end, when the runner stops
//! them, and when the runner itself ends, it kills every process that the tests have started.
//!
//! Killing the test program's process group would not do that: a test of a shell tool starts
//! shells in groups of their own, and they survive the test program. On Linux this process
//! adopts them. Elsewhere it can only kill the group.

use std::ffi::OsString;
use std::io::{self, Read};
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread;
use std::time::Duration;

use super::command::copy_surroundings;
use super::limits::Limits;
use super::process_group::{kill_group, own_group};

/// The runner's first argument that makes it a supervisor. The most bytes of memory and of a file,
/// the test program and its arguments follow.
const SUPERVISE: &str = "--supervise";

/// The command that runs `program` under a supervisor. Its standard input must be a pipe that
/// stays open until the tests should end. With `limits`, the program gets their environment and
/// its own variables. In a `sandbox`, the supervisor is in it, too.
pub fn supervised(program: &Command, limits: Option<&Limits>, sandbox: &[OsString]) -> Command {
    let mut command = match (std::env::current_exe(), sandbox) {
        (Ok(runner), [start, arguments @ ..]) => {
            let mut command = Command::new(start);
            command.args(arguments).arg(runner);
            command
        }
        // The name of a running program that was built again is not valid anymore.
        (Ok(_), []) if cfg!(target_os = "linux") => Command::new("/proc/self/exe"),
        (Ok(runner), []) => Command::new(runner),
        (Err(_), _) => Command::new("cargo-course"),
    };
    let (memory, file) = limits.map_or((MOST_MEMORY, u64::MAX), |limits| {
        command.env_clear().envs(limits.environment.iter().cloned());
        (limits.memory, limits.file)
    });
    command
        .arg(SUPERVISE)
        .arg(memory.to_string())
        .arg(file.to_string())
        .arg(program.get_program())
        .args(program.get_args())
        .stdin(Stdio::piped());
    copy_surroundings(program, &mut command);
    command
}

/// Supervises a test program if the process was started for it. Returns the exit code then.
pub fn supervise_if_asked() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next()? != SUPERVISE {
        return None;
    }
    Some(match supervise(arguments) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("the test program cannot be started: {error}");
            ExitCode::FAILURE
        }
    })
}

/// Returns the test program's exit code.
fn supervise(mut arguments: impl Iterator<Item = OsString>) -> io::Result<u8> {
    adopt_orphans();
    let mut number = || arguments.next()?.to_str()?.parse().ok();
    limit(
        number().unwrap_or(MOST_MEMORY),
        number().unwrap_or(u64::MAX),
    );
    let mut command = Command::new(arguments.next().unwrap_or_default());
    command.args(arguments).stdin(Stdio::null());
    own_group(&mut command);
    let child = command.spawn()?;
    let group = child.id();
    thread::spawn(move || {
        // Ends when the runner closes the pipe or ends.
        let _ = io::stdin().read_to_end(&mut Vec::new());
        kill_group(group);
        kill_descendants();
        std::process::exit(i32::from(KILLED));
    });
    let code = wait_for(child);
    kill_group(group);
    kill_descendants();
    code
}

/// Waits for the test program. Adopted processes that end meanwhile are waited for, too: until
/// then, a test that asks whether they still exist would be told so.
#[cfg(target_os = "linux")]
fn wait_for(child: Child) -> io::Result<u8> {
    use rustix::process::{WaitOptions, wait};
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((id, status))) if id.as_raw_nonzero().get().cast_unsigned() == child.id() => {
                let signal = || status.terminating_signal().map(|signal| 128 + signal);
                let code = status.exit_status().or_else(signal);
                return Ok(code
                    .and_then(|code| u8::try_from(code).ok())
                    .unwrap_or(KILLED));
            }
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn wait_for(mut child: Child) -> io::Result<u8> {
    let code = child.wait()?.code();
    Ok(code
        .and_then(|code| u8::try_from(code).ok())
        .unwrap_or(KILLED))
}

/// Makes this process the parent of each descendant whose own parent ends.
#[cfg(target_os = "linux")]
pub fn adopt_orphans() {
    // Without it, only the process group is killed in the end.
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
}

/// Does nothing on this system.
#[cfg(not(target_os = "linux"))]
pub fn adopt_orphans() {}

/// Kills children until there are none. Each that ends leaves its own children to this process.
#[cfg(target_os = "linux")]
pub fn kill_descendants() {
    use rustix::process::{Signal, WaitOptions, kill_process, wait};
    loop {
        let children = children_of(std::process::id());
        if children.is_empty() {
            return;
        }
        for child in children {
            // An error means that it has ended.
            let _ = kill_process(child, Signal::KILL);
        }
        while matches!(wait(WaitOptions::NOHANG), Ok(Some(_))) {}
        thread::yield_now();
    }
}

/// Does nothing on this system.
#[cfg(not(target_os = "linux"))]
pub fn kill_descendants() {}

/// The time for which a test of the supervisor `id` has computed, the longest of those that run.
/// libtest gives each test a thread with its name. `None` if the system does not tell.
#[cfg(target_os = "linux")]
pub fn computing_time(id: u32) -> Option<Duration> {
    // The supervisor adopts others later.
    let program = children_of(id)
        .into_iter()
        .min_by_key(|child| child.as_raw_nonzero())?;
    let threads = std::fs::read_dir(format!("/proc/{}/task", program.as_raw_nonzero())).ok()?;
    let ticks_of = |stat: &str| -> Option<u64> {
        let (name, _) = stat.rsplit_once(')')?;
        let mut fields = fields_of(stat)?.skip(11);
        let mut ticks = || fields.next()?.parse::<u64>().ok();
        name.contains("::").then_some(ticks()? + ticks()?)
    };
    let stats = threads.filter_map(|thread| {
        let stat = thread.ok()?.path().join("stat");
        std::fs::read_to_string(stat).ok()
    });
    let most = stats.filter_map(|stat| ticks_of(&stat)).max()?;
    let milliseconds = most * 1000 / rustix::param::clock_ticks_per_second();
    Some(Duration::from_millis(milliseconds))
}

#[cfg(not(target_os = "linux"))]
pub fn computing_time(_id: u32) -> Option<Duration> {
    None
}

/// The fields of a process's `stat` after its name: its state, its parent, and more.
#[cfg(target_os = "linux")]
fn fields_of(stat: &str) -> Option<std::str::SplitWhitespace<'_>> {
    // `1234 (name) S 1`
    let (_, fields) = stat.rsplit_once(')')?;
    Some(fields.split_whitespace())
}

/// The children of the process with the id `parent`.
#[cfg(target_os = "linux")]
fn children_of(parent: u32) -> Vec<rustix::process::Pid> {
    use rustix::process::Pid;
    let parent = parent.to_string();
    let Ok(processes) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    let ids = processes.filter_map(|process| process.ok()?.file_name().to_str()?.parse().ok());
    let is_child = |id: &i32| {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        let own_parent = fields_of(&stat).and_then(|mut fields| fields.nth(1));
        own_parent == Some(parent.as_str())
    };
    ids.filter(is_child).filter_map(Pid::from_raw).collect()
}

/// Limits the memory of this process and of its descendants to `memory` bytes each, and the files
/// that they write to `file` bytes each. A loop that allocates without end then fails its test and
/// does not freeze the machine.
#[cfg(target_os = "linux")]
fn limit(memory: u64, file: u64) {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let both = |most| Rlimit {
        current: Some(most),
        maximum: Some(most),
    };
    // If a limit cannot be set, tests run as under a plain `cargo test`.
    let _ = setrlimit(Resource::Data, both(memory));
    if file < u64::MAX {
        let _ = setrlimit(Resource::Fsize, both(file));
    }
}

#[cfg(not(target_os = "linux"))]
fn limit(_memory: u64, _file: u64) {}

/// In bytes.
const MOST_MEMORY: u64 = 3 << 30;

/// The exit code for tests that were stopped.
const KILLED: u8 = 137;
