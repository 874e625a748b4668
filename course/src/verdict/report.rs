//! The verdict on a chapter, as it is shown, cached and exported.

use serde::{Deserialize, Serialize};

use crate::cargo::{Diagnostic, Failure};
use crate::manifest::SectionId;

/// The verdict on one chapter.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ChapterReport {
    /// The chapter.
    pub number: u32,
    /// Its title.
    pub title: String,
    /// Its page in the book, relative to the repository.
    pub page: String,
    /// Its sections, in order.
    pub sections: Vec<SectionReport>,
    /// Why some or all tests have no result, if so.
    pub problem: Option<RunError>,
}

impl ChapterReport {
    /// Whether every checkpoint is green.
    pub fn is_done(&self) -> bool {
        self.problem.is_none() && self.current().is_none()
    }

    /// Whether no test ran, because the code does not compile or cargo failed.
    pub fn is_not_built(&self) -> bool {
        matches!(
            self.problem,
            Some(RunError::DoesNotCompile { .. } | RunError::CargoFailed { .. })
        )
    }

    /// The first checkpoint of the learner's that failed, or else the first given one that did,
    /// or else the first one without a result. `None` if every checkpoint is green.
    pub fn current(&self) -> Option<&SectionReport> {
        let first = |wanted: &[State], given: bool| {
            let mut sections = self.sections.iter();
            sections.find(|section| wanted.contains(&section.state) && section.given == given)
        };
        let failed = [State::NotWritten, State::Wrong, State::Waiting];
        first(&failed, false)
            .or_else(|| first(&failed, true))
            .or_else(|| first(&[State::Unknown], false))
            .or_else(|| first(&[State::Unknown], true))
    }

    /// The number of green checkpoints, and of all checkpoints, without the given ones.
    pub fn count(&self) -> (usize, usize) {
        let done = self.own().filter(|section| section.state == State::Done);
        (done.count(), self.own().count())
    }

    /// The minutes that the checkpoints take that are not green yet.
    pub fn minutes_left(&self) -> u32 {
        let left = self.own().filter(|section| section.state != State::Done);
        left.map(|section| section.minutes).sum()
    }

    /// The sections that the learner writes.
    fn own(&self) -> impl Iterator<Item = &SectionReport> {
        let sections = self.sections.iter();
        sections.filter(|section| section.state != State::Reading && !section.given)
    }
}

/// Why some or all tests have no result.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum RunError {
    /// The code does not compile.
    DoesNotCompile {
        /// The compiler's errors.
        errors: Vec<Diagnostic>,
    },
    /// Cargo failed before the compiler started.
    CargoFailed {
        /// Its error message.
        message: String,
    },
    /// The test run did not finish.
    CutShort {
        /// Why.
        message: String,
    },
}

/// The verdict on one section.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SectionReport {
    /// Such as `1.3`.
    pub id: SectionId,
    /// Its name, which stays the same when its number moves.
    pub name: String,
    /// Its title.
    pub title: String,
    /// The minutes that it takes.
    pub minutes: u32,
    /// Whether it is a depth section.
    pub depth: bool,
    /// Whether its code was copied from the reference on the core path, or is going to be.
    pub given: bool,
    /// Its state.
    pub state: State,
    /// The section that it waits for.
    pub waits_for: Option<SectionId>,
    /// Its tests, in the manifest's order.
    pub tests: Vec<TestReport>,
    /// The file with its tests, relative to the repository; `None` where it has none.
    #[serde(default)]
    pub test_file: Option<String>,
    /// The parts that the learner writes.
    pub pieces: Vec<PieceReport>,
    /// The explanation of a known mistake.
    pub explanation: Option<String>,
    /// The compiler's warnings about its files, if its tests fail.
    #[serde(default)]
    pub warnings: Vec<Diagnostic>,
}

impl SectionReport {
    /// The first of its tests that fails.
    pub fn first_failure(&self) -> Option<(&str, &Failure)> {
        self.tests
            .iter()
            .find_map(|test| Some((test.name.as_str(), test.failure.as_ref()?)))
    }
}

/// The state of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// All its tests pass.
    Done,
    /// Some part of it is still a stub or missing.
    NotWritten,
    /// It is written, and a test fails.
    Wrong,
    /// Its tests stop at the stub of an earlier section.
    Waiting,
    /// Its tests have no result: the code does not compile, or the run did not finish.
    Unknown,
    /// It has nothing to write; the learner only reads it.
    Reading,
}

/// The result of one test.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TestReport {
    /// The function's name.
    pub name: String,
    /// Whether it passed; `None` without a result.
    pub passed: Option<bool>,
    /// Why it failed.
    pub failure: Option<Failure>,
}

/// One part that the learner writes, and whether it is written.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PieceReport {
    /// Such as `Message::user`, or `an attribute on Message`. To find the attribute is the
    /// exercise.
    pub what: String,
    /// Whether it is written.
    pub written: bool,
    /// Its file, relative to the repository.
    pub file: String,
    /// Its line, or the line of the item that it belongs to, from 1; 0 if unknown.
    pub line: usize,
    /// What changed in a function's given signature, such as `is missing`. The tests depend on
    /// the signature.
    pub altered: Option<String>,
    pub(super) is_attribute: bool,
    pub(super) is_function: bool,
    #[serde(skip)]
    pub(super) is_missing: bool,
    /// Whether it is a function with code before its `todo!`.
    #[serde(skip)]
    pub(super) begun: bool,
}
