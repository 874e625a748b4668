//! A run of the tests after a save.

use anyhow::Result;

use crate::cargo::Step;
use crate::progress::{Progress, first_to_do};
use crate::repo::Repo;
use crate::verdict::ChapterReport;

/// The result of a run.
pub(super) struct Verdict {
    /// The current chapter.
    pub report: ChapterReport,
    /// The chapters that the run has found done, and that were not done before.
    pub finished: Vec<u32>,
}

/// Runs all open chapters and returns the verdict. `sources` is the fingerprint of the sources, if
/// the caller knows it. A [`kill_running`](crate::cargo::kill_running) since the number of
/// [`kills`](crate::cargo::kills) was `kills` ends the run.
///
/// The chapter that was current before runs first, by itself, and `on_verdict` gets its report.
/// The learner need not wait for the tests of finished chapters, which run afterwards and may
/// show that one of them is broken.
pub(super) fn run_open_chapters(
    repo: Repo,
    sources: Option<u64>,
    kills: usize,
    mut on_progress: impl FnMut(Step) + Send,
    on_verdict: impl FnMut(&ChapterReport),
) -> Result<Verdict> {
    let mut progress = match sources {
        Some(sources) => Progress::load_at(repo, sources)?,
        None => Progress::load(repo)?,
    };
    progress.kills = kills;
    let mut others = progress.open_numbers();
    let current = progress.verdicts.last_current();
    let verdict = |progress: Progress, reports| {
        Ok(Verdict {
            report: first_to_do(reports)?,
            finished: progress.finished,
        })
    };
    let mut reports = Vec::new();
    if let Some(at) = others.iter().position(|number| *number == current) {
        reports = progress.run(&[others.remove(at)], &mut on_progress)?;
        let is_built = |report: &ChapterReport| !report.is_not_built();
        if others.is_empty() || !reports.iter().all(is_built) {
            return verdict(progress, reports);
        }
        reports.iter().for_each(on_verdict);
    }
    reports.extend(progress.run(&others, on_progress)?);
    reports.sort_by_key(|report| report.number);
    verdict(progress, reports)
}
