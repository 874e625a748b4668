//! The cache of the last verdict on each chapter. An entry is valid while no source changes.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread::{self, ScopedJoinHandle};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::digest;
use crate::learning_path::LearningPath;
use crate::open_chapter::open_chapter;
use crate::platform;
use crate::repo::{Repo, write_cache};
use crate::verdict::ChapterReport;

/// The last verdicts and the current state of the sources.
pub struct VerdictCache {
    file: PathBuf,
    status_file: PathBuf,
    sources: u64,
    open: u32,
    /// The chapters that have a manifest and run on this system, in order.
    written: Vec<u32>,
    cached: BTreeMap<u32, CachedVerdict>,
}

/// A verdict and the fingerprint of the sources that it belongs to.
#[derive(Debug, Serialize, Deserialize)]
struct CachedVerdict {
    sources: u64,
    report: ChapterReport,
}

/// What the book's pages show.
#[derive(Serialize)]
struct Status<'a> {
    chapters: Vec<&'a ChapterReport>,
}

impl VerdictCache {
    /// Reads the cache for the sources with the fingerprint `sources`. A cache that cannot be
    /// read counts as empty.
    pub fn load(repo: &Repo, sources: u64) -> Result<Self> {
        let file = repo.state().join("results.json");
        let cached = fs::read(&file)
            .ok()
            .and_then(|json| serde_json::from_slice(&json).ok())
            .unwrap_or_default();
        let manifest = fs::read_to_string(repo.cargo_toml()).context("cannot read Cargo.toml")?;
        Ok(Self {
            file,
            status_file: repo.state().join("status.json"),
            sources,
            open: open_chapter(&manifest)?,
            written: written_chapters(repo)?,
            cached,
        })
    }

    /// Whether no tests have run in this clone yet.
    pub fn is_empty(&self) -> bool {
        self.cached.is_empty()
    }

    /// The fingerprint of the sources that valid verdicts belong to.
    pub fn sources(&self) -> u64 {
        self.sources
    }

    /// The newest open chapter.
    pub fn open(&self) -> u32 {
        self.open
    }

    /// The numbers of the chapters that have a manifest and run on this system, in order.
    pub fn written(&self) -> &[u32] {
        &self.written
    }

    /// The verdict on chapter `number`, if no source has changed since.
    pub fn of(&self, number: u32) -> Option<&ChapterReport> {
        let cached = self.cached.get(&number)?;
        (cached.sources == self.sources).then_some(&cached.report)
    }

    /// The last verdict on chapter `number`, even if sources have changed since.
    pub fn last(&self, number: u32) -> Option<&ChapterReport> {
        self.cached.get(&number).map(|cached| &cached.report)
    }

    /// The chapter to work on: the first open one without a valid verdict that it is done.
    pub fn current(&self) -> u32 {
        self.first_to_do(|number| self.of(number).is_some_and(ChapterReport::is_done))
    }

    /// The chapter to work on by the last verdicts, valid or not. An error that keeps the code from
    /// compiling does not change it.
    pub fn last_current(&self) -> u32 {
        let is_green = |report: &ChapterReport| report.current().is_none();
        self.first_to_do(|number| self.last(number).is_some_and(is_green))
    }

    fn first_to_do(&self, is_done: impl Fn(u32) -> bool) -> u32 {
        let mut open = self.written.iter().filter(|number| **number <= self.open);
        let to_do = open.clone().find(|number| !is_done(**number));
        to_do.or(open.next_back()).copied().unwrap_or(self.open)
    }

    /// Stores verdicts on these sources, and writes the cache and the status that the book's
    /// pages show.
    pub fn store(&mut self, reports: &[ChapterReport]) -> Result<()> {
        for report in reports {
            let verdict = CachedVerdict {
                sources: self.sources,
                report: report.clone(),
            };
            self.cached.insert(report.number, verdict);
        }
        let chapters = self.cached.values().map(|cached| &cached.report).collect();
        let status = Status { chapters };
        let (cached, shown) = thread::scope(|scope| {
            let cached = scope.spawn(|| write_json(&self.file, &self.cached));
            let shown = write_json(&self.status_file, &status);
            (joined(cached), shown)
        });
        cached.and(shown)
    }
}

/// The chapters that have a manifest and run on this system, in order. Their numbers come from the names of the files,
/// because reading all manifests takes longer than `cargo course status` may.
fn written_chapters(repo: &Repo) -> Result<Vec<u32>> {
    let entries = fs::read_dir(repo.book())
        .and_then(|entries| entries.collect::<Result<Vec<_>, _>>())
        .context("cannot read book/src; `git status` shows what is missing")?;
    let has_unix = platform::has_unix();
    let numbers = entries.into_iter().filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        let stem = name.strip_prefix("ch")?.strip_suffix(".toml")?;
        // Not `ch01-….quiz.toml`.
        let stem = Some(stem).filter(|stem| !stem.contains('.'))?;
        let needs_unix = || {
            let text = fs::read_to_string(entry.path()).unwrap_or_default();
            text.lines().any(|line| line.trim() == "unix = true")
        };
        if !has_unix && needs_unix() {
            return None;
        }
        stem.split_once('-')?.0.parse().ok()
    });
    let mut numbers: Vec<u32> = numbers.collect();
    numbers.sort_unstable();
    Ok(numbers)
}

/// The fingerprint of everything that a verdict depends on: the files, and the learner's path.
pub fn fingerprint(repo: &Repo) -> Result<u64> {
    let mut hasher = Sha256::new();
    let path = LearningPath::load(repo)?.path;
    digest::add(&mut hasher, path.to_string().as_bytes());
    for name in ["Cargo.toml", "Cargo.lock"] {
        let path = repo.root().join(name);
        hash_file(&path, &fs::read(&path).unwrap_or_default(), &mut hasher);
    }
    let mut dirs = vec![repo.src(), repo.tests(), repo.book()];
    if repo.has_solutions() {
        dirs.push(repo.solutions());
    }
    let digests = thread::scope(|scope| {
        let hashing: Vec<_> = dirs
            .iter()
            .map(|dir| scope.spawn(|| hash_dir(dir)))
            .collect();
        hashing.into_iter().map(joined).collect::<Result<Vec<_>>>()
    });
    for digest in digests? {
        digest::add(&mut hasher, &digest);
    }
    let hash = hasher.finalize();
    let (first, _) = hash.split_first_chunk().context("a hash of 32 bytes")?;
    Ok(u64::from_le_bytes(*first))
}

/// The digest of every Rust file and manifest below `dir`.
fn hash_dir(dir: &Path) -> Result<Vec<u8>> {
    let mut hasher = Sha256::new();
    hash_files(dir, &mut hasher)?;
    Ok(hasher.finalize().to_vec())
}

/// What a thread returns.
fn joined<T>(thread: ScopedJoinHandle<T>) -> T {
    thread.join().unwrap_or_else(|panic| resume_unwind(panic))
}

/// Hashes every Rust file and manifest below `dir`, in a fixed order.
fn hash_files(dir: &Path, hasher: &mut Sha256) -> Result<()> {
    let unreadable = || {
        let dir = dir.display();
        format!("cannot read {dir}; `git status` shows what is missing")
    };
    let mut entries = fs::read_dir(dir)
        .and_then(|entries| entries.collect::<Result<Vec<_>, _>>())
        .with_context(unreadable)?;
    entries.sort_by_cached_key(|entry| entry.file_name());
    for entry in entries {
        let path = entry.path();
        let end = path.extension();
        if end.is_some_and(|end| end == "rs" || end == "toml") {
            match fs::read(&path) {
                Ok(content) => hash_file(&path, &content, hasher),
                // A lock of Emacs is a link to nowhere. Or the file was just removed.
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(error).with_context(unreadable),
            }
        } else if path.is_dir() {
            hash_files(&path, hasher)?;
        }
    }
    Ok(())
}

fn hash_file(path: &Path, content: &[u8], hasher: &mut Sha256) {
    digest::add(hasher, path.as_os_str().as_encoded_bytes());
    digest::add(hasher, content);
}

fn write_json(path: &Path, value: &impl Serialize) -> Result<()> {
    write_cache(path, &serde_json::to_vec(value)?)
}
