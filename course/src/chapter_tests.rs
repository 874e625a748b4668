//! What cargo builds for the tests of some chapters.

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, ensure};

use crate::cargo::{self, Request, Run, Step};
use crate::course_toml::{Chapter, Course};

/// The tests of some open chapters.
pub struct ChapterTests {
    /// What the paths of the tests contain.
    filters: Vec<String>,
    /// The run counts as hung when no test finishes for this long.
    timeout: Duration,
    /// The chapters whose tests are left out of the build.
    without: Vec<String>,
    /// The features that leave out the code of later chapters, if there are any.
    features: Option<String>,
}

impl ChapterTests {
    /// The tests of the chapters `numbers`, of which `open` is the newest open one.
    ///
    /// A single chapter is built without the code and the tests of the chapters after it, and
    /// without the tests of those before it, in a fraction of the time. Several are built as plain
    /// `cargo test` does, with the code and the tests of all open chapters.
    pub fn new(course: &Course, open: u32, numbers: &[u32]) -> Result<Self> {
        let mut tests = Self {
            filters: Vec::new(),
            timeout: Duration::ZERO,
            without: Vec::new(),
            features: None,
        };
        for number in numbers {
            let (chapter, manifest) = course.chapter_here(*number)?;
            ensure!(
                *number <= open,
                "chapter {number} is not open yet; `cargo course open {number}` opens it"
            );
            tests.filters.push(format!("{}::", chapter.feature()));
            let timeout = Duration::from_secs(manifest.timeout_seconds);
            tests.timeout = tests.timeout.max(timeout);
        }
        if let &[number] = numbers {
            let others = course.written().map(|(chapter, _)| chapter);
            let others = others.filter(|other| other.number <= open && other.number != number);
            tests.without = others.map(Chapter::feature).collect();
            if number < open {
                let code = course.chapter(number)?.feature();
                let crates = course.chapter(open)?.crates_feature();
                tests.features = Some(format!("{code},{crates}"));
            }
        }
        Ok(tests)
    }

    /// Builds and runs the tests in the workspace at `dir`. Calls `on_progress` with each step.
    ///
    /// If a chapter does not compile without the later ones, it is built with them: the learner
    /// may have used what they brought.
    pub fn run(&self, dir: &Path, mut on_progress: impl FnMut(Step) + Send) -> Result<Run> {
        let all = Request {
            dir,
            select: &["--test", "main"],
            without: &self.without,
            filters: &self.filters,
            timeout: self.timeout,
            limits: None,
        };
        if let Some(features) = &self.features {
            let alone = Request {
                select: &[
                    "--test",
                    "main",
                    "--no-default-features",
                    "--features",
                    features,
                ],
                ..all.clone()
            };
            let run = cargo::test(&alone, &mut on_progress)?;
            if matches!(run, Run::Ran { .. }) {
                return Ok(run);
            }
        }
        cargo::test(&all, on_progress)
    }
}
