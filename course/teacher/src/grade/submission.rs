//! What of a submission is graded, and what a teacher should know about the rest.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result, anyhow, bail};
use course::open_chapter::open_chapter;
use course::pristine;
use course::repo::Repo;

use super::files::{self, Files};
use super::source_scan::Scan;

/// A submission.
pub struct Submission {
    /// Its Rust files, by their paths in `src`.
    pub sources: BTreeMap<String, String>,
    /// The newest chapter that is open in it, or why that is not known.
    pub open: Result<u32>,
    /// What a teacher should look at.
    pub notes: Vec<String>,
}

impl Submission {
    /// Reads the submission that `argument` names. An error is the reason why it is not graded.
    pub fn read(repo: &Repo, scan: &Scan, argument: &str) -> Result<Self> {
        let files = files::read(repo, argument)?;
        let manifest = files.get("Cargo.toml").map(|text| lossy(text));
        let mut submission = Self {
            sources: BTreeMap::new(),
            open: manifest
                .as_deref()
                .context("it has no Cargo.toml")
                .and_then(open_chapter),
            notes: without_effect(repo, &files, manifest.as_deref()),
        };
        for (name, content) in files {
            let Some(file) = name.strip_prefix("src/") else {
                continue;
            };
            let Ok(text) = String::from_utf8(content) else {
                bail!("{name} is not UTF-8 text");
            };
            let notes = scan.notes(file, &text).map_err(|error| anyhow!(error))?;
            submission.notes.extend(notes);
            submission.sources.insert(file.to_string(), text);
        }
        Ok(submission)
    }
}

/// Changes outside of `src`, which are not used.
fn without_effect(repo: &Repo, files: &Files, manifest: Option<&str>) -> Vec<String> {
    let mut notes = Vec::new();
    let differs = |name: &str, content: &[u8]| {
        let own = fs::read(repo.root().join(name)).unwrap_or_default();
        lossy(&own) != lossy(content)
    };
    let changed: Vec<&str> = files
        .iter()
        .filter(|(name, content)| name.starts_with("tests/") && differs(name, content))
        .map(|(name, _)| name.as_str())
        .collect();
    if let [first, others @ ..] = &changed[..] {
        let more = match others.len() {
            0 => String::new(),
            count => format!(" and {count} more"),
        };
        notes.push(format!(
            "not used: its edited or older tests, {first}{more}"
        ));
    }
    let has = |name: &str| files.keys().any(|file| file == name);
    if has("build.rs") {
        notes.push("not used: its build.rs".to_string());
    }
    let config = |(name, content): (&String, &Vec<u8>)| {
        name.starts_with(".cargo/") && differs(name, content)
    };
    if files.iter().any(config) {
        notes.push("not used: its own .cargo".to_string());
    }
    let own = fs::read_to_string(repo.cargo_toml()).unwrap_or_default();
    let tables = manifest.map(|manifest| pristine::differing(manifest, &own, &TABLES));
    if let Some(tables) = tables.filter(|tables| !tables.is_empty()) {
        notes.push(format!(
            "not used: its Cargo.toml, with edited or older tables: {}",
            tables.join(", ")
        ));
    }
    notes
}

/// The tables of `Cargo.toml` that could change what is built.
const TABLES: [&str; 11] = [
    "build-dependencies",
    "dependencies",
    "dev-dependencies",
    "lib",
    "lints",
    "package",
    "patch",
    "profile",
    "target",
    "test",
    "workspace",
];

/// The text of a file, with the line ends of Unix.
fn lossy(content: &[u8]) -> String {
    String::from_utf8_lossy(content).replace("\r\n", "\n")
}
