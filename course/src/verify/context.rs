//! The data that all checks share.

use std::cell::OnceCell;

use anyhow::{Result, anyhow};

use super::chapter_crates;
use super::executed::{self, Executed};
use super::inputs::Files;
use super::mutants::crates as mutant_crates;
use super::proofs::{COMPILES, ISOLATED, Proofs, RED, SHARP, Subject};
use super::test_crates::TestCrates;
use crate::course_toml::Chapter;
use crate::manifest::{Manifest, SectionId};
use crate::progress::Progress;

/// The result of one check.
#[derive(Debug, Default)]
pub struct Finding {
    /// What was checked and how much of it, such as `41 tests`.
    pub count: String,
    /// Each problem, with a way to fix it.
    pub problems: Vec<String>,
}

/// The course to verify.
pub struct Context<'a> {
    /// The course.
    pub progress: &'a Progress,
    only: Option<u32>,
    proofs: Proofs<'a>,
    crates: OnceCell<Result<TestCrates>>,
}

impl<'a> Context<'a> {
    /// All chapters of the course, or `only` one. If `fresh`, nothing counts as proved before.
    pub fn new(progress: &'a Progress, only: Option<u32>, fresh: bool) -> Result<Self> {
        Ok(Self {
            progress,
            only,
            proofs: Proofs::load(progress, fresh)?,
            crates: OnceCell::new(),
        })
    }

    /// Whether `check` has been proved for all these chapters, with everything unchanged.
    pub fn is_proved(&self, check: &str, files: Files) -> Result<bool> {
        self.proofs.has(check, self.subject(files))
    }

    /// Stores that `check` is proved for all these chapters.
    pub fn store(&self, check: &str, files: Files) -> Result<()> {
        self.proofs
            .store(check, vec![(self.subject(files), Executed::default())])
    }

    fn subject(&self, files: Files) -> Subject {
        match self.only {
            None => Subject::Course(files),
            Some(number) => Subject::Only(number, files),
        }
    }

    /// The chapters for which `check` is still to be proved.
    pub fn unproved(&self, check: &str) -> Result<Vec<(&'a Chapter, &'a Manifest)>> {
        let mut unproved = Vec::new();
        for (chapter, manifest) in self.chapters() {
            if !self.proofs.has(check, Subject::Chapter(chapter.number))? {
                unproved.push((chapter, manifest));
            }
        }
        Ok(unproved)
    }

    /// Stores that these chapters compile.
    pub fn store_compiled(&self, chapters: impl Iterator<Item = u32>) -> Result<()> {
        let proved = chapters.map(|number| (Subject::Chapter(number), Executed::default()));
        self.proofs.store(COMPILES, proved.collect())
    }

    /// Stores that `check` is proved for the chapters among `checked` without a problem.
    /// Returns what it found.
    pub fn finding(
        &self,
        check: &str,
        count: String,
        checked: &[(&Chapter, &Manifest)],
        problems: Vec<(u32, String)>,
    ) -> Result<Finding> {
        let has_problem = |number: u32| problems.iter().any(|(of, _)| *of == number);
        let numbers = checked.iter().map(|(chapter, _)| chapter.number);
        let crates = self.crates.get().and_then(|crates| crates.as_ref().ok());
        let proved = numbers
            .filter(|number| !has_problem(*number))
            .map(|number| {
                let executed = crates.map(|crates| crates.take_executed(number));
                (Subject::Chapter(number), executed.unwrap_or_default())
            })
            .collect();
        self.proofs.store(check, proved)?;
        let all = self.chapters().len();
        let cached = all - checked.len();
        Ok(Finding {
            count: match cached {
                0 => count,
                cached => format!("{count}, {cached} of {all} cached"),
            },
            problems: problems.into_iter().map(|(_, problem)| problem).collect(),
        })
    }

    /// The chapters to verify.
    pub fn chapters(&self) -> Vec<(&'a Chapter, &'a Manifest)> {
        let written = self.progress.course.written();
        written
            .filter(|(chapter, _)| self.only.is_none_or(|only| only == chapter.number))
            .collect()
    }

    /// The sections of the whole course.
    pub fn all_sections(&self) -> Vec<SectionId> {
        let chapters = self.progress.course.written();
        let sections = chapters.flat_map(|(_, manifest)| &manifest.sections);
        sections.map(|section| section.id).collect()
    }

    /// The crates for what is still to be proved, compiled on first use.
    pub fn crates(&self) -> Result<&TestCrates> {
        let build = || {
            let (red, isolated) = (self.unproved(RED)?, self.unproved(ISOLATED)?);
            let compiles = self.unproved(COMPILES)?;
            let reach = self.proofs.reach();
            let Progress { repo, course, .. } = self.progress;
            let solution = self.progress.solution()?;
            let reporting = solution.with_calls(repo, course, executed::call)?;
            let mut packages =
                chapter_crates::packages(self.progress, &reporting, reach, &red, &compiles)?;
            let sharp = self.unproved(SHARP)?;
            let stubs = [red, isolated].concat();
            packages.extend(mutant_crates::packages(
                self.progress,
                &reporting,
                reach,
                &stubs,
                &sharp,
            )?);
            TestCrates::compile(self.progress, &packages)
        };
        self.crates
            .get_or_init(build)
            .as_ref()
            .map_err(|error| anyhow!("{error:#}"))
    }
}
