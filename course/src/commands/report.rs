//! `cargo course report`: results for a teacher's or a CI's own tools.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::{Outcome, run_news, saved};
use crate::progress::Progress;
use crate::saves;
use crate::verdict::{ChapterReport, Problem, TestReport};
use crate::view::Style;

/// Runs all open chapters and writes their results as JUnit XML: a suite a chapter, a
/// case a test, the section as its class.
pub fn report(progress: &mut Progress, style: &Style, file: &Path) -> Result<Outcome> {
    let mut junit = Report::new("claw-code");
    let mut lines = Vec::new();
    for report in progress.run(&progress.open_numbers(), run_news())? {
        let (done, all) = report.count();
        let number = report.number;
        lines.push(match report.problem {
            None | Some(Problem::CutShort { .. }) => {
                format!("chapter {number}: {done} of {all} checkpoints green")
            }
            Some(_) => format!("chapter {number}: not run, since the code does not compile"),
        });
        junit.add_test_suite(suite(&report));
    }
    let path = std::path::absolute(file)
        .with_context(|| format!("{} is no path to write to", file.display()))?;
    let changes = BTreeMap::from([(path, Some(junit.to_string()?.into_bytes()))]);
    let save = saves::overwrite(&progress.repo, "report", &changes)?;
    lines.push(format!("Written to {}.", file.display()));
    let replaced = save.filter(|save| save.files.iter().any(|file| file.copy.is_some()));
    if let Some(save) = replaced {
        lines.extend(saved(style, &save));
    }
    Ok(lines.into())
}

fn suite(report: &ChapterReport) -> TestSuite {
    let mut suite = TestSuite::new(format!("ch{} {}", report.number, report.title));
    for section in &report.sections {
        for test in &section.tests {
            let mut case = TestCase::new(test.name.clone(), status(report, test));
            case.set_classname(format!("{} {}", section.id, section.title));
            suite.add_test_case(case);
        }
    }
    suite
}

fn status(report: &ChapterReport, test: &TestReport) -> TestCaseStatus {
    match (&test.failure, test.passed) {
        (_, Some(true)) => TestCaseStatus::success(),
        (Some(failure), _) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_message(failure.message.clone());
            status
        }
        (None, _) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_message(match &report.problem {
                Some(Problem::DoesNotCompile { .. }) => "the code does not compile",
                _ => "the test has no outcome",
            });
            status
        }
    }
}
