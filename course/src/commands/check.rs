//! `cargo course check`: runs tests and shows the verdict.

use anyhow::{Result, bail};

use super::{Outcome, prepare, show_progress};
use crate::cli::Scope;
use crate::manifest::Section;
use crate::messages::{self, Style};
use crate::progress::{Progress, first_to_do};
use crate::verdict::{ChapterReport, State};

/// Runs the tests of all open chapters, or of the chapter, section or test `what`.
pub fn check(progress: &mut Progress, style: &Style, what: Option<&str>) -> Result<Outcome> {
    let given = prepare(progress, style)?;
    let mut outcome = verdict_on(progress, style, what)?;
    outcome.lines.splice(..0, given);
    Ok(outcome)
}

fn verdict_on(progress: &mut Progress, style: &Style, what: Option<&str>) -> Result<Outcome> {
    let Some(what) = what else {
        return check_all(progress, style);
    };
    match what.parse() {
        Ok(Scope::Chapter(number)) => {
            let report = run(progress, number)?;
            Ok(chapter_outcome(style, &report))
        }
        Ok(Scope::Section(id)) => {
            progress.course.section(id)?;
            let report = run(progress, id.chapter)?;
            Ok(section_outcome(progress, style, &report, |section| {
                section.id == id
            }))
        }
        Err(_) => {
            let name = what.rsplit("::").next().unwrap_or(what).to_string();
            let chapter = chapter_of_test(progress, &name)?;
            let report = run(progress, chapter)?;
            Ok(section_outcome(progress, style, &report, |section| {
                section.tests.contains(&name)
            }))
        }
    }
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

/// The verdict on the first section that `is_meant` accepts.
fn section_outcome(
    progress: &Progress,
    style: &Style,
    report: &ChapterReport,
    is_meant: impl Fn(&Section) -> bool,
) -> Outcome {
    let Ok((_, manifest)) = progress.course.written_chapter(report.number) else {
        return Outcome::default();
    };
    let meant = manifest.sections.iter().zip(&report.sections);
    let Some((_, section)) = meant.into_iter().find(|(section, _)| is_meant(section)) else {
        return Outcome::default();
    };
    if report.problem.is_some() && section.tests.iter().any(|test| test.passed.is_none()) {
        return chapter_outcome(style, report);
    }
    let mut lines = messages::section_reason(style, &report.page, section);
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

/// The chapter whose manifest lists the test.
fn chapter_of_test(progress: &Progress, name: &str) -> Result<u32> {
    let listing = progress.course.written().find(|(_, manifest)| {
        let mut tests = manifest.sections.iter().flat_map(|section| &section.tests);
        tests.any(|test| test == name)
    });
    match listing {
        Some((chapter, _)) => Ok(chapter.number),
        None => bail!(
            "`{name}` is not a chapter (1), a section (1.3) or a test; `cargo course status` lists the sections"
        ),
    }
}
