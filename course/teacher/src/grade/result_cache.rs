//! The cache of the results of submissions. Each result has a file of its own, which is written as
//! soon as it is known, so a kill or a power failure costs at most the submission that is being
//! graded.
//!
//! An entry is valid for one digest of everything that a result depends on: the submission, the
//! files of this clone, the compiler, this program, the limits and the sandbox. Other programs on
//! the machine are not part of it: nothing is graded where the reference fails.

use std::env;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use course::cargo_config;
use course::digest::{add, add_files, compiler, hex, sorted_files};
use course::repo::{Repo, remove_temporary_files, write_atomically};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::plan::Plan;
use super::results::Grade;
use super::sandbox::Sandbox;
use super::submission::Submission;

/// The folder of the results, in this clone.
pub const FOLDER: &str = "target/grade/results";

/// The results of earlier runs.
pub struct ResultCache<'a> {
    repo: &'a Repo,
    inputs: Inputs,
}

/// What all results depend on.
pub struct Inputs {
    /// What does not change during a run.
    fixed: Sha256,
    /// The digest of the files of this clone when the run started.
    files: String,
}

impl Inputs {
    /// Reads the inputs. Call it before anything else reads a file of the clone.
    pub fn read(repo: &Repo, seconds: u64, memory: u64) -> Result<Self> {
        let mut fixed = Sha256::new();
        // The variable RUSTC is not passed on to cargo.
        add(&mut fixed, &compiler(repo, "rustc".as_ref())?);
        // The name of a running program that was built again is not valid anymore.
        let program = match cfg!(target_os = "linux") {
            true => PathBuf::from("/proc/self/exe"),
            false => env::current_exe().context("this program has no path")?,
        };
        add(
            &mut fixed,
            &fs::read(program).context("cannot read this program")?,
        );
        for limit in [seconds, memory] {
            add(&mut fixed, &limit.to_le_bytes());
        }
        let files = files(repo)?;
        Ok(Self { fixed, files })
    }
}

/// The digest of the files of this clone that results depend on, and of cargo's configuration.
fn files(repo: &Repo) -> Result<String> {
    let mut digest = Sha256::new();
    for name in ["Cargo.toml", "Cargo.lock", "offline", "solutions", "tests"] {
        add_files(&mut digest, repo, &repo.root().join(name))?;
    }
    for path in sorted_files(&repo.book())? {
        if path.extension().is_some_and(|end| end == "toml") {
            add_files(&mut digest, repo, &path)?;
        }
    }
    for file in cargo_config::files(repo.root()) {
        add_files(&mut digest, repo, &file.path)?;
    }
    Ok(hex(digest))
}

/// The place of one submission's result in the cache.
pub struct Entry {
    file: PathBuf,
    digest: String,
    /// The result, if an earlier run stored it for the same inputs.
    pub grade: Option<Grade>,
}

/// The content of a file.
#[derive(Serialize, Deserialize)]
struct Stored<G> {
    digest: String,
    grade: G,
}

impl<'a> ResultCache<'a> {
    /// Opens the cache. The caller holds the lock of the workspace.
    pub fn open(repo: &'a Repo, mut inputs: Inputs, sandbox: &Sandbox) -> Result<Self> {
        let folder = repo.root().join(FOLDER);
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        remove_temporary_files(&folder)?;
        for is_safe in [sandbox.network, sandbox.processes, sandbox.files] {
            add(&mut inputs.fixed, &[u8::from(is_safe)]);
        }
        Ok(Self { repo, inputs })
    }

    /// The entry of a submission, without a result if `fresh`. A file that cannot be read has none
    /// either.
    pub fn entry(&self, name: &str, submission: &Submission, plan: &Plan, fresh: bool) -> Entry {
        let mut digest = self.inputs.fixed.clone();
        add(&mut digest, self.inputs.files.as_bytes());
        add(&mut digest, format!("{plan:?}").as_bytes());
        for (file, text) in &submission.sources {
            add(&mut digest, file.as_bytes());
            add(&mut digest, text.as_bytes());
        }
        let digest = hex(digest);
        // A later version of a submission takes the place of the earlier one.
        let mut id = Sha256::new();
        add(&mut id, name.as_bytes());
        add(&mut id, format!("{:?}", plan.numbers).as_bytes());
        let file = self.repo.root().join(FOLDER).join(hex(id) + ".json");
        let json = fs::read(&file).ok().filter(|_| !fresh);
        let stored: Option<Stored<Grade>> =
            json.and_then(|json| serde_json::from_slice(&json).ok());
        let mut grade = stored
            .filter(|stored| stored.digest == digest)
            .map(|stored| stored.grade);
        if let Some(grade) = &mut grade {
            // They are about files that have no effect, too.
            grade.notes.clone_from(&submission.notes);
        }
        Entry {
            file,
            digest,
            grade,
        }
    }

    /// Stores a result. It belongs to the files that the run started with, so it is an error if
    /// they have changed since.
    pub fn store(&self, entry: &Entry, grade: &Grade) -> Result<()> {
        ensure!(
            files(self.repo)? == self.inputs.files,
            "files of this clone have changed since the start, so the result is not stored for later runs"
        );
        let stored = Stored {
            digest: entry.digest.clone(),
            grade,
        };
        write_atomically(&entry.file, &serde_json::to_vec(&stored)?)
    }
}
