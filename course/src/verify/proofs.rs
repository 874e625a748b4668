//! The cache of what has been proved. A proof is known by its check, its subject and the digest
//! of everything that it depends on. Only success is stored.

use std::cell::{Ref, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::path::PathBuf;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::executed::{Executed, ExecutedBy};
use super::inputs::{Files, Inputs};
use super::reach::Reach;
use crate::manifest::SectionId;
use crate::progress::Progress;
use crate::repo::write_atomically;

/// That the tests pass on the reference; proved section by section.
pub const GREEN: &str = "green";
/// That the tests fail on the stubs; proved section by section.
pub const RED: &str = "red";
/// That a chapter compiles without anything later, whatever the bodies of earlier functions are;
/// proved chapter by chapter.
pub const COMPILES: &str = "compiles";
/// That the tests need nothing later; proved section by section.
pub const ISOLATED: &str = "isolated";
/// That wrong answers are caught; proved section by section.
pub const SHARP: &str = "sharp";

/// So many proofs of one subject are kept: what an edit changes is often changed back.
const KEPT: usize = 4;

/// The proofs of earlier runs, and the digests of the current inputs.
pub struct Proofs<'a> {
    progress: &'a Progress,
    file: PathBuf,
    /// The last [`KEPT`] proofs of each check and subject, the newest first.
    stored: RefCell<BTreeMap<String, VecDeque<Proof>>>,
    /// The inputs when this run first asked about them.
    inputs: Inputs<'a>,
}

/// What is stored of a proof.
#[derive(Serialize, Deserialize)]
struct Proof {
    /// The digest of its inputs.
    digest: String,
    /// The functions whose bodies are among the inputs.
    executed: ExecutedBy,
}

/// What a check proves something about.
#[derive(Debug, Clone, Copy)]
pub enum Subject {
    /// All chapters, and these files.
    Course(Files),
    /// One chapter, with these files: the checks that are proved for all chapters together, under
    /// `--chapter N`.
    Only(u32, Files),
    /// One chapter and what it depends on.
    Chapter(u32),
    /// One section, and what its chapter depends on.
    Section(SectionId),
    /// The wrong answers to a section, with the digest of the names of the tests that run with each
    /// of them, and what the chapter depends on. An edit can make a test execute a function that it did
    /// not execute before, and notice a wrong answer there.
    Answers(SectionId, [u8; 32]),
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
        })
    }

    /// What the tests reach.
    pub fn reach(&self) -> &Reach<'a> {
        &self.inputs.reach
    }

    /// Whether `check` has been proved with the current inputs.
    pub fn has(&self, check: &str, subject: Subject) -> Result<bool> {
        Ok(self.proved(check, subject)?.is_some())
    }

    /// The functions that the tests execute on which the proof of `check` rests. `None` if it has
    /// not been proved with the current inputs.
    pub fn executed(&self, check: &str, subject: Subject) -> Result<Option<ExecutedBy>> {
        let proof = self.proved(check, subject)?;
        Ok(proof.map(|proof| proof.executed.clone()))
    }

    /// The functions that the tests executed when `check` was last proved, with the current inputs
    /// or others.
    pub fn last_executed(&self, check: &str, subject: Subject) -> Option<ExecutedBy> {
        let stored = self.stored.borrow();
        let last = stored.get(&key(check, subject))?.front()?;
        Some(last.executed.clone())
    }

    fn proved(&self, check: &str, subject: Subject) -> Result<Option<Ref<'_, Proof>>> {
        let digest = digest(&self.inputs, self.progress, subject)?;
        let key = key(check, subject);
        let mut valid = None;
        for (at, proof) in self
            .stored
            .borrow()
            .get(&key)
            .into_iter()
            .flatten()
            .enumerate()
        {
            if proof.digest == self.with_bodies(subject, &digest, &proof.executed.all)? {
                valid = Some(at);
                break;
            }
        }
        let Some(at) = valid else {
            return Ok(None);
        };
        let proof = Ref::filter_map(self.stored.borrow(), |stored| stored.get(&key)?.get(at));
        Ok(proof.ok())
    }

    /// The digest of all inputs of a proof: those of `digest`, and the bodies of functions.
    fn with_bodies(&self, subject: Subject, digest: &str, executed: &Executed) -> Result<String> {
        match subject {
            Subject::Course(_) | Subject::Only(..) => Ok(digest.to_string()),
            Subject::Chapter(number) => self.inputs.with_own_bodies(digest, number),
            Subject::Section(_) | Subject::Answers(..) => {
                self.inputs.with_executed(digest, executed)
            }
        }
    }

    /// Stores that `check` is proved, except for subjects whose inputs have changed since
    /// [`has`](Self::has) was asked: part of the run may have read the old files, part the new
    /// ones.
    pub fn store(&self, check: &str, proved: Vec<(Subject, ExecutedBy)>) -> Result<()> {
        if proved.is_empty() {
            return Ok(());
        }
        let now = self.inputs.reload()?;
        let now = now.as_ref().unwrap_or(&self.inputs);
        let mut stored = self.stored.borrow_mut();
        for (subject, executed) in proved {
            let before = digest(&self.inputs, self.progress, subject)?;
            if before == digest(now, self.progress, subject)? {
                let digest = self.with_bodies(subject, &before, &executed.all)?;
                let proofs = stored.entry(key(check, subject)).or_default();
                proofs.push_front(Proof { digest, executed });
                proofs.truncate(KEPT);
            }
        }
        write_atomically(&self.file, &serde_json::to_vec(&*stored)?)
    }
}

fn digest(inputs: &Inputs, progress: &Progress, subject: Subject) -> Result<String> {
    let number = match subject {
        Subject::Course(files) | Subject::Only(_, files) => return inputs.of_course(files),
        Subject::Chapter(number) => number,
        Subject::Section(id) | Subject::Answers(id, _) => id.chapter,
    };
    let chapter = inputs.of_chapter(progress.course.written_chapter(number)?.0)?;
    Ok(match subject {
        Subject::Answers(_, tested) => format!("{chapter} {tested:02x?}"),
        _ => chapter,
    })
}

fn key(check: &str, subject: Subject) -> String {
    match subject {
        Subject::Course(_) => check.to_string(),
        Subject::Only(number, _) => format!("{check}, only chapter {number}"),
        Subject::Chapter(number) => format!("{check} of chapter {number}"),
        Subject::Section(id) | Subject::Answers(id, _) => format!("{check} of section {id}"),
    }
}
