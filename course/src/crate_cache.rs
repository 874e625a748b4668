//! The crates that the course uses, and which of them are on this machine.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use toml_edit::DocumentMut;

use crate::cargo_config;
use crate::repo::Repo;

/// The workspaces, by their manifests: the learner's crate with the reference and the offline
/// model, and the runner with the book builder.
pub const WORKSPACES: [&str; 2] = ["Cargo.toml", "course/Cargo.toml"];

/// The crates in the lock files, and where they can be.
pub struct CrateCache {
    /// The crates, such as `serde-1.0.0`. Those that only other systems need are among them.
    crates: BTreeSet<String>,
    /// The folders with archives of crates.
    registries: Vec<PathBuf>,
    /// The folders with vendored crates.
    vendored: Vec<PathBuf>,
}

impl CrateCache {
    /// Reads the lock files.
    pub fn load(repo: &Repo) -> Result<Self> {
        let mut crates = BTreeSet::new();
        for workspace in WORKSPACES {
            let path = repo.root().join(workspace).with_file_name("Cargo.lock");
            if path.exists() {
                crates.extend(locked(&path)?);
            }
        }
        let archives = cargo_config::home().map(|home| home.join("registry/cache"));
        let registries = archives.and_then(|folder| fs::read_dir(folder).ok());
        let registries = registries.into_iter().flatten().flatten();
        Ok(Self {
            crates,
            registries: registries.map(|registry| registry.path()).collect(),
            vendored: cargo_config::vendored(repo.root()),
        })
    }

    /// The number of crates.
    pub fn count(&self) -> usize {
        self.crates.len()
    }

    /// The number of crates that are not on this machine.
    pub fn missing(&self) -> usize {
        let is_here = |name: &&String| {
            let mut folders = self.vendored.iter();
            folders.any(|folder| folder.join(name).is_dir()) || self.archive(name).is_some()
        };
        self.count() - self.crates.iter().filter(is_here).count()
    }

    /// The bytes of the archives in cargo's home folder.
    pub fn bytes(&self) -> u64 {
        let archives = self.crates.iter().filter_map(|name| self.archive(name));
        archives.sum()
    }

    /// The size of a crate's archive in cargo's home folder.
    fn archive(&self, name: &str) -> Option<u64> {
        self.registries.iter().find_map(|registry| {
            let path = registry.join(format!("{name}.crate"));
            Some(fs::metadata(path).ok()?.len())
        })
    }
}

/// The crates of a lock file that come from a registry.
fn locked(path: &Path) -> Result<Vec<String>> {
    let text = fs::read_to_string(path);
    let text = text.with_context(|| format!("cannot read {}", path.display()))?;
    let lock: DocumentMut = text.parse().context("Cargo.lock is broken")?;
    let packages = lock.get("package").and_then(|it| it.as_array_of_tables());
    let crates = packages.into_iter().flatten().filter_map(|package| {
        let text = |key: &str| package.get(key).and_then(|value| value.as_str());
        text("source")?;
        Some(format!("{}-{}", text("name")?, text("version")?))
    });
    Ok(crates.collect())
}
