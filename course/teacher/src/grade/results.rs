//! The results, and their JSON.

use course::verdict::{ChapterReport, State};
use serde::{Deserialize, Serialize};

use super::sandbox::Sandbox;

/// The results of all submissions.
#[derive(Debug, Serialize)]
pub struct Grades {
    /// The chapter that was graded; `None` for all that each submission has open.
    pub chapter: Option<u32>,
    /// The time limit of a submission, in seconds.
    pub seconds: u64,
    /// The memory limit of a process, in MiB.
    pub memory: u64,
    /// What the tests could not reach.
    pub sandbox: Sandbox,
    /// One for each submission, in the order of the command line.
    pub submissions: Vec<Grade>,
}

/// The result of one submission.
#[derive(Debug, Serialize, Deserialize)]
pub struct Grade {
    /// As on the command line.
    pub submission: String,
    /// What became of it.
    pub status: Status,
    /// Why it is not graded, or why tests have no result.
    pub reason: Option<String>,
    /// What the teacher should look at.
    pub notes: Vec<String>,
    /// The tests that passed, and all.
    pub tests: Share,
    /// The core sections.
    pub core: Points,
    /// The depth sections.
    pub depth: Points,
    /// The sections of the graded chapters that have tests.
    pub sections: Vec<Section>,
}

/// What became of a submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Its tests ran.
    Graded,
    /// Its code does not compile, so no test passes.
    DoesNotCompile,
    /// It could not be read, is not allowed, or took too long to build.
    NotGraded,
}

impl Status {
    /// As in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Graded => "graded",
            Self::DoesNotCompile => "does-not-compile",
            Self::NotGraded => "not-graded",
        }
    }
}

/// A part of a whole.
#[derive(Debug, Default, Clone, Copy, Serialize, Deserialize)]
pub struct Share {
    /// The part.
    pub passed: u32,
    /// The whole.
    pub of: u32,
}

/// The sections of one kind.
#[derive(Debug, Default, Clone, Copy, Serialize, Deserialize)]
pub struct Points {
    /// The sections all of whose tests passed.
    pub sections: Share,
    /// The minutes that they are worth.
    pub minutes: Share,
    /// The minutes of those that passed with exactly the code of the reference: given on the core
    /// path, or copied.
    pub as_reference: u32,
}

/// The result of one section.
#[derive(Debug, Serialize, Deserialize)]
pub struct Section {
    /// Such as `4.2`.
    pub id: String,
    /// Its name, which stays the same when its number moves.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Whether it is a depth section.
    pub depth: bool,
    /// The minutes that it is worth.
    pub minutes: u32,
    /// Whether all its tests passed.
    pub passed: bool,
    /// Whether its code is exactly the reference's.
    pub as_reference: bool,
    /// Its tests.
    pub tests: Vec<Test>,
}

/// The result of one test.
#[derive(Debug, Serialize, Deserialize)]
pub struct Test {
    /// The function's name.
    pub name: String,
    /// Whether it passed. A test without a result did not.
    pub passed: bool,
    /// Why not.
    pub message: Option<String>,
}

impl Grade {
    /// A submission that is not graded.
    pub fn refused(submission: &str, reason: String) -> Self {
        Self {
            submission: submission.to_string(),
            status: Status::NotGraded,
            reason: Some(reason),
            notes: Vec::new(),
            tests: Share::default(),
            core: Points::default(),
            depth: Points::default(),
            sections: Vec::new(),
        }
    }

    /// One line about it.
    pub fn line(&self) -> String {
        let name = &self.submission;
        match (&self.status, &self.reason) {
            (Status::Graded, _) => format!(
                "{name}: {} of {} core sections and {} of {} depth sections pass",
                self.core.sections.passed,
                self.core.sections.of,
                self.depth.sections.passed,
                self.depth.sections.of
            ),
            (status, reason) => format!(
                "{name}: {}: {}",
                status.name(),
                reason.as_deref().unwrap_or_default()
            ),
        }
    }

    /// Adds the sections of a chapter. `is_reference` says whether a section's code is exactly the
    /// reference's.
    pub fn add(
        &mut self,
        chapter: &ChapterReport,
        is_reference: impl Fn(course::manifest::SectionId) -> bool,
    ) {
        let checkpoints = chapter.sections.iter();
        for section in checkpoints.filter(|section| section.state != State::Reading) {
            let tests: Vec<Test> = section
                .tests
                .iter()
                .map(|test| Test {
                    name: test.name.clone(),
                    passed: test.passed == Some(true),
                    message: match (&test.failure, test.passed) {
                        (Some(failure), _) => Some(failure.message.clone()),
                        (None, None) => Some("the test has no result".to_string()),
                        (None, Some(_)) => None,
                    },
                })
                .collect();
            let passed = tests.iter().all(|test| test.passed);
            let as_reference = is_reference(section.id);
            let points = match section.depth {
                true => &mut self.depth,
                false => &mut self.core,
            };
            points.sections.of += 1;
            points.minutes.of += section.minutes;
            if passed {
                points.sections.passed += 1;
                points.minutes.passed += section.minutes;
                points.as_reference += if as_reference { section.minutes } else { 0 };
            }
            let count = |tests: usize| u32::try_from(tests).unwrap_or(u32::MAX);
            self.tests.of += count(tests.len());
            self.tests.passed += count(tests.iter().filter(|test| test.passed).count());
            self.sections.push(Section {
                id: section.id.to_string(),
                name: section.name.clone(),
                title: section.title.clone(),
                depth: section.depth,
                minutes: section.minutes,
                passed,
                as_reference,
                tests,
            });
        }
    }
}
