//! The cache of what has been proved. A proof is known by its check, its subject and its case, with
//! the digest of everything that it depends on. Only success is stored.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::path::PathBuf;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::cases::{Case, Cases};
use super::functions::{BodyVersion, Executed, Functions};
use super::inputs::{Files, Inputs};
use super::reach::Reach;
use crate::course_toml::Chapter;
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
/// That the tests need nothing later; proved test by test.
pub const ISOLATED: &str = "isolated";
/// That wrong answers are caught; proved for each answer and test.
pub const SHARP: &str = "sharp";

/// So many proofs of one case are kept: what an edit changes is often changed back.
const KEPT: usize = 4;

/// The proofs of earlier runs, and the digests of the current inputs.
pub struct Proofs<'a> {
    progress: &'a Progress,
    file: PathBuf,
    stored: RefCell<Stored>,
    /// For each stored body, the number of the function that has it now.
    current: RefCell<Vec<Option<usize>>>,
    /// The inputs at the start of this run.
    inputs: Inputs<'a>,
}

/// The file with the proofs.
#[derive(Default, Serialize, Deserialize)]
struct Stored {
    /// The digests that proofs depend on.
    digests: Vec<String>,
    /// The bodies that proofs depend on.
    bodies: Vec<BodyVersion>,
    /// By check and subject, what is proved.
    proofs: BTreeMap<String, Vec<ProvedCase>>,
}

/// The last [`KEPT`] proofs of a case, the newest first.
#[derive(Serialize, Deserialize)]
struct ProvedCase {
    case: Case,
    proofs: VecDeque<Proof>,
}

/// What a proof depends on.
#[derive(PartialEq, Serialize, Deserialize)]
struct Proof {
    /// The index of the digest of its inputs, without the bodies.
    digest: usize,
    /// The indexes of the bodies that its tests executed.
    bodies: Vec<usize>,
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
        let stored: Stored = stored.unwrap_or_default();
        let inputs = Inputs::load(progress)?;
        Ok(Self {
            progress,
            file,
            current: RefCell::new(stored.current(inputs.functions()?)),
            stored: RefCell::new(stored),
            inputs,
        })
    }

    /// Takes the digests of all files and of `chapters`. The run keeps the manifests and the
    /// reference in memory, so a digest that is taken later could describe files that this run has
    /// not read.
    pub fn take_digests<'c>(&self, chapters: impl Iterator<Item = &'c Chapter>) -> Result<()> {
        self.inputs.of_course(Files::Learners)?;
        for chapter in chapters {
            self.inputs.of_chapter(chapter)?;
        }
        Ok(())
    }

    /// What the tests reach.
    pub fn reach(&self) -> &Reach<'a> {
        &self.inputs.reach
    }

    /// The functions of the reference.
    pub fn functions(&self) -> Result<&Functions> {
        self.inputs.functions()
    }

    /// The cases of `check` that are proved with the current inputs, with what the tests of each
    /// executed.
    pub fn proved(&self, check: &str, subject: Subject) -> Result<Cases> {
        let digest = digest(&self.inputs, self.progress, subject)?;
        let stored = self.stored.borrow();
        let current = self.current.borrow();
        let mut proved = Cases::new();
        for ProvedCase { case, proofs } in stored.of(check, subject) {
            let executed = proofs.iter().find_map(|proof| {
                let is_same = stored.digests.get(proof.digest) == Some(&digest);
                let bodies = proof.bodies.iter();
                let numbers = bodies.map(|body| *current.get(*body)?);
                numbers.collect::<Option<Executed>>().filter(|_| is_same)
            });
            proved.extend(executed.map(|executed| (case.clone(), executed)));
        }
        Ok(proved)
    }

    /// The cases of `check` that were proved last, with the current inputs or others, and what of
    /// the current functions their tests executed.
    pub fn last_proved(&self, check: &str, subject: Subject) -> Result<Cases> {
        let functions = self.functions()?;
        let stored = self.stored.borrow();
        let last = stored.of(check, subject).iter().filter_map(|proved| {
            let bodies = proved.proofs.front()?.bodies.iter();
            let bodies = bodies.filter_map(|body| stored.bodies.get(*body));
            let numbers = bodies.filter_map(|body| Some(functions.find(body)?.0));
            Some((proved.case.clone(), numbers.collect()))
        });
        Ok(last.collect())
    }

    /// Stores that these cases of `check` are proved, except for subjects whose inputs have changed
    /// since the run started: part of the run may have read the old files, part
    /// the new ones.
    pub fn store(&self, check: &str, proved: Vec<(Subject, Cases)>) -> Result<()> {
        if proved.is_empty() {
            return Ok(());
        }
        let now = self.inputs.reload()?;
        let now = now.as_ref().unwrap_or(&self.inputs);
        let functions = self.functions()?;
        let mut stored = self.stored.borrow_mut();
        let mut current = self.current.borrow_mut();
        // For each function, the index of its body as it is now.
        let mut indexes = vec![None; functions.all().len()];
        for (index, number) in current.iter().enumerate() {
            if let Some(number) = number {
                indexes[*number] = Some(index);
            }
        }
        for (subject, cases) in proved {
            let before = digest(&self.inputs, self.progress, subject)?;
            if before != digest(now, self.progress, subject)? {
                continue;
            }
            let digest = index_of(&mut stored.digests, before);
            for (case, executed) in cases {
                let mut bodies = Vec::new();
                for number in executed {
                    let body = &functions.all()[number].body;
                    let index = indexes[number].get_or_insert_with(|| {
                        stored.bodies.push(body.clone());
                        current.push(Some(number));
                        stored.bodies.len() - 1
                    });
                    bodies.push(*index);
                }
                stored.add(check, subject, case, Proof { digest, bodies });
            }
        }
        write_atomically(&self.file, &serde_json::to_vec(&*stored)?)
    }
}

impl Stored {
    fn of(&self, check: &str, subject: Subject) -> &[ProvedCase] {
        let proved = self.proofs.get(&key(check, subject));
        proved.map_or(&[], Vec::as_slice)
    }

    /// For each stored body, the number of the function that has it now.
    fn current(&self, functions: &Functions) -> Vec<Option<usize>> {
        let bodies = self.bodies.iter();
        let current = bodies.map(|body| {
            let (number, is_same) = functions.find(body)?;
            is_same.then_some(number)
        });
        current.collect()
    }

    fn add(&mut self, check: &str, subject: Subject, case: Case, proof: Proof) {
        let cases = self.proofs.entry(key(check, subject)).or_default();
        let known = cases.iter_mut().find(|proved| proved.case == case);
        match known {
            Some(ProvedCase { proofs, .. }) => {
                proofs.retain(|other| *other != proof);
                proofs.push_front(proof);
                proofs.truncate(KEPT);
            }
            None => cases.push(ProvedCase {
                case,
                proofs: [proof].into(),
            }),
        }
    }
}

/// The index of `item`, which is added if it is not there.
fn index_of(items: &mut Vec<String>, item: String) -> usize {
    let known = items.iter().position(|known| *known == item);
    known.unwrap_or_else(|| {
        items.push(item);
        items.len() - 1
    })
}

fn digest(inputs: &Inputs, progress: &Progress, subject: Subject) -> Result<String> {
    let chapter = |number| Ok::<_, anyhow::Error>(progress.course.written_chapter(number)?.0);
    match subject {
        Subject::Course(files) | Subject::Only(_, files) => inputs.of_course(files),
        Subject::Chapter(number) => {
            inputs.with_own_bodies(&inputs.of_chapter(chapter(number)?)?, number)
        }
        Subject::Section(id) => inputs.of_chapter(chapter(id.chapter)?),
    }
}

fn key(check: &str, subject: Subject) -> String {
    match subject {
        Subject::Course(_) => check.to_string(),
        Subject::Only(number, _) => format!("{check}, only chapter {number}"),
        Subject::Chapter(number) => format!("{check} of chapter {number}"),
        Subject::Section(id) => format!("{check} of section {id}"),
    }
}
