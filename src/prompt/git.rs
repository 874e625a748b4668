//! The git state of a folder.

use std::ffi::OsString;
use std::fmt;
use std::io::ErrorKind;
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::Duration;

use tokio::process::Command;

/// The git state of a folder.
#[derive(Debug, Clone, PartialEq)]
pub enum GitState {
    /// Git is not installed on this machine.
    NotInstalled,
    /// The folder is not inside a repository.
    NoRepository,
    /// The folder is inside a repository.
    Repository {
        /// The branch that is checked out. `None` when HEAD is detached.
        branch: Option<String>,
        /// The full id of the commit that is checked out. `None` before the first commit.
        commit: Option<String>,
        /// The number of files that differ from that commit. An untracked file counts, and
        /// a folder of untracked files counts as one.
        changes: usize,
    },
    /// Git gave no usable answer. The text is the reason.
    Unknown(String),
}

/// The git program, and how long it may take.
#[derive(Debug, Clone)]
pub struct Git {
    /// The path or name of the program.
    pub program: OsString,
    /// The time limit for one command. A repository on a slow disk must not keep the agent
    /// from starting.
    pub limit: Duration,
}

impl Default for Git {
    /// The `git` on the `PATH`, with a limit of two seconds.
    fn default() -> Self {
        Self {
            program: "git".into(),
            limit: Duration::from_secs(2),
        }
    }
}

impl Git {
    /// Runs `git status` in `folder` and returns a state in every case, within the limit. A
    /// git that takes longer is killed.
    ///
    /// - The program does not exist: [`GitState::NotInstalled`].
    /// - The program can't start for another reason: [`GitState::Unknown`] with the system's
    ///   error.
    /// - Git fails and its error output contains `not a git repository`:
    ///   [`GitState::NoRepository`].
    /// - Git fails in another way: [`GitState::Unknown`] with the first line of its error
    ///   output, or with any reason if that output is empty.
    /// - Git succeeds: the state that [`GitState::parse`] reads from its output.
    /// - The limit passes: [`GitState::Unknown`] with `no answer within 2s`, where the limit
    ///   is written as [`Duration`]'s `Debug` writes it.
    ///
    /// Output that is not UTF-8 is converted as [`String::from_utf8_lossy`] does it.
    pub async fn state(&self, folder: &Path) -> GitState {
        todo!("running-git: write Git::state")
    }

    /// The command `git status` in `folder`, in its machine-readable format: header lines
    /// first, then one line per change.
    fn status(&self, folder: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command
            // A repository's `core.fsmonitor` can name a program, and `git status` would run
            // it. A user who opens an agent in a folder has not agreed to that. (The SECURITY
            // section of git's manual lists more such settings.) Without optional locks,
            // this command never delays a commit.
            .args(["-c", "core.fsmonitor=false", "--no-optional-locks"])
            .arg("-C")
            .arg(folder)
            .args([
                "status",
                "--porcelain=v2",
                "--branch",
                "--untracked-files=normal",
            ])
            .stdin(Stdio::null())
            .env("LC_ALL", "C")
            .kill_on_drop(true);
        // In a git hook, these variables point to the hook's repository.
        for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
            command.env_remove(variable);
        }
        command
    }
}

impl GitState {
    /// Parses the output of `git status --porcelain=v2 --branch`. Output without the header
    /// `branch.head` gives [`Unknown`](Self::Unknown) with a reason. Without the header
    /// `branch.oid`, the commit is `None`.
    pub fn parse(status: &str) -> Self {
        todo!("parsing-git-status: write GitState::parse")
    }
}

/// A text for the line `Git: …` of the prompt:
///
/// - `not installed`
/// - `not a repository`
/// - `branch main, no changes`, `branch main, 1 file changed`, `branch main, 3 files changed`
/// - `no branch, at commit 1a2b3c4, no changes`, with seven digits of the id
/// - `branch main, no commits yet, 3 files changed`
/// - `no branch, no commits yet, no changes`
/// - `unknown (no answer within 2s)`
impl fmt::Display for GitState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        todo!("git-state-as-text: write GitState::fmt")
    }
}
