//! The state that every command works with: the course, the open chapters and the last
//! verdicts.

use std::cell::OnceCell;
use std::fs::{self, File};
use std::panic::resume_unwind;
use std::thread;

use anyhow::{Context, Result};

use crate::cargo::{self, Step};
use crate::chapter_tests::ChapterTests;
use crate::course_toml::{Chapter, Course};
use crate::journal::Journal;
use crate::learning_path::LearningPath;
use crate::manifest::{Manifest, Section};
use crate::open_chapter::open_chapter;
use crate::repo::Repo;
use crate::stubs::Solution;
use crate::verdict::{self, ChapterReport, Judge, SectionPieces};
use crate::verdict_cache::{self, VerdictCache};

/// The course and the learner's progress in it.
pub struct Progress {
    /// The repository.
    pub repo: Repo,
    /// Its chapters.
    pub course: Course,
    /// The reference, once it has been needed.
    solution: OnceCell<Solution>,
    /// The newest open chapter.
    pub open: u32,
    /// The last verdicts.
    pub verdicts: VerdictCache,
    /// The learner's path.
    pub path: LearningPath,
    /// The chapters that a run of the tests has just found done, and that were not done before.
    pub finished: Vec<u32>,
    /// See [`Request::kills`](cargo::Request::kills).
    pub kills: usize,
}

impl Progress {
    /// Reads the course and the last verdicts.
    pub fn load(repo: Repo) -> Result<Self> {
        // Both take a while, and neither needs the other.
        let (course, sources) = thread::scope(|scope| {
            let sources = scope.spawn(|| verdict_cache::fingerprint(&repo));
            (Course::load(&repo), sources.join())
        });
        let sources = sources.unwrap_or_else(|panic| resume_unwind(panic));
        Self::with(course?, sources?, repo)
    }

    /// Does the same for a caller that knows the fingerprint of the sources.
    pub fn load_at(repo: Repo, sources: u64) -> Result<Self> {
        let course = Course::load(&repo)?;
        Self::with(course, sources, repo)
    }

    fn with(course: Course, sources: u64, repo: Repo) -> Result<Self> {
        let verdicts = VerdictCache::load(&repo, sources)?;
        let path = LearningPath::load(&repo)?;
        Ok(Self {
            path,
            repo,
            course,
            solution: OnceCell::new(),
            open: verdicts.open(),
            verdicts,
            finished: Vec::new(),
            kills: cargo::kills(),
        })
    }

    /// Waits until no other command changes the learner's files, and reads again what another one
    /// may have changed. Others wait until the returned file is dropped.
    pub fn lock(&mut self) -> Result<File> {
        let lock = self.repo.lock()?;
        self.course = Course::load(&self.repo)?;
        self.solution = OnceCell::new();
        self.path = LearningPath::load(&self.repo)?;
        let manifest =
            fs::read_to_string(self.repo.cargo_toml()).context("cannot read Cargo.toml")?;
        self.open = open_chapter(&manifest)?;
        Ok(lock)
    }

    /// Reads the verdicts again, after this command has written files that they depend on.
    pub fn reload_verdicts(&mut self) -> Result<()> {
        let sources = verdict_cache::fingerprint(&self.repo)?;
        self.verdicts = VerdictCache::load(&self.repo, sources)?;
        Ok(())
    }

    /// The reference. It is parsed on first use, since that takes a while.
    pub fn solution(&self) -> Result<&Solution> {
        if let Some(solution) = self.solution.get() {
            return Ok(solution);
        }
        let solution = Solution::load(&self.repo, &self.course).context(DISAGREE)?;
        Ok(self.solution.get_or_init(|| solution))
    }

    /// The chapters that are open and written and run on this system, oldest first.
    pub fn open_chapters(&self) -> impl Iterator<Item = (&Chapter, &Manifest)> {
        let written = self.course.written();
        written.filter(|(chapter, manifest)| chapter.number <= self.open && manifest.runs_here())
    }

    /// The numbers of the chapters that are open and written.
    pub fn open_numbers(&self) -> Vec<u32> {
        let open = self.open_chapters();
        open.map(|(chapter, _)| chapter.number).collect()
    }

    /// What the learner has written of the chapters `numbers`.
    pub fn pieces(&self, numbers: &[u32]) -> Result<SectionPieces> {
        let (repo, course) = (&self.repo, &self.course);
        let look = |sections: &[&Section]| -> Result<SectionPieces> {
            let solution = Solution::load_sections(repo, course, sections).context(DISAGREE)?;
            Ok(verdict::look_at_pieces(repo, &solution, sections))
        };
        // To parse the files takes most of the time between a save and the start of the compiler.
        let sections = course.sections_of(numbers);
        let (first, second) = sections.split_at(sections.len() / 2);
        let (first, second) = thread::scope(|scope| {
            let second = scope.spawn(|| look(second));
            (look(first), second.join())
        });
        let mut pieces = first?;
        pieces.extend(second.unwrap_or_else(|panic| resume_unwind(panic))?);
        Ok(pieces)
    }

    /// Runs the tests of the chapters `numbers` together, judges each chapter and caches the
    /// verdicts. Calls `on_progress` with each step.
    pub fn run(
        &mut self,
        numbers: &[u32],
        on_progress: impl FnMut(Step) + Send,
    ) -> Result<Vec<ChapterReport>> {
        let pieces = self.pieces(numbers)?;
        let tests = ChapterTests::new(&self.course, self.open, numbers, &pieces)?;
        let run = tests.run(&self.repo, self.kills, on_progress)?;
        let judge = Judge {
            repo: &self.repo,
            course: &self.course,
            pieces: &pieces,
            path: &self.path,
        };
        let mut reports = Vec::new();
        for number in numbers {
            let (chapter, manifest) = self.course.written_chapter(*number)?;
            let run = run.about(&manifest.tests());
            reports.push(verdict::judge(
                &judge,
                chapter,
                manifest,
                &run,
                self.verdicts.last(*number),
            ));
        }
        let was_red = |report: &&ChapterReport| {
            let before = self.verdicts.last(report.number);
            before.is_some_and(|before| before.current().is_some())
        };
        let finished = reports.iter().filter(|report| report.is_done());
        let finished: Vec<u32> = finished.filter(was_red).map(|it| it.number).collect();
        self.finished.extend(finished);
        // Not cached if a source changed during the run. A failure of cargo is not cached
        // either: a missing download or a full disk can be fixed without changing a source.
        let sources = verdict_cache::fingerprint(&self.repo)?;
        if !run.is_cargo_failure() && sources == self.verdicts.sources() {
            self.verdicts.store(&reports)?;
            let current = self.verdicts.last(self.verdicts.last_current());
            let current = current.and_then(ChapterReport::current);
            Journal::add(&self.repo, &reports, current)?;
            self.take_stubs(&reports)?;
        }
        Ok(reports)
    }

    /// A given section that is a stub again, such as after `cargo course undo`, is the learner's
    /// work from now on.
    fn take_stubs(&mut self, reports: &[ChapterReport]) -> Result<()> {
        let built = reports.iter().filter(|report| !report.is_not_built());
        let sections = built.flat_map(|report| &report.sections);
        let stubs = sections.filter(|section| !section.given);
        let taken: Vec<&str> = stubs
            .map(|section| section.name.as_str())
            .filter(|name| self.path.has_given(name))
            .collect();
        if taken.is_empty() {
            return Ok(());
        }
        // Another command may have changed the path during the run.
        let _lock = self.repo.lock()?;
        self.path = LearningPath::load(&self.repo)?;
        for name in taken {
            self.path.take(name);
        }
        self.path.store(&self.repo)
    }

    /// Runs the current chapter by itself, and judges other chapters by their last verdicts. If it
    /// is done, goes on to the first chapter that is not. Verdicts that are still valid come from
    /// the cache.
    pub fn run_current(
        &mut self,
        mut on_progress: impl FnMut(Step) + Send,
    ) -> Result<ChapterReport> {
        let mut tried = Vec::new();
        loop {
            let number = self.verdicts.last_current();
            tried.push(number);
            let report = match self.verdicts.of(number) {
                Some(report) => report.clone(),
                None => first_to_do(self.run(&[number], &mut on_progress)?)?,
            };
            if !report.is_done() || tried.contains(&self.verdicts.last_current()) {
                return Ok(report);
            }
        }
    }
}

const DISAGREE: &str = "the manifests and solutions/ disagree; `git status` shows what changed";

/// The first report with a checkpoint that is not green, or else the last one. Where the code does
/// not compile, checkpoints count as they were before.
pub fn first_to_do(reports: impl IntoIterator<Item = ChapterReport>) -> Result<ChapterReport> {
    let mut last = None;
    for report in reports {
        if report.current().is_some() {
            return Ok(report);
        }
        last = Some(report);
    }
    last.context("no chapter is open; `cargo course open 1` opens the first")
}
