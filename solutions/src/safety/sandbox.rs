//! A sandbox for commands, held by the operating system.

use std::io;
use std::path::{Path, PathBuf};

/// What the system can forbid a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SandboxLevel {
    /// Nothing: there is no sandbox.
    None,
    /// To write outside of its folders.
    Files,
    /// To write outside of its folders, and to use TCP.
    FilesAndNetwork,
}

/// Folders in which a command may write. It may write nowhere else, but may read everywhere.
#[derive(Debug, Clone, PartialEq)]
pub struct Sandbox {
    writable: Vec<PathBuf>,
}

impl Sandbox {
    /// A sandbox with these writable folders. Each must exist when it is used.
    pub fn new(writable: impl IntoIterator<Item = PathBuf>) -> Self {
        Self {
            writable: writable.into_iter().collect(),
        }
    }

    /// The level that this system can enforce.
    pub fn level() -> SandboxLevel {
        Self::new([])
            .run(|| ())
            .map_or(SandboxLevel::None, |(level, ())| level)
    }

    /// Does `work` on a new thread which, with all processes that it starts, is restricted for
    /// good. Returns the level that the system enforces, and the result of `work`.
    ///
    /// It is an error, and `work` is not done, if the level is [`SandboxLevel::None`] or a
    /// folder can't be opened. The calling thread is not restricted. It waits for `work`.
    pub fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> io::Result<(SandboxLevel, T)> {
        let restricted = || match restrict(&self.writable)? {
            SandboxLevel::None => Err(io::Error::other("this system has no sandbox")),
            level => Ok((level, work())),
        };
        std::thread::scope(|scope| match scope.spawn(restricted).join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        })
    }
}

/// Restricts the calling thread with `restrict_thread` on Linux. No other system has Landlock.
fn restrict(writable: &[PathBuf]) -> io::Result<SandboxLevel> {
    #[cfg(target_os = "linux")]
    {
        restrict_thread(writable)
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = writable;
        Ok(SandboxLevel::None)
    }
}

/// The file to which a command may write, besides its folders.
const NULL_DEVICE: &str = "/dev/null";

/// Forbids the calling thread to write outside of these folders and of `/dev/null`, to use TCP,
/// and to signal processes outside of the sandbox, as far as the system can. Returns what it
/// can: [`SandboxLevel::Files`] needs control over truncation, so Landlock's version must be 3
/// or higher, and [`SandboxLevel::FilesAndNetwork`] needs version 4.
#[cfg(target_os = "linux")]
fn restrict_thread(writable: &[PathBuf]) -> io::Result<SandboxLevel> {
    use landlock::{
        ABI, Access, AccessFs, AccessNet, LandlockStatus, PathBeneath, PathFd, Ruleset,
        RulesetAttr, RulesetCreatedAttr, Scope,
    };
    let newest = ABI::V10;
    let writing = AccessFs::from_write(newest);
    let mut ruleset = Ruleset::default()
        .handle_access(writing)
        .and_then(|it| it.handle_access(AccessNet::from_all(newest)))
        .and_then(|it| it.scope(Scope::from_all(newest)))
        .and_then(|it| it.create())
        .map_err(io::Error::other)?;
    let null_device = (Path::new(NULL_DEVICE), AccessFs::WriteFile.into());
    let folders = writable.iter().map(|folder| (folder.as_path(), writing));
    for (path, access) in folders.chain([null_device]) {
        let opened = PathFd::new(path).map_err(io::Error::other)?;
        let rule = PathBeneath::new(opened, access);
        ruleset = ruleset.add_rule(rule).map_err(io::Error::other)?;
    }
    let status = ruleset.restrict_self().map_err(io::Error::other)?;
    Ok(match status.landlock {
        LandlockStatus::Available { effective_abi, .. } if effective_abi >= ABI::V4 => {
            SandboxLevel::FilesAndNetwork
        }
        LandlockStatus::Available { effective_abi, .. } if effective_abi >= ABI::V3 => {
            SandboxLevel::Files
        }
        _ => SandboxLevel::None,
    })
}
