//! What git knows about the clone.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::repo::Repo;

/// The course's files in a git clone.
pub struct Clone {
    /// The files that were cloned, by their paths in the repository.
    pub files: BTreeSet<String>,
    /// Those that have changed since.
    pub edited: BTreeSet<String>,
    /// The text of `Cargo.toml` as cloned.
    pub cargo_toml: String,
}

impl Clone {
    /// Asks git. `None` if the repository is no git clone.
    pub fn of(repo: &Repo) -> Option<Self> {
        if !repo.root().join(".git").exists() {
            return None;
        }
        let base = cloned_commit(repo)?;
        let lines = |arguments: &[&str]| -> Option<BTreeSet<String>> {
            let output = git(repo.root(), arguments)?;
            Some(output.split_terminator('\0').map(String::from).collect())
        };
        Some(Self {
            files: lines(&["ls-tree", "-r", "-z", "--name-only", &base])?,
            edited: lines(&["diff", "-z", "--name-only", &base])?,
            cargo_toml: git(repo.root(), &["show", &format!("{base}:Cargo.toml")])?,
        })
    }
}

/// The commit that was cloned.
pub fn cloned_commit(repo: &Repo) -> Option<String> {
    let head = || git(repo.root(), &["rev-parse", "HEAD"]);
    let base = merge_base(repo).or_else(head)?;
    Some(base.trim().to_string())
}

/// The newest commit of the clone that its remote has, too.
pub fn merge_base(repo: &Repo) -> Option<String> {
    let base = git(repo.root(), &["merge-base", "HEAD", "origin/HEAD"])?;
    Some(base.trim().to_string())
}

/// The output of a git command. `None` if it failed.
pub fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git")
        .arg("-C")
        .arg(root)
        .args(arguments)
        .output()
        .ok()?;
    let text = || String::from_utf8_lossy(&output.stdout).into_owned();
    output.status.success().then(text)
}
