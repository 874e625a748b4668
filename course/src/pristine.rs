//! Finds changes of the learner's that can change what the tests say, by comparing with the commit
//! that was cloned.

use std::path::Path;
use std::process::Command;

use toml_edit::DocumentMut;

use crate::repo::Repo;

/// The parts of `Cargo.toml` that decide what the tests are built from.
const BUILD: [&str; 5] = ["lib", "package", "patch", "profile", "test"];

/// The changed files that the results depend on: the tests, a build script, and what of
/// `Cargo.toml` selects the tests. `None` if the repository is no git clone.
pub fn changed(repo: &Repo) -> Option<Vec<String>> {
    let git = |arguments: &[&str]| git(repo.root(), arguments);
    let cloned = git(&["merge-base", "HEAD", "origin/HEAD"]);
    let base = cloned.or_else(|| git(&["rev-parse", "HEAD"]))?;
    let base = base.trim();
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
