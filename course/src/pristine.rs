//! Finds changes of the learner's that can change what the tests say, by comparing with the commit
//! that was cloned.

use toml_edit::DocumentMut;

use crate::git_clone::{cloned_commit, git};
use crate::installed::Installed;
use crate::repo::Repo;

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

/// The text of the tables in [`BUILD`].
fn build_parts(manifest: &str) -> Vec<String> {
    let document: DocumentMut = manifest.parse().unwrap_or_default();
    let part = |name: &str| document.get(name).map(|part| part.to_string());
    BUILD
        .into_iter()
        .map(|name| part(name).unwrap_or_default())
        .collect()
}
