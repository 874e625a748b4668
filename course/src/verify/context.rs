//! The data that all checks share.

use std::cell::{Cell, OnceCell};
use std::collections::BTreeMap;
use std::process::Child;

use anyhow::{Result, anyhow};

use super::chapter_crates;
use super::executed::{self, Executed};
use super::inputs::Files;
use super::mutants::crates as mutant_crates;
use super::part::Part;
use super::proofs::{COMPILES, GREEN, ISOLATED, Proofs, RED, SHARP, Subject};
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
    /// The book builder's check, if it has been started.
    pub book: Cell<Option<Child>>,
    only: Option<u32>,
    proofs: Proofs<'a>,
    crates: OnceCell<Result<TestCrates>>,
}

impl<'a> Context<'a> {
    /// All chapters of the course, or `only` one. If `fresh`, nothing counts as proved before.
    pub fn new(progress: &'a Progress, only: Option<u32>, fresh: bool) -> Result<Self> {
        Ok(Self {
            progress,
            book: Cell::default(),
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

    /// The sections for which `check` is still to be proved.
    pub fn unproved(&self, check: &str) -> Result<Vec<Part<'a>>> {
        let mut unproved = Vec::new();
        for part in self.sections() {
            if !self.proofs.has(check, Subject::Section(part.section.id))? {
                unproved.push(part);
            }
        }
        Ok(unproved)
    }

    /// The chapters that are still to be compiled.
    pub fn uncompiled(&self) -> Result<Vec<(&'a Chapter, &'a Manifest)>> {
        let mut uncompiled = Vec::new();
        for (chapter, manifest) in self.chapters() {
            if !self
                .proofs
                .has(COMPILES, Subject::Chapter(chapter.number))?
            {
                uncompiled.push((chapter, manifest));
            }
        }
        Ok(uncompiled)
    }

    /// Stores that these chapters compile.
    pub fn store_compiled(&self, chapters: impl Iterator<Item = u32>) -> Result<()> {
        let proved = chapters.map(|number| (Subject::Chapter(number), Executed::default()));
        self.proofs.store(COMPILES, proved.collect())
    }

    /// What the tests of each section execute, as far as that is known: where they are proved to
    /// need nothing later.
    pub fn executed(&self) -> Result<BTreeMap<SectionId, Executed>> {
        let mut all = BTreeMap::new();
        for part in self.sections() {
            let id = part.section.id;
            let executed = self.proofs.executed(ISOLATED, Subject::Section(id))?;
            all.extend(executed.map(|executed| (id, executed)));
        }
        Ok(all)
    }

    /// Stores that `check` is proved for the sections among `checked` without a problem.
    /// Returns what it found.
    pub fn finding(
        &self,
        check: &str,
        count: String,
        checked: &[Part],
        problems: Vec<(SectionId, String)>,
    ) -> Result<Finding> {
        let crates = self.crates.get().and_then(|crates| crates.as_ref().ok());
        let ids = checked.iter().map(|part| part.section.id);
        let proved = ids
            .filter(|id| !problems.iter().any(|(of, _)| of == id))
            .map(|id| {
                let executed = crates.map(|crates| crates.take_executed(id));
                (Subject::Section(id), executed.unwrap_or_default())
            })
            .collect();
        self.proofs.store(check, proved)?;
        let all = self.sections().len();
        let cached = all - checked.len();
        let mut problems: Vec<String> = problems.into_iter().map(|(_, problem)| problem).collect();
        // Sections can have one problem in common, such as a crate that does not compile.
        problems.dedup();
        Ok(Finding {
            count: match cached {
                0 => count,
                cached => format!("{count}, {cached} of {all} sections cached"),
            },
            problems,
        })
    }

    /// The chapters to verify.
    pub fn chapters(&self) -> Vec<(&'a Chapter, &'a Manifest)> {
        let written = self.progress.course.written();
        written
            .filter(|(chapter, _)| self.only.is_none_or(|only| only == chapter.number))
            .collect()
    }

    /// The sections to verify.
    pub fn sections(&self) -> Vec<Part<'a>> {
        let chapters = self.chapters().into_iter();
        let parts = chapters.flat_map(|(chapter, manifest)| {
            manifest.sections.iter().map(move |section| Part {
                chapter,
                manifest,
                section,
            })
        });
        parts.collect()
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
            let Progress { repo, course, .. } = self.progress;
            let solution = self.progress.solution()?;
            let reporting = solution.with_calls(repo, course, executed::call)?;
            let reach = self.proofs.reach();
            let has_start = |part: &Part| chapter_crates::has_shapes(solution, part.manifest);
            let (start, mut stubs): (Vec<_>, Vec<_>) =
                self.unproved(RED)?.into_iter().partition(has_start);
            let mut packages = chapter_crates::packages(
                self.progress,
                &reporting,
                reach,
                &self.unproved(GREEN)?,
                [&start, &stubs],
                &self.uncompiled()?,
            )?;
            stubs.extend(self.unproved(ISOLATED)?);
            let sharp = self.unproved(SHARP)?;
            packages.extend(mutant_crates::packages(
                self.progress,
                &reporting,
                reach,
                &stubs,
                &sharp,
                &self.executed()?,
            )?);
            TestCrates::compile(self.progress, &packages)
        };
        self.crates
            .get_or_init(build)
            .as_ref()
            .map_err(|error| anyhow!("{error:#}"))
    }
}
