//! Digests of everything that a proof depends on.

use std::env;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use sha2::{Digest, Sha256};

use super::reach::Reach;
use crate::course_toml::Chapter;
use crate::digest::{add, add_files, compiler, hex};
use crate::progress::Progress;

/// What every proof depends on, beside the compiler: the dependencies, the offline model that
/// tests talk to, and the runner itself.
const COMMON: [&str; 5] = ["Cargo.toml", "Cargo.lock", ".cargo", "offline", "course"];
/// Folders at the top that no proof depends on.
const IGNORED: [&str; 4] = ["bench", "target", ".git", ".course"];

/// The inputs of the proofs.
pub struct Inputs<'a> {
    progress: &'a Progress,
    /// The compiler's version.
    compiler: Vec<u8>,
    /// What the tests reach.
    pub reach: Reach<'a>,
    common: Sha256,
}

impl<'a> Inputs<'a> {
    /// Reads what all proofs depend on.
    pub fn load(progress: &'a Progress) -> Result<Self> {
        let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        Self::read(progress, compiler(&progress.repo, &rustc)?)
    }

    /// Reads the files again. The compiler does not change during a run.
    pub fn reload(&self) -> Result<Self> {
        Self::read(self.progress, self.compiler.clone())
    }

    fn read(progress: &'a Progress, compiler: Vec<u8>) -> Result<Self> {
        let repo = &progress.repo;
        let mut common = Sha256::new();
        add(&mut common, &compiler);
        for variable in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"] {
            let value = env::var_os(variable).unwrap_or_default();
            add(&mut common, value.as_encoded_bytes());
        }
        for name in COMMON {
            add_files(&mut common, repo, &repo.root().join(name))?;
        }
        Ok(Self {
            progress,
            compiler,
            reach: Reach::load(repo)?,
            common,
        })
    }

    /// The digest of the whole course: every file outside of [`IGNORED`].
    pub fn of_course(&self) -> Result<String> {
        let repo = &self.progress.repo;
        let mut digest = self.common.clone();
        let entries = fs::read_dir(repo.root())
            .and_then(|entries| entries.collect::<Result<Vec<_>, _>>())
            .context("cannot read the repository's folder")?;
        let mut paths: Vec<PathBuf> = entries.iter().map(|entry| entry.path()).collect();
        let done = IGNORED.iter().chain(&COMMON);
        paths.retain(|path| !done.clone().any(|name| path.ends_with(name)));
        paths.sort();
        for path in paths {
            add_files(&mut digest, repo, &path)?;
        }
        Ok(hex(digest))
    }

    /// The digest of what a chapter's proofs depend on: its manifest, its tests, and the files of
    /// the reference that these use, with the later chapters' sections cut out.
    pub fn of_chapter(&self, chapter: &Chapter) -> Result<String> {
        let repo = &self.progress.repo;
        let solution = self.progress.solution()?;
        let mut digest = self.common.clone();
        add_files(&mut digest, repo, &chapter.manifest_path(repo))?;
        for folder in [chapter.suite_dir(repo), repo.tests().join("support")] {
            add_files(&mut digest, repo, &folder)?;
        }
        for name in self.reach.files(chapter)? {
            add(&mut digest, name.as_bytes());
            let text = solution.render(&name, |section| section.chapter <= chapter.number);
            add(&mut digest, text.as_bytes());
        }
        Ok(hex(digest))
    }
}
