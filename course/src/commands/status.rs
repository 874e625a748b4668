//! `cargo course status`: shows the learner's progress.

use anyhow::Result;

use super::overview::{Details, overview};
use super::path::pending_gifts;
use super::{Outcome, fetch_offer, show_progress};
use crate::messages::{self, Style};
use crate::progress::{Progress, first_to_do};
use crate::repo::Repo;
use crate::verdict::ChapterReport;
use crate::verdict_cache::{self, VerdictCache};

/// The sections of the current chapter, and why the current one is not green. Runs the tests
/// only if a source has changed since the last run, and changes no file of the learner's.
pub fn status(repo: &Repo, style: &Style) -> Result<Outcome> {
    let sources = verdict_cache::fingerprint(repo)?;
    let verdicts = VerdictCache::load(repo, sources)?;
    let mut lines = Vec::new();
    let report = match valid_current(&verdicts) {
        Some(report) => report.clone(),
        None => {
            let mut progress = Progress::load_at(repo.clone(), sources)?;
            let report = current_report(&mut progress)?;
            lines = messages::finished(style, &progress.finished, &report);
            report
        }
    };
    lines.push(messages::heading(style, &report));
    lines.extend(messages::list(style, &report, None, usize::MAX));
    lines.push(String::new());
    lines.extend(messages::reason(style, &report));
    lines.push(String::new());
    let pending = pending_gifts(repo, &report)?;
    if !pending.is_empty() {
        lines.extend(pending);
        lines.push(String::new());
    }
    lines.push(style.dim(advice(&report)));
    lines.extend(fetch_offer(repo, &verdicts)?);
    Ok(lines.into())
}

/// The current chapter's verdict if all verdicts up to it are valid.
fn valid_current(verdicts: &VerdictCache) -> Option<&ChapterReport> {
    let report = verdicts.of(verdicts.current())?;
    match report.is_not_built() {
        // It stands for all chapters.
        true => verdicts.of(verdicts.last_current()),
        false => Some(report),
    }
}

/// Every chapter of the course as JSON, the open ones with their last verdicts.
pub fn status_json(progress: &mut Progress) -> Result<Outcome> {
    let current = current_report(progress)?;
    let values = |report: &ChapterReport| -> Result<Details> {
        let sections = report.sections.iter().map(serde_json::to_value);
        Ok(Details {
            sections: sections.collect::<Result<_, _>>()?,
            problem: report
                .problem
                .as_ref()
                .map(serde_json::to_value)
                .transpose()?,
        })
    };
    let status = overview(progress, &current, values)?;
    Ok(vec![serde_json::to_string_pretty(&status)?].into())
}

/// The current chapter's report. Verdicts that are still valid come from the cache.
pub(super) fn current_report(progress: &mut Progress) -> Result<ChapterReport> {
    let mut unknown = progress.open_numbers();
    unknown.retain(|number| progress.verdicts.of(*number).is_none());
    let mut run = match unknown.as_slice() {
        [] => Vec::new(),
        unknown => progress.run(unknown, show_progress())?,
    };
    // A verdict is not cached if a source changed during the run.
    let known = progress.open_numbers().into_iter().filter_map(|number| {
        match run.iter().position(|report| report.number == number) {
            Some(at) => Some(run.swap_remove(at)),
            None => progress.verdicts.of(number).cloned(),
        }
    });
    first_to_do(known)
}

fn advice(report: &ChapterReport) -> &'static str {
    match (&report.problem, report.is_done()) {
        (Some(_), _) => "Fix that first, then save.",
        (None, true) => "`cargo course next` shows what comes next.",
        (None, false) => {
            "A checkpoint starts red. `cargo course hint` gives a hint; `cargo course` reruns the tests on every save."
        }
    }
}
