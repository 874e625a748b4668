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
        if !differing(&installed.cargo_toml, &new, &BUILD).is_empty() {
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
    if !differing(&old, &new, &BUILD).is_empty() {
        changed.push("Cargo.toml".to_string());
    }
    Some(changed)
}

/// The names among `tables` whose tables differ between two texts of `Cargo.toml`.
pub fn differing<'a>(one: &str, other: &str, tables: &[&'a str]) -> Vec<&'a str> {
    let read = |text: &str| -> DocumentMut { text.parse().unwrap_or_default() };
    let (one, other) = (read(one), read(other));
    // The text of a table itself lacks the tables in it.
    let text = |document: &DocumentMut, name: &str| {
        let mut part = DocumentMut::new();
        part[name] = document.get(name).cloned().unwrap_or_default();
        part.to_string()
    };
    let tables = tables.iter().copied();
    tables
        .filter(|name| text(&one, name) != text(&other, name))
        .collect()
}
