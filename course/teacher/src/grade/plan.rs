//! The chapters to grade of a submission.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use course::cargo;
use course::course_toml::Course;

/// The chapters to grade of a submission.
#[derive(Debug)]
pub struct Plan {
    /// Their numbers.
    pub numbers: Vec<u32>,
    /// The newest of them, which decides the dependencies.
    pub newest: u32,
    /// The paths of their tests begin with one of these.
    pub filters: Vec<String>,
    /// The compiler's flags for the test program, which leave out the other chapters' tests.
    pub flags: Vec<String>,
    /// The time limit of a test.
    pub timeout: Duration,
}

impl Plan {
    /// The plan for a submission whose newest open chapter is `open`: `chapter` only, or without
    /// it, all chapters up to `open`.
    pub fn new(course: &Course, chapter: Option<u32>, open: &Result<u32>) -> Result<Self> {
        let (mut numbers, mut filters, mut without) = (Vec::new(), Vec::new(), Vec::new());
        let mut timeout = 0;
        let newest = match (chapter, open) {
            (Some(number), _) => number,
            (None, Ok(number)) => *number,
            (None, Err(error)) => {
                bail!("its open chapters are unknown: {error}. Name the chapter with `--chapter`")
            }
        };
        for (written, manifest) in course.written() {
            let is_graded = match chapter {
                Some(number) => written.number == number,
                None => written.number <= newest,
            };
            if is_graded {
                numbers.push(written.number);
                filters.push(format!("{}::", written.feature()));
                timeout = timeout.max(manifest.timeout_seconds);
            } else if written.number <= newest {
                without.push(written.feature());
            }
        }
        let newest = numbers.last().copied();
        Ok(Self {
            newest: newest.context("no chapter of this course is open in it")?,
            numbers,
            filters,
            flags: cargo::leave_out(without),
            timeout: Duration::from_secs(timeout),
        })
    }

    /// The names of the tests.
    pub fn tests<'a>(&self, course: &'a Course) -> Result<Vec<&'a str>> {
        let mut names = Vec::new();
        for number in &self.numbers {
            names.extend(course.written_chapter(*number)?.1.tests());
        }
        Ok(names)
    }
}
