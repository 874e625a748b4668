//! The result of one run of the tests.

use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::limits::Limits;

/// The result of one run of the tests.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Run {
    /// The code does not compile, or cargo itself failed.
    NotBuilt {
        /// The compiler's errors, in order. Empty if cargo failed.
        errors: Vec<Diagnostic>,
        /// Cargo's own error message.
        cargo: String,
    },
    /// The tests ran.
    Ran {
        /// The compiler's warnings.
        warnings: Vec<Diagnostic>,
        /// The tests that finished, in the order in which they were reported.
        tests: Vec<Test>,
        /// Why some tests have no result, if the run did not finish.
        cut_short: Option<String>,
    },
}

impl Run {
    /// The part of this run that concerns the tests called `names`. It is cut short only if
    /// one of them has no result.
    pub fn about(&self, names: &[&str]) -> Self {
        let Self::Ran {
            warnings,
            tests,
            cut_short,
        } = self
        else {
            return self.clone();
        };
        let is_named = |test: &&Test| names.contains(&test.name.as_str());
        let tests: Vec<Test> = tests.iter().filter(is_named).cloned().collect();
        let complete = tests.len() == names.len();
        Self::Ran {
            warnings: warnings.clone(),
            tests,
            cut_short: cut_short.clone().filter(|_| !complete),
        }
    }

    /// Whether cargo failed before the compiler started.
    pub fn is_cargo_failure(&self) -> bool {
        matches!(self, Self::NotBuilt { errors, .. } if errors.is_empty())
    }

    /// Whether the code itself decided the result, not a limit or the machine: every test ended by
    /// itself, or the first error is in a source file.
    pub fn is_conclusive(&self) -> bool {
        match self {
            Self::NotBuilt { errors, .. } => {
                errors.first().is_some_and(|error| error.file.is_some())
            }
            Self::Ran {
                tests, cut_short, ..
            } => {
                let mut failures = tests.iter().filter_map(|test| test.failure.as_ref());
                cut_short.is_none() && failures.all(|failure| !failure.cut_short)
            }
        }
    }
}

/// A compiler message, ready to be shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// The message as rustc renders it, with its colors.
    pub rendered: String,
    /// The file, relative to the workspace.
    pub file: Option<String>,
    /// The line, from 1; 0 without a file.
    pub line: usize,
    /// The code of the error, such as `E0308`, if it has one.
    #[serde(default)]
    pub code: Option<String>,
}

/// The result of one test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Test {
    /// The function's name, without its module.
    pub name: String,
    /// Why it failed; `None` if it passed.
    pub failure: Option<Failure>,
}

impl Test {
    /// Whether `path`, such as `ch1::s01::test_x`, is this test's.
    pub fn is_at(&self, path: &str) -> bool {
        path.rsplit("::").next() == Some(self.name.as_str())
    }
}

/// Why a test failed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// The panic message.
    pub message: String,
    /// What the test printed before it panicked.
    #[serde(default)]
    pub printed: String,
    /// The file in which it panicked.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: usize,
    /// Whether the test did not end by itself: it hung, or the test program ended before it.
    #[serde(skip)]
    pub cut_short: bool,
}

/// Which tests to build and run.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// The folder with the `Cargo.toml`.
    pub dir: &'a Path,
    /// Another manifest to build from. The tests run in `dir` all the same.
    pub manifest: Option<&'a Path>,
    /// Cargo's arguments that select the package and the test target.
    pub select: &'a [String],
    /// Flags with which the compiler compiles the test program alone, and not the library.
    pub flags: &'a [String],
    /// Whether the test program has no line tables, which makes a build a tenth shorter. They are
    /// needed to find a line in a backtrace.
    pub without_lines: bool,
    /// Run only tests whose path contains one of these.
    pub filters: &'a [String],
    /// A test hangs when neither it nor another one finishes for this long.
    pub timeout: Duration,
    /// Limits, if the code is not the learner's own.
    pub limits: Option<&'a Limits>,
    /// The value of [`kills`](super::kills) when the run was asked for: a
    /// [`kill_running`](super::kill_running) since then ends it.
    pub kills: usize,
}
