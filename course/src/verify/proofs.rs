//! The cache of what has been proved. A proof is known by its check, its subject and the digest
//! of everything that it depends on. Only success is stored.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use anyhow::Result;

use super::inputs::Inputs;
use crate::course_toml::{Chapter, Course};
use crate::progress::Progress;
use crate::repo::write_atomically;

/// That the tests fail on the stubs; proved chapter by chapter.
pub const RED: &str = "red";
/// That nothing later is needed; proved chapter by chapter.
pub const ISOLATED: &str = "isolated";
/// That wrong answers are caught; proved chapter by chapter.
pub const SHARP: &str = "sharp";

/// The proofs of earlier runs, and the digests of the current inputs.
pub struct Proofs {
    file: PathBuf,
    /// For each check and subject, the digest of the inputs at its last proof.
    stored: RefCell<BTreeMap<String, String>>,
    course: String,
    chapters: BTreeMap<u32, String>,
}

/// What a check proves something about.
#[derive(Debug, Clone, Copy)]
pub enum Subject {
    /// All chapters, and the rest of the repository.
    Course,
    /// One chapter, with everything else in the repository: the checks that are not proved
    /// chapter by chapter, under `--chapter N`.
    Only(u32),
    /// One chapter and what it depends on.
    Chapter(u32),
}

impl Proofs {
    /// Reads the stored proofs, or forgets them if `fresh`. A file that cannot be read counts as
    /// empty: everything is proved again.
    pub fn load(progress: &Progress, fresh: bool) -> Result<Self> {
        let file = progress.repo.root().join("target/proofs.json");
        let stored = match fresh {
            true => None,
            false => fs::read(&file).ok(),
        };
        let stored = stored.and_then(|json| serde_json::from_slice(&json).ok());
        let inputs = Inputs::load(progress)?;
        Ok(Self {
            file,
            stored: RefCell::new(stored.unwrap_or_default()),
            course: inputs.of_course()?,
            chapters: digests(&inputs, &progress.course)?,
        })
    }

    /// Whether `check` has been proved with the current inputs.
    pub fn has(&self, check: &str, subject: Subject) -> bool {
        let stored = self.stored.borrow();
        let digest = self.digest(subject);
        digest.is_some() && stored.get(&key(check, subject)) == digest
    }

    /// Stores that `check` is proved.
    pub fn store(&self, check: &str, subjects: &[Subject]) -> Result<()> {
        let mut stored = self.stored.borrow_mut();
        for subject in subjects {
            if let Some(digest) = self.digest(*subject) {
                stored.insert(key(check, *subject), digest.clone());
            }
        }
        write_atomically(&self.file, &serde_json::to_vec_pretty(&*stored)?)
    }

    fn digest(&self, subject: Subject) -> Option<&String> {
        match subject {
            Subject::Course | Subject::Only(_) => Some(&self.course),
            Subject::Chapter(number) => self.chapters.get(&number),
        }
    }
}

fn digests(inputs: &Inputs, course: &Course) -> Result<BTreeMap<u32, String>> {
    let digest = |chapter: &Chapter| Ok((chapter.number, inputs.of_chapter(chapter)?));
    course
        .written()
        .map(|(chapter, _)| digest(chapter))
        .collect()
}

fn key(check: &str, subject: Subject) -> String {
    match subject {
        Subject::Course => check.to_string(),
        Subject::Only(number) => format!("{check}, only chapter {number}"),
        Subject::Chapter(number) => format!("{check} of chapter {number}"),
    }
}
