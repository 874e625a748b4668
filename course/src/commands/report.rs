//! `cargo course report`: writes the results in a format for other tools.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::{Outcome, backed_up, show_progress};
use crate::backups;
use crate::messages::{self, Style};
use crate::pristine;
use crate::progress::Progress;
use crate::repo::write_atomically;
use crate::verdict::{ChapterReport, RunError, SectionReport, State, TestReport};

/// Runs all open chapters and writes their results as JUnit XML: one suite for each chapter,
/// one case for each test, with the section as its class. The outcome is red unless all are done
/// and the tests are as they were cloned.
pub fn report(progress: &mut Progress, style: &Style, file: &Path) -> Result<Outcome> {
    let mut junit = Report::new("claw-code");
    let mut lines = Vec::new();
    let mut red = false;
    let reports = progress.run(&progress.open_numbers(), show_progress())?;
    for report in &reports {
        red |= !report.is_done();
        let (done, all) = report.count();
        let number = report.number;
        lines.push(match report.problem {
            None | Some(RunError::CutShort { .. }) => {
                format!("chapter {number}: {done} of {all} checkpoints green")
            }
            Some(RunError::DoesNotCompile { .. }) => {
                format!("chapter {number}: not run, because the code does not compile")
            }
            Some(RunError::CargoFailed { .. }) => {
                format!("chapter {number}: not run, because cargo failed")
            }
        });
        junit.add_test_suite(suite(report));
    }
    // The error is the same in each chapter.
    if let Some(report) = reports.iter().find(|report| report.is_not_built()) {
        lines.extend(messages::reason(style, report));
    }
    let path = std::path::absolute(file)
        .with_context(|| format!("{} is not a valid path", file.display()))?;
    let xml = junit.to_string()?.into_bytes();
    let backup = match path.exists() {
        true => {
            let changes = BTreeMap::from([(path, Some(xml))]);
            backups::overwrite(&progress.repo, "report", &changes)?
        }
        // A new file replaces nobody's work, and `undo` would find its backup before the learner's.
        false => {
            write_atomically(&path, &xml)?;
            None
        }
    };
    lines.push(format!("Written to {}.", file.display()));
    let replaced = backup.filter(|backup| backup.files.iter().any(|file| file.copy.is_some()));
    if let Some(backup) = replaced {
        lines.extend(backed_up(style, &backup));
    }
    match pristine::changed(&progress.repo) {
        None => lines.push(
            "It is unknown whether the tests are as they were: this is no git clone, and the first run could not record its files.".to_string(),
        ),
        Some(changed) if changed.is_empty() => {}
        Some(changed) => {
            red = true;
            lines.push(style.red(&format!(
                "Changed since the clone, so these results prove nothing: {}.",
                changed.join(", ")
            )));
        }
    }
    Ok(Outcome { lines, red })
}

fn suite(report: &ChapterReport) -> TestSuite {
    let mut suite = TestSuite::new(format!("ch{} {}", report.number, report.title));
    for section in &report.sections {
        for test in &section.tests {
            let mut case = TestCase::new(test.name.clone(), status(report, section, test));
            case.set_classname(format!("{} {}", section.id, section.title));
            suite.add_test_case(case);
        }
    }
    suite
}

fn status(report: &ChapterReport, section: &SectionReport, test: &TestReport) -> TestCaseStatus {
    if test.passed == Some(true) {
        return TestCaseStatus::success();
    }
    let (kind, message) = match (&test.failure, &report.problem) {
        (Some(failure), _) => (NonSuccessKind::Failure, failure.message.as_str()),
        (None, None) if section.state == State::NotWritten => {
            (NonSuccessKind::Failure, "not written yet")
        }
        (None, Some(RunError::DoesNotCompile { .. })) => {
            (NonSuccessKind::Error, "the code does not compile")
        }
        (None, _) => (NonSuccessKind::Error, "the test has no result"),
    };
    let mut status = TestCaseStatus::non_success(kind);
    status.set_message(message);
    status
}
