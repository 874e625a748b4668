//! The files that are the course's: everything except `src/`. An update replaces them.

use std::fs;

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
        let baseline = Baseline::of(repo);
        let new = names(&incoming.repo)?;
        let mut files = Self {
            edits_unknown: matches!(baseline, Baseline::Unknown),
            ..Self::default()
        };
        for name in &new {
            files.plan_file(repo, incoming, &baseline, name)?;
        }
        for name in names(repo)? {
            if new.contains(&name) || !baseline.has_file(&name) {
                continue;
            }
            files.changes.insert(repo.root().join(&name), None);
            if baseline.is_edited(repo, &name) {
                files.edited.push(name);
            }
        }
        let mut now = Installed::of(&incoming.repo, &incoming.name)?;
        now.cloned = match repo.root().join(".git").exists() {
            true => merge_base(repo),
            false => None,
        };
        let record = serde_json::to_vec(&now)?;
        files.changes.insert(installed::file(repo), Some(record));
        Ok(files)
    }

    /// Plans the change of the file `name`, which the new version has.
    fn plan_file(
        &mut self,
        repo: &Repo,
        incoming: &Incoming,
        baseline: &Baseline,
        name: &str,
    ) -> Result<()> {
        let path = repo.root().join(name);
        let mut content = fs::read(incoming.repo.root().join(name))
            .with_context(|| format!("cannot read {name} of the new version"))?;
        if name == "Cargo.toml" {
            let mine = fs::read_to_string(&path).context("cannot read Cargo.toml")?;
            let new = String::from_utf8(content)?;
            content = cargo_toml(&new, &mine, baseline.cargo_toml())?.into_bytes();
        }
        let now = fs::read(&path).ok();
        let is_current = match (&now, baseline) {
            (Some(now), _) if *now == content => true,
            // Cargo has added the learner's own dependencies to it.
            (Some(_), Baseline::Record(installed)) => {
                name == "Cargo.lock" && installed.has(name, &content)
            }
            _ => false,
        };
        if is_current {
            return Ok(());
        }
        let edited = match name {
            "Cargo.toml" => baseline
                .cargo_toml()
                .is_some_and(|old| is_edited_cargo_toml(old, now.as_deref())),
            // Cargo changes it.
            "Cargo.lock" => false,
            _ => now.is_some() && baseline.is_edited(repo, name),
        };
        if edited {
            self.edited.push(name.to_string());
        }
        self.changes.insert(path, Some(content));
        Ok(())
    }
}

/// The course's files before the update, as far as they are known.
enum Baseline {
    /// The record of the last update, or of the first run of a download.
    Record(Installed),
    /// What git knows about a clone.
    Clone(Clone),
    /// Nothing, in a download that lost its record.
    Unknown,
}

impl Baseline {
    fn of(repo: &Repo) -> Self {
        let record = Installed::load(repo).map(Self::Record);
        let clone = || Clone::of(repo).map(Self::Clone);
        record.or_else(clone).unwrap_or(Self::Unknown)
    }

    /// The text of `Cargo.toml` as it came with the course.
    fn cargo_toml(&self) -> Option<&str> {
        match self {
            Self::Record(installed) => Some(&installed.cargo_toml),
            Self::Clone(clone) => Some(&clone.cargo_toml),
            Self::Unknown => None,
        }
    }

    /// Whether the file `name` came with the course.
    fn has_file(&self, name: &str) -> bool {
        match self {
            Self::Record(installed) => installed.files.contains_key(name),
            Self::Clone(clone) => clone.files.contains(name),
            Self::Unknown => has_only_course_files(name),
        }
    }

    /// Whether the file `name` differs from the one that came with the course, if that is known.
    fn is_edited(&self, repo: &Repo, name: &str) -> bool {
        match self {
            Self::Record(installed) => installed.is_edited(repo, name),
            Self::Clone(clone) => clone.edited.contains(name) || !clone.files.contains(name),
            Self::Unknown => false,
        }
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
