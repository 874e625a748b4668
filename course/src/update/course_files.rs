//! The files that are the course's: everything except `src/`. An update replaces them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use toml_edit::{DocumentMut, Item};

use super::incoming::Incoming;
use crate::backups::Changes;
use crate::git_clone::{Clone, merge_base};
use crate::installed::{self, Installed, names};
use crate::open_chapter::{open_chapter, with_open_chapter};
use crate::repo::Repo;

/// What an update does to the course's files.
#[derive(Debug, Default)]
pub struct CourseFiles {
    /// The new contents; `None` for a file that is removed.
    pub changes: Changes,
    /// The files that the learner had edited or that a file of the course replaces.
    pub edited: Vec<String>,
    /// Whether the learner's edits are unknown, because the files as installed are.
    pub edits_unknown: bool,
}

impl CourseFiles {
    /// Compares the course's files with those of `incoming`.
    pub fn plan(repo: &Repo, incoming: &Incoming) -> Result<Self> {
        let new: BTreeSet<String> = names(&incoming.repo)?;
        let installed = Installed::load(repo);
        let mut cloned = None;
        if installed.is_none() {
            cloned = Clone::of(repo);
        }
        let is_edited = |name: &str| match (&installed, &cloned) {
            (Some(installed), _) => installed.is_edited(repo, name),
            (None, Some(cloned)) => cloned.edited.contains(name) || !cloned.files.contains(name),
            (None, None) => false,
        };
        let mut files = Self {
            edits_unknown: installed.is_none() && cloned.is_none(),
            ..Self::default()
        };
        let old_cargo_toml = match (&installed, &cloned) {
            (Some(installed), _) => Some(installed.cargo_toml.clone()),
            (None, Some(cloned)) => Some(cloned.cargo_toml.clone()),
            (None, None) => None,
        };
        for name in &new {
            let content = fs::read(incoming.repo.root().join(name))
                .with_context(|| format!("cannot read {name} of the new version"))?;
            let path = repo.root().join(name);
            let now = fs::read(&path).ok();
            let content = match name.as_str() {
                "Cargo.toml" => {
                    let mine = fs::read_to_string(&path).context("cannot read Cargo.toml")?;
                    let new = String::from_utf8(content)?;
                    let old = old_cargo_toml.as_deref();
                    cargo_toml(&new, &mine, old)?.into_bytes()
                }
                _ => content,
            };
            if now.as_deref() == Some(content.as_slice()) {
                continue;
            }
            // cargo has added the learner's own dependencies.
            let is_installed = |it: &Installed| it.has(name, &content);
            if name == "Cargo.lock" && now.is_some() && installed.as_ref().is_some_and(is_installed)
            {
                continue;
            }
            let edited = match (name.as_str(), &old_cargo_toml) {
                ("Cargo.toml", Some(old)) => is_edited_cargo_toml(old, now.as_deref()),
                ("Cargo.toml", None) => false,
                // cargo changes it.
                ("Cargo.lock", _) => false,
                _ => now.is_some() && is_edited(name),
            };
            if edited {
                files.edited.push(name.clone());
            }
            files.changes.insert(path, Some(content));
        }
        for name in names(repo)? {
            let is_theirs = match (&installed, &cloned) {
                (Some(installed), _) => !installed.files.contains_key(&name),
                (None, Some(cloned)) => !cloned.files.contains(&name),
                (None, None) => !has_only_course_files(&name),
            };
            if new.contains(&name) || is_theirs {
                continue;
            }
            if is_edited(&name) {
                files.edited.push(name.clone());
            }
            files.changes.insert(repo.root().join(name), None);
        }
        let mut now = Installed::of(&incoming.repo, &incoming.name)?;
        now.cloned = match repo.root().join(".git").exists() {
            true => merge_base(repo),
            false => None,
        };
        files
            .changes
            .insert(installed::file(repo), Some(serde_json::to_vec(&now)?));
        Ok(files)
    }
}

/// Whether a folder holds nothing of the learner's, as far as a download without a record tells.
fn has_only_course_files(name: &str) -> bool {
    let folders = [
        "bench/",
        "book/",
        "course/",
        "offline/",
        "solutions/",
        "tests/",
    ];
    folders.iter().any(|folder| name.starts_with(folder))
}

/// The new `Cargo.toml` with the learner's newest open chapter and own dependencies.
fn cargo_toml(new: &str, mine: &str, old: Option<&str>) -> Result<String> {
    let text = with_open_chapter(new, open_chapter(mine)?)?;
    let mine: DocumentMut = mine.parse().context("Cargo.toml is broken")?;
    let old: DocumentMut = old.unwrap_or_default().parse().unwrap_or_default();
    let mut new: DocumentMut = text.parse()?;
    for name in ["dependencies", "dev-dependencies"] {
        let Some(table) = mine.get(name).and_then(Item::as_table) else {
            continue;
        };
        for (key, value) in table {
            let is_in =
                |document: &DocumentMut| document.get(name).is_some_and(|it| it.get(key).is_some());
            let is_courses = is_in(&old) || is_in(&new) || value.get("workspace").is_some();
            if !is_courses {
                new[name][key] = value.clone();
            }
        }
    }
    Ok(new.to_string())
}

/// Whether the learner has changed more of `Cargo.toml` than an update keeps.
fn is_edited_cargo_toml(old: &str, now: Option<&[u8]>) -> bool {
    let now = String::from_utf8_lossy(now.unwrap_or_default()).into_owned();
    // Added dependencies come at the end of their table.
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
        lines.sort();
        lines
    };
    cargo_toml(old, &now, Some(old)).map_or(true, |kept| sorted(&kept) != sorted(&now))
}

/// The first part of a path, for a summary: a folder with its slash, or the file itself.
pub fn top(path: &Path) -> String {
    let mut parts = path
        .components()
        .map(|part| part.as_os_str().to_string_lossy());
    let first = parts.next().unwrap_or_default().into_owned();
    match parts.next() {
        Some(_) => format!("{first}/"),
        None => first,
    }
}
