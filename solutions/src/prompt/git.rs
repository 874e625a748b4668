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
        let answer = tokio::time::timeout(self.limit, self.status(folder).output()).await;
        let output = match answer {
            Err(_) => return GitState::Unknown(format!("no answer within {:?}", self.limit)),
            Ok(Err(error)) if error.kind() == ErrorKind::NotFound => return GitState::NotInstalled,
            Ok(Err(error)) => return GitState::Unknown(error.to_string()),
            Ok(Ok(output)) => output,
        };
        let Output {
            status,
            stdout,
            stderr,
        } = output;
        let error = String::from_utf8_lossy(&stderr);
        if status.success() {
            GitState::parse(&String::from_utf8_lossy(&stdout))
        } else if error.contains("not a git repository") {
            GitState::NoRepository
        } else {
            GitState::Unknown(error.lines().next().unwrap_or("git failed").to_string())
        }
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
        let header = |name: &str| {
            let mut lines = status.lines();
            lines.find_map(|line| {
                line.strip_prefix("# ")?
                    .strip_prefix(name)?
                    .strip_prefix(' ')
            })
        };
        let Some(head) = header("branch.head") else {
            return Self::Unknown("git status has no line branch.head".to_string());
        };
        let commit = header("branch.oid").filter(|oid| *oid != "(initial)");
        Self::Repository {
            branch: Some(head)
                .filter(|head| *head != "(detached)")
                .map(str::to_string),
            commit: commit.map(str::to_string),
            changes: status.lines().filter(|line| !line.starts_with('#')).count(),
        }
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
        let (branch, commit, changes) = match self {
            Self::NotInstalled => return write!(f, "not installed"),
            Self::NoRepository => return write!(f, "not a repository"),
            Self::Unknown(reason) => return write!(f, "unknown ({reason})"),
            Self::Repository {
                branch,
                commit,
                changes,
            } => (branch, commit, changes),
        };
        match branch {
            Some(branch) => write!(f, "branch {branch}, ")?,
            None => write!(f, "no branch, ")?,
        }
        match (branch, commit) {
            (_, None) => write!(f, "no commits yet, ")?,
            (None, Some(commit)) => write!(f, "at commit {commit:.7}, ")?,
            (Some(_), Some(_)) => {}
        }
        match changes {
            0 => write!(f, "no changes"),
            1 => write!(f, "1 file changed"),
            many => write!(f, "{many} files changed"),
        }
    }
}
