//! `cargo course check`: runs tests and shows the verdict.

use anyhow::{Context, Result};

use super::{Outcome, prepare, show_progress};
use crate::cli::Scope;
use crate::course_toml::Course;
use crate::manifest::Section;
use crate::messages::{self, Style};
use crate::progress::{Progress, first_to_do};
use crate::verdict::{ChapterReport, State};

/// Runs the tests of all open chapters, or of the chapter, section or test `what`.
pub fn check(progress: &mut Progress, style: &Style, what: Option<&str>) -> Result<Outcome> {
    let Some(what) = what else {
        let current = progress.verdicts.last_current();
        let given = prepare(progress, style, "check", current)?;
        return Ok(below(given, check_all(progress, style)?));
    };
    // A command that is refused writes nothing, so this comes first.
    let (chapter, section) = target(&progress.course, what)?;
    progress.course.open_chapter(chapter, progress.open)?;
    let given = prepare(progress, style, &format!("check {what}"), chapter)?;
    let report = run(progress, chapter)?;
    let outcome = match section {
        None => chapter_outcome(style, &report),
        Some(name) => section_outcome(progress, style, &report, &name),
    };
    Ok(below(given, outcome))
}

/// The outcome below the lines `given`.
fn below(given: Vec<String>, mut outcome: Outcome) -> Outcome {
    outcome.lines.splice(..0, given);
    outcome
}

/// The chapter that `what` is or is in, and the name of its section or of the section of its test.
fn target(course: &Course, what: &str) -> Result<(u32, Option<String>)> {
    let section = match what.parse() {
        Ok(Scope::Chapter(number)) => return Ok((number, None)),
        Ok(Scope::Section(id)) => course.section(id)?,
        Err(_) => section_of_test(course, what.rsplit("::").next().unwrap_or(what))?,
    };
    Ok((section.id.chapter, Some(section.name.clone())))
}

fn check_all(progress: &mut Progress, style: &Style) -> Result<Outcome> {
    let mut all = Outcome::default();
    let mut reports = progress.run(&progress.open_numbers(), show_progress())?;
    if reports.iter().any(ChapterReport::is_not_built) {
        // The error is the same in each chapter.
        reports = vec![first_to_do(reports)?];
    }
    for report in reports {
        let outcome = chapter_outcome(style, &report);
        all.lines.extend(outcome.lines);
        all.red |= outcome.red;
    }
    Ok(all)
}

fn run(progress: &mut Progress, number: u32) -> Result<ChapterReport> {
    first_to_do(progress.run(&[number], show_progress())?)
}

fn chapter_outcome(style: &Style, report: &ChapterReport) -> Outcome {
    let mut lines = vec![messages::heading(style, report)];
    lines.extend(messages::reason(style, report));
    Outcome {
        lines,
        red: !report.is_done(),
    }
}

/// The verdict on the section called `name`.
fn section_outcome(
    progress: &Progress,
    style: &Style,
    report: &ChapterReport,
    name: &str,
) -> Outcome {
    let mut sections = report.sections.iter();
    let Some(section) = sections.find(|section| section.name == name) else {
        return Outcome::default();
    };
    if report.problem.is_some() && section.tests.iter().any(|test| test.passed.is_none()) {
        return chapter_outcome(style, report);
    }
    let mut lines = messages::section_reason(style, &report.page, section);
    lines.extend(messages::earlier_mistake(style, report, section));
    if progress.finished.contains(&report.number) {
        lines.push(style.green(&messages::chapter_done(report.number)));
    }
    lines.push(String::new());
    lines.extend(section.tests.iter().map(|test| {
        let mark = match test.passed {
            Some(true) => style.green("ok    "),
            Some(false) => style.red("FAILED"),
            None => style.dim("no run"),
        };
        format!("  {mark} {}", test.name)
    }));
    Outcome {
        lines,
        red: !matches!(section.state, State::Done | State::Reading),
    }
}

/// The section that lists the test.
fn section_of_test<'a>(course: &'a Course, name: &str) -> Result<&'a Section> {
    let mut sections = course.sections();
    let section = sections.find(|section| section.tests.iter().any(|test| test == name));
    section.with_context(|| {
        format!(
            "`{name}` is not a chapter (1), a section (1.3) or a test; `cargo course status` lists the sections"
        )
    })
}
