//! The data that all checks share.

use std::cell::{Cell, OnceCell};
use std::collections::{BTreeMap, BTreeSet};
use std::process::Child;

use anyhow::{Result, anyhow};

use super::cases::{Case, Cases, isolated};
use super::chapter_crates;
use super::executed;
use super::functions::Executed;
use super::inputs::Files;
use super::mutants::answers::{Answer, answers};
use super::mutants::crates;
use super::part::{Part, Unproved, parts};
use super::proofs::{COMPILES, GREEN, ISOLATED, Proofs, RED, SHARP, Subject};
use super::test_crates::{Package, TestCrates};
use crate::course_toml::Chapter;
use crate::imports::Imports;
use crate::manifest::{Manifest, SectionId};
use crate::progress::Progress;
use crate::stubs::Solution;

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
    /// What can be proved about wrong answers with `crates`.
    planned: OnceCell<BTreeSet<(SectionId, Case)>>,
    /// The reference that reports what is executed.
    reporting: OnceCell<Solution>,
    answers: OnceCell<Vec<Answer<'a>>>,
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
        let context = Self {
            progress,
            book: Cell::default(),
            only,
            proofs: Proofs::load(progress, fresh)?,
            crates: OnceCell::new(),
            planned: OnceCell::new(),
            reporting: OnceCell::new(),
            answers: OnceCell::new(),
            answer_crates: OnceCell::new(),
        };
        let chapters = context.chapters();
        let chapters = chapters.into_iter().map(|(chapter, _)| chapter);
        context.proofs.take_digests(chapters)?;
        Ok(context)
    }

    /// The imports of the reference.
    pub fn imports(&self) -> &Imports {
        self.proofs.reach().imports()
    }

    /// Whether `check` has been proved for all these chapters, with everything unchanged.
    pub fn is_proved(&self, check: &str, files: Files) -> Result<bool> {
        Ok(!self.proofs.proved(check, self.subject(files))?.is_empty())
    }

    /// Stores that `check` is proved for all these chapters.
    pub fn store(&self, check: &str, files: Files) -> Result<()> {
        self.proofs
            .store(check, vec![(self.subject(files), whole())])
    }

    fn subject(&self, files: Files) -> Subject {
        match self.only {
            None => Subject::Course(files),
            Some(number) => Subject::Only(number, files),
        }
    }

    /// What `check` has still to prove.
    pub fn unproved(&self, check: &str) -> Result<Vec<Unproved<'a>>> {
        self.unproved_if(check, &self.inputs_of(check)?)
    }

    /// What `check` has still to prove if `executed` is what each test executes.
    fn unproved_if(
        &self,
        check: &str,
        executed: &BTreeMap<String, Executed>,
    ) -> Result<Vec<Unproved<'a>>> {
        let mut unproved = Vec::new();
        for (part, mut cases) in self.cases(check, executed)? {
            let proved = self
                .proofs
                .proved(check, Subject::Section(part.section.id))?;
            cases.retain(|case| !proved.contains_key(case));
            if !cases.is_empty() {
                unproved.push(Unproved { part, cases });
            }
        }
        Ok(unproved)
    }

    /// What each test executes, if what `check` has to prove depends on it.
    fn inputs_of(&self, check: &str) -> Result<BTreeMap<String, Executed>> {
        match check {
            SHARP => self.executed(),
            _ => Ok(BTreeMap::new()),
        }
    }

    /// All that `check` has to prove of each section if `executed` is what each test executes.
    fn cases(
        &self,
        check: &str,
        executed: &BTreeMap<String, Executed>,
    ) -> Result<Vec<(Part<'a>, BTreeSet<Case>)>> {
        let mut of_answers: BTreeMap<SectionId, BTreeSet<Case>> = BTreeMap::new();
        if check == SHARP {
            for answer in self.answers()? {
                let of_section = of_answers.entry(answer.wrong.section).or_default();
                of_section.extend(answer.cases(executed));
            }
        }
        let mut all = Vec::new();
        for part in self.sections() {
            let cases = match check {
                ISOLATED => isolated(part.section),
                SHARP => of_answers.remove(&part.section.id).unwrap_or_default(),
                _ => [Case::Whole].into(),
            };
            if !cases.is_empty() {
                all.push((part, cases));
            }
        }
        Ok(all)
    }

    /// The wrong answers to the sections to verify.
    pub fn answers(&self) -> Result<&[Answer<'a>]> {
        if let Some(answers) = self.answers.get() {
            return Ok(answers);
        }
        let functions = self.proofs.functions()?;
        let answers = answers(self.progress, functions, &self.sections())?;
        Ok(self.answers.get_or_init(|| answers))
    }

    /// The chapters that are still to be compiled.
    pub fn uncompiled(&self) -> Result<Vec<(&'a Chapter, &'a Manifest)>> {
        let mut uncompiled = Vec::new();
        for (chapter, manifest) in self.chapters() {
            let subject = Subject::Chapter(chapter.number);
            if self.proofs.proved(COMPILES, subject)?.is_empty() {
                uncompiled.push((chapter, manifest));
            }
        }
        Ok(uncompiled)
    }

    /// Stores that these chapters compile.
    pub fn store_compiled(&self, chapters: impl Iterator<Item = u32>) -> Result<()> {
        let proved = chapters.map(|number| (Subject::Chapter(number), whole()));
        self.proofs.store(COMPILES, proved.collect())
    }

    /// What each test executes, as far as that is known: where it is proved to need nothing later.
    pub fn executed(&self) -> Result<BTreeMap<String, Executed>> {
        self.tests_in(|subject| self.proofs.proved(ISOLATED, subject))
    }

    /// What each test executes, or executed when that was last known.
    fn last_executed(&self) -> Result<BTreeMap<String, Executed>> {
        let mut all = self.tests_in(|subject| self.proofs.last_proved(ISOLATED, subject))?;
        all.extend(self.executed()?);
        Ok(all)
    }

    /// What each test executes, by what `proved` has of its section.
    fn tests_in(
        &self,
        proved: impl Fn(Subject) -> Result<Cases>,
    ) -> Result<BTreeMap<String, Executed>> {
        let mut all = BTreeMap::new();
        for part in self.sections() {
            for (case, executed) in proved(Subject::Section(part.section.id))? {
                if let Case::Alone(test) = case {
                    all.insert(test, executed);
                }
            }
        }
        Ok(all)
    }

    /// Stores that `check` is proved for the sections in `unproved` without a problem. Returns what
    /// it found.
    pub fn finding(
        &self,
        check: &str,
        count: String,
        unproved: &[Unproved],
        problems: Vec<(SectionId, String)>,
    ) -> Result<Finding> {
        let crates = self.answer_crates.get().or_else(|| self.crates.get());
        let crates = crates.and_then(|crates| crates.as_ref().ok());
        let mut proved = Vec::new();
        for Unproved { part, cases } in unproved {
            let id = part.section.id;
            let mut ran = crates.map_or_else(Cases::new, |crates| crates.take_executed(id));
            if problems.iter().any(|(of, _)| *of == id) {
                continue;
            }
            // A case without tests has executed nothing.
            let cases = cases.iter().map(|case| {
                let executed = ran.remove(case).unwrap_or_default();
                (case.clone(), executed)
            });
            proved.push((Subject::Section(id), cases.collect()));
        }
        self.proofs.store(check, proved)?;
        let has_cases = |part: &&Part| check != SHARP || part.wrong_answers().next().is_some();
        let all = self.sections().iter().filter(has_cases).count();
        let cached = all - unproved.len();
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
        let sections = self.progress.course.sections();
        sections.map(|section| section.id).collect()
    }

    /// The crates for what is still to be proved, compiled on first use.
    pub fn crates(&self) -> Result<&TestCrates> {
        let build = || {
            let solution = self.progress.solution()?;
            let has_start = |part: &Part| chapter_crates::has_shapes(solution, part.manifest);
            let (start, mut stubs): (Vec<_>, Vec<_>) =
                parts(&self.unproved(RED)?).into_iter().partition(has_start);
            let mut packages = chapter_crates::packages(
                self.progress,
                self.reporting()?,
                self.proofs.reach(),
                &self.sections(),
                &parts(&self.unproved(GREEN)?),
                [&start, &stubs],
                &self.uncompiled()?,
            )?;
            stubs.extend(parts(&self.unproved(ISOLATED)?));
            // Before the tests have run, it is not known what they execute now.
            let executed = self.last_executed()?;
            let sharp = self.unproved_if(SHARP, &executed)?;
            packages.extend(self.crates_of_answers(&stubs, &sharp, &executed)?);
            let _ = self.planned.set(provable(&sharp).collect());
            TestCrates::compile(self.progress, &packages)
        };
        self.crates
            .get_or_init(build)
            .as_ref()
            .map_err(|error| anyhow!("{error:#}"))
    }

    /// The crates with the wrong answers and the tests of what is `unproved` about them. Those of
    /// [`crates`](Self::crates), unless the tests execute something else than before. `executed` has
    /// what each test executes.
    pub fn crates_with_answers(
        &self,
        unproved: &[Unproved],
        executed: &BTreeMap<String, Executed>,
    ) -> Result<&TestCrates> {
        let crates = self.crates()?;
        let planned = self.planned.get();
        if planned.is_some_and(|planned| provable(unproved).all(|it| planned.contains(&it))) {
            return Ok(crates);
        }
        let build = || {
            let packages = self.crates_of_answers(&[], unproved, executed)?;
            TestCrates::compile(self.progress, &packages)
        };
        self.answer_crates
            .get_or_init(build)
            .as_ref()
            .map_err(|error| anyhow!("{error:#}"))
    }

    /// The crates for the runs with stubs of the sections in `stubs`, and for what is `unproved`
    /// about wrong answers.
    fn crates_of_answers(
        &self,
        stubs: &[Part],
        unproved: &[Unproved],
        executed: &BTreeMap<String, Executed>,
    ) -> Result<Vec<Package>> {
        crates::packages(
            self.progress,
            self.reporting()?,
            self.proofs.reach(),
            [&self.sections(), stubs],
            self.answers()?,
            unproved,
            executed,
        )
    }

    /// The reference that reports what is executed.
    fn reporting(&self) -> Result<&Solution> {
        if let Some(reporting) = self.reporting.get() {
            return Ok(reporting);
        }
        let Progress { repo, course, .. } = self.progress;
        let solution = self.progress.solution()?;
        let reporting = solution.with_calls(repo, course, executed::call)?;
        Ok(self.reporting.get_or_init(|| reporting))
    }
}

/// The one case of what is proved as a whole. It does not depend on what tests execute.
fn whole() -> Cases {
    [(Case::Whole, Executed::new())].into()
}

/// Each case with its section.
fn provable(unproved: &[Unproved]) -> impl Iterator<Item = (SectionId, Case)> {
    unproved.iter().flat_map(|Unproved { part, cases }| {
        let id = part.section.id;
        cases.iter().map(move |case| (id, case.clone()))
    })
}
