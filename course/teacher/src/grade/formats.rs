//! The results as CSV and as JUnit.

use anyhow::{Context, Result};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::results::{Grade, Grades, Section, Status};

/// A line for each submission: totals, and a column for each section.
pub fn csv(grades: &Grades) -> Result<Vec<u8>> {
    let mut columns: Vec<&Section> = Vec::new();
    for section in grades.submissions.iter().flat_map(|grade| &grade.sections) {
        if !columns.iter().any(|column| column.name == section.name) {
            columns.push(section);
        }
    }
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut head: Vec<String> = HEAD.map(str::to_string).to_vec();
    head.extend(columns.iter().map(|section| {
        let kind = if section.depth { "depth" } else { "core" };
        format!(
            "{} {} ({kind}, {} min)",
            section.id, section.title, section.minutes
        )
    }));
    writer.write_record(&head)?;
    for grade in &grades.submissions {
        let mut row = vec![
            grade.submission.clone(),
            grade.status.name().to_string(),
            grade.reason.clone().unwrap_or_default(),
            grade.notes.join("; "),
            grade.tests.passed.to_string(),
            grade.tests.of.to_string(),
        ];
        for points in [&grade.core, &grade.depth] {
            let numbers = [
                points.minutes.passed,
                points.minutes.of,
                points.as_reference,
            ];
            row.extend(numbers.map(|number| number.to_string()));
        }
        row.extend(columns.iter().map(|column| result(grade, &column.name)));
        // A spreadsheet takes text that begins with one of these for a formula.
        for cell in &mut row {
            if cell.starts_with(['=', '+', '-', '@', '\t', '\r']) {
                cell.insert(0, '\'');
            }
        }
        writer.write_record(&row)?;
    }
    writer.into_inner().context("cannot write CSV")
}

fn result(grade: &Grade, name: &str) -> String {
    let section = grade.sections.iter().find(|section| section.name == name);
    let text = match section {
        None => "",
        Some(section) if section.passed && section.as_reference => "as the reference",
        Some(section) if section.passed => "passed",
        Some(_) => "failed",
    };
    text.to_string()
}

const HEAD: [&str; 12] = [
    "submission",
    "status",
    "reason",
    "notes",
    "tests passed",
    "tests",
    "core minutes passed",
    "core minutes",
    "core minutes as the reference",
    "depth minutes passed",
    "depth minutes",
    "depth minutes as the reference",
];

/// One suite for each submission, one case for each test, with the section as its class.
pub fn junit(grades: &Grades) -> Result<String> {
    let mut report = Report::new("claw-code");
    for grade in &grades.submissions {
        let mut suite = TestSuite::new(grade.submission.clone());
        if grade.sections.is_empty() || grade.status == Status::DoesNotCompile {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_message(grade.reason.clone().unwrap_or_default());
            suite.add_test_case(TestCase::new("the submission is graded", status));
        }
        for section in &grade.sections {
            for test in &section.tests {
                let status = if test.passed {
                    TestCaseStatus::success()
                } else {
                    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                    status.set_message(test.message.clone().unwrap_or_default());
                    status
                };
                let mut case = TestCase::new(test.name.clone(), status);
                case.set_classname(format!("{} {}", section.id, section.title));
                suite.add_test_case(case);
            }
        }
        report.add_test_suite(suite);
    }
    Ok(report.to_string()?)
}
