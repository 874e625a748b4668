//! The files of the course as they were installed, which tells what the learner has edited.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::digest::hex;
use crate::git_clone::merge_base;
use crate::repo::{self, Repo, write_atomically};

/// The course's files as they were installed, kept in `.course/version.json`.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Installed {
    /// Where the version comes from.
    pub name: String,
    /// Its `Cargo.toml`.
    pub cargo_toml: String,
    /// The commit that a git clone came from when this was stored.
    pub cloned: Option<String>,
    /// The SHA-256 of each file, by its path in the repository.
    pub files: BTreeMap<String, String>,
}

impl Installed {
    /// Reads what the last update or the first run stored. `None` in a git clone without an update,
    /// or after a newer version was merged with git.
    pub fn load(repo: &Repo) -> Option<Self> {
        let json = fs::read(file(repo)).ok()?;
        let installed: Self = serde_json::from_slice(&json).ok()?;
        let is_current = installed.cloned.is_none() || installed.cloned == merge_base(repo);
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

    /// The files of `repo` as they are now, which come from `name`.
    pub fn of(repo: &Repo, name: &str) -> Result<Self> {
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

    /// Whether the file at `name`, a path in the repository, was installed with this content.
    pub fn has(&self, name: &str, content: &[u8]) -> bool {
        self.files.get(name) == Some(&hash(content))
    }

    /// Whether the file at `name`, a path in the repository, differs from the installed one.
    pub fn is_edited(&self, repo: &Repo, name: &str) -> bool {
        let now = fs::read(repo.root().join(name)).ok();
        now.map(|content| hash(&content)) != self.files.get(name).cloned()
    }
}

/// Whether the file at `name`, a path in the repository, is the course's if a version has it.
pub fn is_course_file(name: &str) -> bool {
    let mut folders = name.split('/');
    let top = folders.next().unwrap_or_default();
    let is_ours = |folder: &str| folder == "target" || folder.starts_with(".course");
    // Below the top, the runner writes `.cargo`.
    !matches!(top, "src" | ".git")
        && !is_ours(top)
        && !folders.any(|folder| is_ours(folder) || folder == ".cargo")
}

/// The paths of the files in a repository that can be the course's.
pub fn names(repo: &Repo) -> Result<BTreeSet<String>> {
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

fn hash(content: &[u8]) -> String {
    hex(Sha256::new_with_prefix(content))
}

/// Where the record is kept.
pub fn file(repo: &Repo) -> PathBuf {
    repo.state().join("version.json")
}
