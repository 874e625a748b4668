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
        let said = String::from_utf8_lossy(&stderr);
        if status.success() {
            GitState::parse(&String::from_utf8_lossy(&stdout))
        } else if said.contains("not a git repository") {
            GitState::NoRepository
        } else {
            GitState::Unknown(said.lines().next().unwrap_or("git failed").to_string())
        }
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
