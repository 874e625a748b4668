//! Finds changes of the learner's that can change what the tests say, by comparing with the commit
//! that was cloned.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use toml_edit::DocumentMut;

use crate::repo::Repo;
use crate::update::course_files::Installed;

/// The parts of `Cargo.toml` that decide what the tests are built from.
const BUILD: [&str; 5] = ["lib", "package", "patch", "profile", "test"];

/// The changed files that the results depend on: the tests, a build script, and what of
/// `Cargo.toml` selects the tests. `None` if the files as installed are unknown: in a download that
/// was edited before its first run.
pub fn changed(repo: &Repo) -> Option<Vec<String>> {
    if let Some(installed) = Installed::load(repo) {
        let mut changed = installed.changed(repo, &["tests/", "build.rs", ".cargo/"]);
        let new = std::fs::read_to_string(repo.cargo_toml()).ok()?;
        if build_parts(&installed.cargo_toml) != build_parts(&new) {
            changed.push("Cargo.toml".to_string());
        }
        return Some(changed);
    }
    let git = |arguments: &[&str]| git(repo.root(), arguments);
    let base = cloned_commit(repo)?;
    let base = base.as_str();
    let watched = ["--", "tests", "build.rs", ".cargo"];
    let edited = git(&[&["diff", "--name-only", base], &watched[..]].concat())?;
    let added = git(&[
        &["ls-files", "--others", "--exclude-standard"],
        &watched[..],
    ]
    .concat())?;
    let mut changed: Vec<String> = edited
        .lines()
        .chain(added.lines())
        .map(String::from)
        .collect();
    let old = git(&["show", &format!("{base}:Cargo.toml")])?;
    let new = std::fs::read_to_string(repo.cargo_toml()).ok()?;
    if build_parts(&old) != build_parts(&new) {
        changed.push("Cargo.toml".to_string());
    }
    Some(changed)
}

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
fn cloned_commit(repo: &Repo) -> Option<String> {
    let head = || git(repo.root(), &["rev-parse", "HEAD"]);
    let base = merge_base(repo).or_else(head)?;
    Some(base.trim().to_string())
}

/// The newest commit of the clone that its remote has, too.
pub fn merge_base(repo: &Repo) -> Option<String> {
    let base = git(repo.root(), &["merge-base", "HEAD", "origin/HEAD"])?;
    Some(base.trim().to_string())
}

/// The text of the tables in [`BUILD`].
fn build_parts(manifest: &str) -> Vec<String> {
    let document: DocumentMut = manifest.parse().unwrap_or_default();
    let part = |name: &str| document.get(name).map(|part| part.to_string());
    BUILD
        .into_iter()
        .map(|name| part(name).unwrap_or_default())
        .collect()
}

/// The output of a git command. `None` if it failed.
fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git")
        .arg("-C")
        .arg(root)
        .args(arguments)
        .output()
        .ok()?;
    let text = || String::from_utf8_lossy(&output.stdout).into_owned();
    output.status.success().then(text)
}
