//! `cargo course status`: where the learner is.

use anyhow::Result;

use super::{Outcome, run_news};
use crate::progress::{Progress, first_to_do};
use crate::repo::Repo;
use crate::results::Results;
use crate::verdict::ChapterReport;
use crate::view::{self, Style};

/// The map of the current chapter and what stands before the next green checkpoint.
/// Tests are run only if something changed since they last were.
pub fn status(repo: &Repo, style: &Style) -> Result<Outcome> {
    let results = Results::load(repo)?;
    let report = match results.of(results.current()) {
        Some(report) => report.clone(),
        None => current_report(&mut Progress::load(repo.clone())?)?,
    };
    let mut lines = vec![view::heading(style, &report)];
    lines.extend(view::list(style, &report));
    lines.push(String::new());
    lines.extend(view::reason(style, &report));
    lines.push(String::new());
    lines.push(style.dim(advice(&report)));
    Ok(lines.into())
}

/// Every chapter of the course, and the open ones with all that is known of them.
pub fn status_json(progress: &mut Progress) -> Result<Outcome> {
    let current = current_report(progress)?;
    let mut chapters = Vec::new();
    for chapter in progress.course.chapters() {
        let open = chapter.number <= progress.open;
        let report = match &chapter.manifest {
            Some(_) if open && chapter.number != current.number => {
                progress.results.of(chapter.number)
            }
            _ => None,
        };
        let report = match chapter.number == current.number {
            true => Some(&current),
            false => report,
        };
        chapters.push(serde_json::json!({
            "number": chapter.number,
            "title": chapter.title,
            "written": chapter.manifest.is_some(),
            "open": open,
            "done": report.map(ChapterReport::is_done),
            "sections": report.map(|report| &report.sections),
            "problem": report.and_then(|report| report.problem.as_ref()),
        }));
    }
    let status = serde_json::json!({
        "current_chapter": current.number,
        "current_section": current.current().map(|section| section.id.to_string()),
        "chapters": chapters,
    });
    Ok(vec![serde_json::to_string_pretty(&status)?].into())
}

/// The current chapter's report, from memory where nothing changed.
pub(super) fn current_report(progress: &mut Progress) -> Result<ChapterReport> {
    let mut unknown = progress.open_numbers();
    unknown.retain(|number| progress.results.of(*number).is_none());
    let mut run = match unknown.as_slice() {
        [] => Vec::new(),
        unknown => progress.run(unknown, run_news())?,
    };
    // Not all that was run is remembered: a source may have changed meanwhile.
    let known = progress.open_numbers().into_iter().filter_map(|number| {
        match run.iter().position(|report| report.number == number) {
            Some(at) => Some(run.swap_remove(at)),
            None => progress.results.of(number).cloned(),
        }
    });
    first_to_do(known)
}

fn advice(report: &ChapterReport) -> &'static str {
    match (&report.problem, report.is_done()) {
        (Some(_), _) => "Mend that first, and save.",
        (None, true) => "`cargo course next` says what comes next.",
        (None, false) => {
            "Red is how a checkpoint starts. `cargo course hint` helps; `cargo course` watches and re-runs on save."
        }
    }
}
