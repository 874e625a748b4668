//! The files that are the course's: everything except `src/`. An update replaces them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use toml_edit::{DocumentMut, Item};

use super::incoming::Incoming;
use crate::open_chapter::{open_chapter, with_open_chapter};
use crate::pristine;
use crate::repo::{self, Repo, write_atomically};

/// The course's files as they were installed, kept in `.course/version.json`.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Installed {
    /// Where the version comes from.
    pub name: String,
    /// Its `Cargo.toml`.
    pub cargo_toml: String,
    /// The commit that a git clone came from when this was stored.
    cloned: Option<String>,
    /// The SHA-256 of each file, by its path in the repository.
    files: BTreeMap<String, String>,
}

/// What an update does to the course's files.
#[derive(Debug, Default)]
pub struct CourseFiles {
    /// The new contents; `None` for a file that is removed.
    pub changes: BTreeMap<PathBuf, Option<Vec<u8>>>,
    /// The files that the learner had edited or that a file of the course replaces.
    pub edited: Vec<String>,
    /// Whether the learner's edits are unknown, because the files as installed are.
    pub edits_unknown: bool,
}

/// Whether the file at `name`, a path in the repository, is the course's if a version has it.
pub fn is_course_file(name: &str) -> bool {
    let mut folders = name.split('/');
    let top = folders.clone().next().unwrap_or_default();
    !matches!(top, "src" | ".git" | ".course" | "target")
        && !folders.any(|folder| folder == "target" || folder.starts_with(".course"))
}

impl Installed {
    /// Reads what the last update or the first run stored. `None` in a git clone without an update,
    /// or after a newer version was merged with git.
    pub fn load(repo: &Repo) -> Option<Self> {
        let json = fs::read(file(repo)).ok()?;
        let installed: Self = serde_json::from_slice(&json).ok()?;
        let is_current =
            installed.cloned.is_none() || installed.cloned == pristine::merge_base(repo);
        is_current.then_some(installed)
    }

    /// Stores the files of a download on its first run, when nobody has edited them. A git clone
    /// knows them anyway.
    pub fn store_first(repo: &Repo) -> Result<()> {
        if repo.state().exists() || repo.root().join(".git").exists() {
            return Ok(());
        }
        let installed = Self::of(repo, "the download")?;
        write_atomically(&file(repo), &serde_json::to_vec(&installed)?)
    }

    fn of(repo: &Repo, name: &str) -> Result<Self> {
        let mut files = BTreeMap::new();
        for name in names(repo)? {
            let content =
                fs::read(repo.root().join(&name)).with_context(|| format!("cannot read {name}"))?;
            files.insert(name, hash(&content));
        }
        Ok(Self {
            name: name.to_string(),
            cloned: None,
            cargo_toml: fs::read_to_string(repo.cargo_toml()).context("cannot read Cargo.toml")?,
            files,
        })
    }

    /// The files below `folders` that have changed since, or are new.
    pub fn changed(&self, repo: &Repo, folders: &[&str]) -> Vec<String> {
        let is_meant = |name: &String| folders.iter().any(|folder| name.starts_with(folder));
        let now = names(repo).unwrap_or_default();
        let all: BTreeSet<&String> = now.iter().chain(self.files.keys()).collect();
        let mut changed = all
            .into_iter()
            .filter(|name| is_meant(name))
            .cloned()
            .collect::<Vec<_>>();
        changed.retain(|name| self.is_edited(repo, name));
        changed
    }

    fn is_edited(&self, repo: &Repo, name: &str) -> bool {
        let now = fs::read(repo.root().join(name)).ok();
        now.map(|content| hash(&content)) != self.files.get(name).cloned()
    }
}

impl CourseFiles {
    /// Compares the course's files with those of `incoming`.
    pub fn plan(repo: &Repo, incoming: &Incoming) -> Result<Self> {
        let new: BTreeSet<String> = names(&incoming.repo)?;
        let installed = Installed::load(repo);
        let mut cloned = None;
        if installed.is_none() {
            cloned = pristine::Clone::of(repo);
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
            true => pristine::merge_base(repo),
            false => None,
        };
        files
            .changes
            .insert(file(repo), Some(serde_json::to_vec(&now)?));
        Ok(files)
    }
}

/// The paths of the files in a repository that can be the course's.
fn names(repo: &Repo) -> Result<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    let mut pending = vec![repo.root().to_path_buf()];
    while let Some(folder) = pending.pop() {
        let entries =
            fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
        for entry in entries {
            let path = entry?.path();
            let name = repo::relative_name(repo.root(), &path);
            match path.is_dir() {
                _ if !is_course_file(&name) => {}
                true => pending.push(path),
                false => drop(names.insert(name)),
            }
        }
    }
    Ok(names)
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

/// Whether the learner has changed more of `Cargo.toml` than the open chapter.
fn is_edited_cargo_toml(old: &str, now: Option<&[u8]>) -> bool {
    let now = String::from_utf8_lossy(now.unwrap_or_default()).into_owned();
    let opened = open_chapter(&now).and_then(|open| with_open_chapter(old, open));
    opened.map_or(true, |opened| opened != now)
}

fn hash(content: &[u8]) -> String {
    let mut text = String::new();
    for byte in Sha256::digest(content) {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

fn file(repo: &Repo) -> PathBuf {
    repo.state().join("version.json")
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
