//! How far a chapter is, as it is shown, remembered and exported.

use serde::{Deserialize, Serialize};

use crate::cargo::{Diagnostic, Failure};
use crate::manifest::SectionId;

/// How far one chapter is.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ChapterReport {
    /// The chapter.
    pub number: u32,
    /// Its title.
    pub title: String,
    /// Its page, relative to the repository.
    pub page: String,
    /// Its sections, in order.
    pub sections: Vec<SectionReport>,
    /// What kept the tests from being judged, if anything did.
    pub problem: Option<Problem>,
}

impl ChapterReport {
    /// Whether every checkpoint is green.
    pub fn is_done(&self) -> bool {
        self.problem.is_none() && self.current().is_none()
    }

    /// Whether nothing was run, because the code does not compile or cargo failed.
    pub fn is_not_built(&self) -> bool {
        matches!(
            self.problem,
            Some(Problem::DoesNotCompile { .. } | Problem::CargoFailed { .. })
        )
    }

    /// The first checkpoint that is not green: one that failed before one of which
    /// nothing is known.
    pub fn current(&self) -> Option<&SectionReport> {
        let first = |wanted: &[State]| {
            let mut sections = self.sections.iter();
            sections.find(|section| wanted.contains(&section.state))
        };
        first(&[State::NotWritten, State::Wrong, State::Waiting])
            .or_else(|| first(&[State::Unknown]))
    }

    /// How many checkpoints are green, and how many there are.
    pub fn count(&self) -> (usize, usize) {
        let all = self.sections.iter().filter(|s| s.state != State::Given);
        let done = self.sections.iter().filter(|s| s.state == State::Done);
        (done.count(), all.count())
    }
}

/// Why nothing, or not everything, is known.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Problem {
    /// The code does not compile.
    DoesNotCompile {
        /// The compiler's errors.
        errors: Vec<Diagnostic>,
    },
    /// Cargo failed before the compiler had a say.
    CargoFailed {
        /// Its words.
        message: String,
    },
    /// Some tests have no outcome.
    CutShort {
        /// Why.
        message: String,
    },
}

/// How far one section is.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SectionReport {
    /// Such as `1.3`.
    pub id: SectionId,
    /// Its title.
    pub title: String,
    /// What is to be said of it as a whole.
    pub state: State,
    /// The section that it waits for.
    pub waits_for: Option<SectionId>,
    /// Its tests, in the manifest's order.
    pub tests: Vec<TestReport>,
    /// The file with its tests, relative to the repository; `None` where it has none.
    #[serde(default)]
    pub test_file: Option<String>,
    /// What there is to write in it.
    pub pieces: Vec<PieceReport>,
    /// The sentence for a mistake that is known.
    pub explanation: Option<String>,
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
    /// Something in it is still to be written.
    NotWritten,
    /// It is written, and a test fails.
    Wrong,
    /// Its tests stop at the stub of an earlier section.
    Waiting,
    /// Its tests have no outcome: the code does not compile, or the run broke off.
    Unknown,
    /// There is nothing to write: it is read.
    Given,
}

/// One test's outcome.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TestReport {
    /// The function's name.
    pub name: String,
    /// Whether it passed; `None` without an outcome.
    pub passed: Option<bool>,
    /// Why it failed.
    pub failure: Option<Failure>,
}

/// One thing to write, and whether it is there.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PieceReport {
    /// Such as `Message::user`, or `an attribute on Message`: which, is the exercise.
    pub what: String,
    /// Whether the learner has written it.
    pub written: bool,
    /// Its file, relative to the repository.
    pub file: String,
    /// Its line, or that of the item it belongs to, from 1; 0 where there is none.
    pub line: usize,
    /// What has become of a function's signature, which the course gives and tests
    /// rely on.
    pub altered: Option<String>,
    pub(super) is_attribute: bool,
    pub(super) is_function: bool,
}
