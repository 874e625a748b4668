//! The data that all checks share.

use std::cell::{Cell, OnceCell};
use std::collections::BTreeMap;
use std::process::Child;

use anyhow::{Result, anyhow};
use sha2::{Digest, Sha256};

use super::chapter_crates;
use super::executed::{self, Executed, ExecutedBy};
use super::inputs::Files;
use super::mutants::{self, Noticing, crates as mutant_crates};
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
    /// The wrong answers in `crates`.
    planned: OnceCell<BTreeMap<SectionId, Noticing>>,
    /// The crates with the wrong answers, if `crates` lacks some.
    answer_crates: OnceCell<Result<TestCrates>>,
}

impl<'a> Context<'a> {
    /// All chapters of the course, or `only` one. If `fresh`, nothing counts as proved or compiled
    /// before.
    pub fn new(progress: &'a Progress, only: Option<u32>, fresh: bool) -> Result<Self> {
        if fresh {
            TestCrates::remove(&progress.repo)?;
        }
        Ok(Self {
            progress,
            book: Cell::default(),
            only,
            proofs: Proofs::load(progress, fresh)?,
            crates: OnceCell::new(),
            planned: OnceCell::new(),
            answer_crates: OnceCell::new(),
        })
    }

    /// Whether `check` has been proved for all these chapters, with everything unchanged.
    pub fn is_proved(&self, check: &str, files: Files) -> Result<bool> {
        self.proofs.has(check, self.subject(files))
    }

    /// Stores that `check` is proved for all these chapters.
    pub fn store(&self, check: &str, files: Files) -> Result<()> {
        self.proofs
            .store(check, vec![(self.subject(files), ExecutedBy::default())])
    }

    fn subject(&self, files: Files) -> Subject {
        match self.only {
            None => Subject::Course(files),
            Some(number) => Subject::Only(number, files),
        }
    }

    /// The sections for which `check` is still to be proved.
    pub fn unproved(&self, check: &str) -> Result<Vec<Part<'a>>> {
        self.unproved_if(check, &self.inputs_of(check)?)
    }

    /// The sections for which `check` is still to be proved if `executed` is what each test
    /// executes.
    fn unproved_if(
        &self,
        check: &str,
        executed: &BTreeMap<String, Executed>,
    ) -> Result<Vec<Part<'a>>> {
        let mut unproved = Vec::new();
        for part in self.sections() {
            let subject = self.section_subject(check, &part, executed)?;
            if !self.proofs.has(check, subject)? {
                unproved.push(part);
            }
        }
        Ok(unproved)
    }

    /// What each test executes, if the proofs of `check` depend on which tests that are.
    fn inputs_of(&self, check: &str) -> Result<BTreeMap<String, Executed>> {
        match check {
            SHARP => self.executed(),
            _ => Ok(BTreeMap::new()),
        }
    }

    fn section_subject(
        &self,
        check: &str,
        part: &Part,
        executed: &BTreeMap<String, Executed>,
    ) -> Result<Subject> {
        let id = part.section.id;
        Ok(match check {
            SHARP => {
                let tested = mutants::tests_for(self.progress, executed, part)?;
                let digest = Sha256::digest(format!("{tested:?}"));
                Subject::Answers(id, digest.into())
            }
            _ => Subject::Section(id),
        })
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
        let proved = chapters.map(|number| (Subject::Chapter(number), ExecutedBy::default()));
        self.proofs.store(COMPILES, proved.collect())
    }

    /// What each test executes, as far as that is known: where it is proved to need nothing later.
    pub fn executed(&self) -> Result<BTreeMap<String, Executed>> {
        let mut all = BTreeMap::new();
        for part in self.sections() {
            let id = part.section.id;
            let executed = self.proofs.executed(ISOLATED, Subject::Section(id))?;
            all.extend(executed.into_iter().flat_map(|executed| executed.tests));
        }
        Ok(all)
    }

    /// What each test executes, or executed when that was last known.
    fn last_executed(&self) -> Result<BTreeMap<String, Executed>> {
        let mut all = self.executed()?;
        for part in self.sections() {
            let subject = Subject::Section(part.section.id);
            let last = self.proofs.last_executed(ISOLATED, subject);
            for (test, executed) in last.into_iter().flat_map(|last| last.tests) {
                all.entry(test).or_insert(executed);
            }
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
        let crates = self.answer_crates.get().or_else(|| self.crates.get());
        let crates = crates.and_then(|crates| crates.as_ref().ok());
        let executed = self.inputs_of(check)?;
        let mut proved = Vec::new();
        for part in checked {
            let id = part.section.id;
            if problems.iter().all(|(of, _)| *of != id) {
                let subject = self.section_subject(check, part, &executed)?;
                let executed = crates.map(|crates| crates.take_executed(id));
                proved.push((subject, executed.unwrap_or_default()));
            }
        }
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
                &self.sections(),
                &self.unproved(GREEN)?,
                [&start, &stubs],
                &self.uncompiled()?,
            )?;
            stubs.extend(self.unproved(ISOLATED)?);
            // Before the tests have run, it is not known what they execute now.
            let executed = self.last_executed()?;
            let sharp = self.unproved_if(SHARP, &executed)?;
            packages.extend(mutant_crates::packages(
                self.progress,
                &reporting,
                reach,
                &self.sections(),
                [&stubs, &sharp],
                &executed,
            )?);
            let _ = self.planned.set(self.tested(&sharp, &executed)?);
            TestCrates::compile(self.progress, &packages)
        };
        self.crates
            .get_or_init(build)
            .as_ref()
            .map_err(|error| anyhow!("{error:#}"))
    }

    /// The crates with the wrong answers to the sections in `parts` and the tests that notice them.
    /// Those of [`crates`](Self::crates), unless the tests execute something else than before.
    /// `executed` has what each test executes.
    pub fn crates_with_answers(
        &self,
        parts: &[Part],
        executed: &BTreeMap<String, Executed>,
    ) -> Result<&TestCrates> {
        let crates = self.crates()?;
        let tested = self.tested(parts, executed)?;
        let is_planned = |id: &SectionId, tested: &Noticing| {
            let planned = self.planned.get().and_then(|planned| planned.get(id));
            let mut pairs = planned
                .into_iter()
                .flat_map(|planned| tested.iter().zip(planned));
            planned.is_some() && pairs.all(|(tested, planned)| tested.is_subset(planned))
        };
        if tested.iter().all(|(id, tested)| is_planned(id, tested)) {
            return Ok(crates);
        }
        let build = || {
            let Progress { repo, course, .. } = self.progress;
            let reporting = self
                .progress
                .solution()?
                .with_calls(repo, course, executed::call)?;
            let packages = mutant_crates::packages(
                self.progress,
                &reporting,
                self.proofs.reach(),
                &self.sections(),
                [&[], parts],
                executed,
            )?;
            TestCrates::compile(self.progress, &packages)
        };
        self.answer_crates
            .get_or_init(build)
            .as_ref()
            .map_err(|error| anyhow!("{error:#}"))
    }

    /// The tests that run with each wrong answer to the sections in `parts`.
    fn tested(
        &self,
        parts: &[Part],
        executed: &BTreeMap<String, Executed>,
    ) -> Result<BTreeMap<SectionId, Noticing>> {
        let tested = parts.iter().map(|part| {
            let tested = mutants::tests_for(self.progress, executed, part)?;
            Ok((part.section.id, tested))
        });
        tested.collect()
    }
}
