//! The last verdict on each chapter, which holds as long as no source changes.

use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::progress::open_chapter;
use crate::repo::{Repo, write_atomically};
use crate::verdict::ChapterReport;

/// What is remembered, and what it may be compared with.
pub struct Results {
    file: PathBuf,
    page_file: PathBuf,
    sources: u64,
    open: u32,
    known: BTreeMap<u32, Known>,
}

/// A verdict and the state of the sources that it was given on.
#[derive(Debug, Serialize, Deserialize)]
struct Known {
    sources: u64,
    report: ChapterReport,
}

impl Results {
    /// Reads what is remembered. What can't be read is as good as forgotten.
    pub fn load(repo: &Repo) -> Result<Self> {
        let file = repo.state().join("results.json");
        let known = fs::read(&file)
            .ok()
            .and_then(|json| serde_json::from_slice(&json).ok())
            .unwrap_or_default();
        let manifest = fs::read_to_string(repo.cargo_toml()).context("cannot read Cargo.toml")?;
        Ok(Self {
            file,
            page_file: repo.state().join("status.json"),
            sources: sources(repo)?,
            open: open_chapter(&manifest)?,
            known,
        })
    }

    /// The newest chapter that is open.
    pub fn open(&self) -> u32 {
        self.open
    }

    /// The verdict on chapter `number`, if nothing has changed since.
    pub fn of(&self, number: u32) -> Option<&ChapterReport> {
        let known = self.known.get(&number)?;
        (known.sources == self.sources).then_some(&known.report)
    }

    /// The last verdict on chapter `number`, whatever has changed since.
    pub fn last(&self, number: u32) -> Option<&ChapterReport> {
        self.known.get(&number).map(|known| &known.report)
    }

    /// The chapter to work on: the first open one that is not known to be done.
    pub fn current(&self) -> u32 {
        self.first_to_do(|number| self.of(number))
    }

    /// The chapter that was to be worked on when tests were last run.
    pub fn last_current(&self) -> u32 {
        self.first_to_do(|number| self.last(number))
    }

    fn first_to_do<'a>(&'a self, report: impl Fn(u32) -> Option<&'a ChapterReport>) -> u32 {
        (1..=self.open)
            .find(|number| !report(*number).is_some_and(ChapterReport::is_done))
            .unwrap_or(self.open)
    }

    /// Remembers verdicts on the sources as they were at `sources`, and writes them down
    /// once. The book's pages show the newest one on each chapter.
    pub fn keep(&mut self, sources: u64, reports: &[ChapterReport]) -> Result<()> {
        self.sources = sources;
        for report in reports {
            let report = report.clone();
            self.known.insert(report.number, Known { sources, report });
        }
        write_json(&self.file, &self.known)?;
        let reports: Vec<&ChapterReport> = self.known.values().map(|k| &k.report).collect();
        write_json(&self.page_file, &serde_json::json!({ "chapters": reports }))
    }
}

/// A number that changes when any file changes that a verdict depends on.
pub fn sources(repo: &Repo) -> Result<u64> {
    let mut hasher = DefaultHasher::new();
    for name in ["Cargo.toml", "Cargo.lock"] {
        fs::read(repo.root().join(name))
            .unwrap_or_default()
            .hash(&mut hasher);
    }
    for dir in [repo.src(), repo.tests(), repo.solutions(), repo.book()] {
        hash_files(&dir, &mut hasher)?;
    }
    Ok(hasher.finish())
}

/// Takes in every Rust file and manifest below `dir`, in a fixed order.
fn hash_files(dir: &Path, hasher: &mut DefaultHasher) -> Result<()> {
    let unreadable = || {
        let dir = dir.display();
        format!("cannot read {dir}; `git status` shows what is missing")
    };
    let mut entries = fs::read_dir(dir)
        .and_then(|entries| entries.collect::<Result<Vec<_>, _>>())
        .with_context(unreadable)?;
    entries.sort_by_key(|entry| entry.file_name());
    for entry in entries {
        let path = entry.path();
        if path.is_dir() {
            hash_files(&path, hasher)?;
        } else if path
            .extension()
            .is_some_and(|end| end == "rs" || end == "toml")
        {
            path.hash(hasher);
            fs::read(&path).with_context(unreadable)?.hash(hasher);
        }
    }
    Ok(())
}

fn write_json(path: &Path, value: &impl Serialize) -> Result<()> {
    write_atomically(path, &serde_json::to_vec(value)?)
}
