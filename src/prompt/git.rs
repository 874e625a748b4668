//! What git says of a folder.

use std::ffi::OsString;
use std::fmt;
use std::io::ErrorKind;
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::Duration;

use tokio::process::Command;

/// What git says of a folder.
#[derive(Debug, Clone, PartialEq)]
pub enum GitState {
    /// There is no git on this machine.
    NotInstalled,
    /// The folder is in no repository.
    NoRepository,
    /// The folder is in a repository.
    Repository {
        /// The branch that is checked out; `None` for a commit without one.
        branch: Option<String>,
        /// The commit that is checked out, in full; `None` before the first.
        commit: Option<String>,
        /// How many files differ from that commit. A file that git does not know counts
        /// too; a folder of such files counts as one.
        changes: usize,
    },
    /// Git gave no answer that could be used, for this reason.
    Unknown(String),
}

/// How git is asked.
#[derive(Debug, Clone)]
pub struct Git {
    /// The program.
    pub program: OsString,
    /// How long it may take. A repository on a slow disk must not keep an agent from
    /// starting.
    pub limit: Duration,
}

impl Default for Git {
    /// The `git` that is found on the path, and two seconds.
    fn default() -> Self {
        Self {
            program: "git".into(),
            limit: Duration::from_secs(2),
        }
    }
}

impl Git {
    /// Asks git about `folder`. There is always an answer, within the limit; a git that
    /// takes longer is killed.
    ///
    /// - A program that does not exist is [`GitState::NotInstalled`].
    /// - A failure whose words contain `not a git repository` is
    ///   [`GitState::NoRepository`]; any other is unknown, for the first line of its words.
    /// - Success is read by [`GitState::parse`].
    /// - No answer in time is unknown, for the reason `no answer within 2s`, or `60ms`: the
    ///   limit as [`Duration`]'s `Debug` writes it.
    pub async fn state(&self, folder: &Path) -> GitState {
        todo!("5.8: write Git::state")
    }

    /// `git status` in `folder`, for programs: one line a change, headers before them.
    fn status(&self, folder: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command
            // A repository may name a program in `core.fsmonitor`, which `git status` would
            // run: a user who only looks into a folder has not agreed to that. (Git's manual,
            // under SECURITY, warns of others.) Nor should a lock of ours delay a commit.
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
        // Inside a hook of git's, these name the repository of the hook.
        for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
            command.env_remove(variable);
        }
        command
    }
}

impl GitState {
    /// Reads what `git status --porcelain=v2 --branch` has written. Without the header
    /// `branch.head` it is no such text, and unknown for that reason.
    pub fn parse(status: &str) -> Self {
        todo!("5.6: write GitState::parse")
    }
}

/// In words that fit behind `Git: `:
///
/// - `not installed`
/// - `not a repository`
/// - `branch main, no changes`, `branch main, 1 file changed`, `branch main, 3 files changed`
/// - `no branch, at commit 1a2b3c4, no changes`, with the first seven digits
/// - `branch main, no commits yet, 3 files changed`
/// - `unknown (no answer within 2s)`
impl fmt::Display for GitState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        todo!("5.7: write GitState::fmt")
    }
}
