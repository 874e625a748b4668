//! The data that all checks share.

use std::cell::OnceCell;

use anyhow::{Result, anyhow};

use super::chapter_crates;
use super::mutants::crates as mutant_crates;
use super::test_crates::TestCrates;
use crate::course_toml::Chapter;
use crate::manifest::Manifest;
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
    crates: OnceCell<Result<TestCrates>>,
}

impl<'a> Context<'a> {
    /// All chapters of the course, or `only` one.
    pub fn new(progress: &'a Progress, only: Option<u32>) -> Self {
        Self {
            progress,
            only,
            crates: OnceCell::new(),
        }
    }

    /// The chapters to verify.
    pub fn chapters(&self) -> Vec<(&'a Chapter, &'a Manifest)> {
        let written = self.progress.course.written();
        written
            .filter(|(chapter, _)| self.only.is_none_or(|only| only == chapter.number))
            .collect()
    }

    /// The crates that the checks test, built on first use.
    pub fn crates(&self) -> Result<&TestCrates> {
        let build = || {
            let chapters = self.chapters();
            let mut packages = chapter_crates::packages(self.progress, &chapters)?;
            packages.extend(mutant_crates::packages(self.progress, &chapters)?);
            TestCrates::build(self.progress, &packages)
        };
        self.crates
            .get_or_init(build)
            .as_ref()
            .map_err(|error| anyhow!("{error:#}"))
    }
}
