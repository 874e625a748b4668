//! The cache of what has been proved. A proof is known by its check, its subject and the digest
//! of everything that it depends on. Only success is stored.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs;
use std::path::PathBuf;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::executed::Executed;
use super::inputs::{Files, Inputs};
use super::reach::Reach;
use crate::progress::Progress;
use crate::repo::write_atomically;

/// That the tests fail on the stubs; proved chapter by chapter.
pub const RED: &str = "red";
/// That a chapter compiles without anything later, whatever the bodies of earlier functions are;
/// proved chapter by chapter.
pub const COMPILES: &str = "compiles";
/// That the tests need nothing later; proved chapter by chapter.
pub const ISOLATED: &str = "isolated";
/// That wrong answers are caught; proved chapter by chapter.
pub const SHARP: &str = "sharp";

/// The proofs of earlier runs, and the digests of the current inputs.
pub struct Proofs<'a> {
    progress: &'a Progress,
    file: PathBuf,
    /// The last proof of each check and subject.
    stored: RefCell<BTreeMap<String, Proof>>,
    inputs: Inputs<'a>,
    /// The digest of each subject when this run first asked about it, without the bodies of
    /// functions.
    digests: RefCell<BTreeMap<Subject, String>>,
}

/// What is stored of a proof.
#[derive(Serialize, Deserialize)]
struct Proof {
    /// The digest of its inputs.
    digest: String,
    /// The functions whose bodies are among the inputs, beside the chapter's own.
    executed: Executed,
}

/// What a check proves something about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// All chapters, and these files.
    Course(Files),
    /// One chapter, with these files: the checks that are not proved chapter by chapter, under
    /// `--chapter N`.
    Only(u32, Files),
    /// One chapter and what it depends on.
    Chapter(u32),
}

impl<'a> Proofs<'a> {
    /// Reads the stored proofs, or forgets them if `fresh`. A file that cannot be read counts as
    /// empty: everything is proved again.
    pub fn load(progress: &'a Progress, fresh: bool) -> Result<Self> {
        let file = progress.repo.root().join("target/proofs.json");
        let stored = match fresh {
            true => None,
            false => fs::read(&file).ok(),
        };
        let stored = stored.and_then(|json| serde_json::from_slice(&json).ok());
        Ok(Self {
            progress,
            file,
            stored: RefCell::new(stored.unwrap_or_default()),
            inputs: Inputs::load(progress)?,
            digests: RefCell::default(),
        })
    }

    /// What the tests reach.
    pub fn reach(&self) -> &Reach<'a> {
        &self.inputs.reach
    }

    /// Whether `check` has been proved with the current inputs.
    pub fn has(&self, check: &str, subject: Subject) -> Result<bool> {
        let mut digests = self.digests.borrow_mut();
        let digest = match digests.entry(subject) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(digest(&self.inputs, self.progress, subject)?),
        };
        let stored = self.stored.borrow();
        let Some(proof) = stored.get(&key(check, subject)) else {
            return Ok(false);
        };
        Ok(proof.digest == self.with_bodies(subject, digest, &proof.executed)?)
    }

    /// The digest of all inputs of a proof: those of `digest`, and the bodies of functions.
    fn with_bodies(&self, subject: Subject, digest: &str, executed: &Executed) -> Result<String> {
        match subject {
            Subject::Course(_) | Subject::Only(..) => Ok(digest.to_string()),
            Subject::Chapter(number) => {
                let (chapter, manifest) = self.progress.course.written_chapter(number)?;
                self.inputs.with_bodies(chapter, manifest, digest, executed)
            }
        }
    }

    /// Stores that `check` is proved, except for subjects whose inputs have changed since
    /// [`has`](Self::has) was asked: part of the run may have read the old files, part the new
    /// ones.
    pub fn store(&self, check: &str, proved: Vec<(Subject, Executed)>) -> Result<()> {
        let inputs = self.inputs.reload()?;
        let digests = self.digests.borrow();
        let mut stored = self.stored.borrow_mut();
        for (subject, executed) in proved {
            let now = digest(&inputs, self.progress, subject)?;
            if digests.get(&subject) == Some(&now) {
                let digest = self.with_bodies(subject, &now, &executed)?;
                stored.insert(key(check, subject), Proof { digest, executed });
            }
        }
        write_atomically(&self.file, &serde_json::to_vec_pretty(&*stored)?)
    }
}

fn digest(inputs: &Inputs, progress: &Progress, subject: Subject) -> Result<String> {
    match subject {
        Subject::Course(files) | Subject::Only(_, files) => inputs.of_course(files),
        Subject::Chapter(number) => inputs.of_chapter(progress.course.written_chapter(number)?.0),
    }
}

fn key(check: &str, subject: Subject) -> String {
    match subject {
        Subject::Course(_) => check.to_string(),
        Subject::Only(number, _) => format!("{check}, only chapter {number}"),
        Subject::Chapter(number) => format!("{check} of chapter {number}"),
    }
}
