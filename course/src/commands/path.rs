//! `cargo course path`: shows or changes the learner's path, and gives the depth sections on the
//! core path.

use std::ops::RangeInclusive;

use anyhow::Result;

use super::{Outcome, backed_up, in_src};
use crate::backups::{self, Backup, Changes};
use crate::learning_path::{LearningPath, Path};
use crate::manifest::{Section, SectionId};
use crate::messages::{self, Style};
use crate::progress::Progress;
use crate::repo::Repo;
use crate::splice::{self, Form};
use crate::verdict::ChapterReport;

/// Shows the path with the time of each chapter, or changes it.
pub fn path(progress: &mut Progress, style: &Style, wanted: Option<Path>) -> Result<Outcome> {
    let _lock = wanted.map(|_| progress.lock()).transpose()?;
    let lines = match wanted {
        None => table(progress, style),
        Some(wanted) if wanted == progress.path.path => {
            vec![format!("You are on the {wanted} path already.")]
        }
        Some(Path::Core) => choose_core(progress, style)?,
        Some(Path::Full) => choose_full(progress, style)?,
    };
    Ok(lines.into())
}

/// The depth sections of a chapter that the next `cargo course`, `next` or `check` gives. They
/// come from the chapter's verdict, since parsing the reference takes longer than `cargo course
/// status` may.
pub(super) fn pending_gifts(repo: &Repo, report: &ChapterReport) -> Result<Vec<String>> {
    if LearningPath::load(repo)?.is_prepared(report.number) {
        return Ok(Vec::new());
    }
    let gifts = report.sections.iter().filter(|section| section.given);
    let gifts = gifts.map(|section| (section.id, section.title.as_str(), section.minutes));
    let what = "These depth sections will be given by the next `cargo course`, `next` or `check`, since you are on the core path:";
    let mut lines = listed(gifts, what);
    if !lines.is_empty() {
        lines.push("`cargo course path full` makes all of them your work.".to_string());
    }
    Ok(lines)
}

/// Gives the depth sections of the open chapters up to `chapter` that do not have them yet, and
/// says so. The backup names `command`, which does this first.
pub fn prepare(
    progress: &mut Progress,
    style: &Style,
    command: &str,
    chapter: u32,
) -> Result<Vec<String>> {
    if progress.path.is_prepared(chapter.min(progress.open)) {
        return Ok(Vec::new());
    }
    let _lock = progress.lock()?;
    let newest = chapter.min(progress.open);
    let (gifts, changes) = planned_gifts(progress, newest)?;
    // The path is not part of the backup: after an undo, the sections are the learner's.
    let backup = backups::overwrite(&progress.repo, command, &changes)?;
    progress.path.prepare(&progress.course, newest, &gifts);
    progress.path.store(&progress.repo)?;
    progress.reload_verdicts()?;
    Ok(given_sections(progress, style, &gifts, backup))
}

/// The depth sections to give in the chapters up to `newest`, and what that changes.
fn planned_gifts(progress: &Progress, newest: u32) -> Result<(Vec<SectionId>, Changes)> {
    let gifts = gifts(progress, 0..=newest)?;
    let solved = gifts.iter().map(|id| (*id, Form::Solved));
    let files = splice::plan(&progress.repo, progress.solution()?, solved)?;
    Ok((gifts, in_src(progress, files)))
}

/// Which sections were given, and where the old files are.
fn given_sections(
    progress: &Progress,
    style: &Style,
    gifts: &[SectionId],
    backup: Option<Backup>,
) -> Vec<String> {
    let mut lines = given_lines(progress, gifts);
    if let Some(backup) = backup {
        lines.extend(backed_up(style, &backup));
        lines.push(String::new());
    }
    lines
}

/// The depth sections of `chapters` to give to the learner.
pub(super) fn gifts(progress: &Progress, chapters: RangeInclusive<u32>) -> Result<Vec<SectionId>> {
    if progress.path.is_prepared(*chapters.end()) {
        return Ok(Vec::new());
    }
    let solution = progress.solution()?;
    progress
        .path
        .gifts(&progress.repo, &progress.course, solution, chapters)
}

/// Writes files and the learner's path, which an undo restores together.
pub(super) fn overwrite(
    progress: &Progress,
    command: &str,
    mut changes: Changes,
) -> Result<Option<Backup>> {
    let (path, json) = progress.path.stored(&progress.repo)?;
    changes.insert(path, Some(json));
    backups::overwrite(&progress.repo, command, &changes)
}

/// Which sections were given, and how to take one on.
pub(super) fn given_lines(progress: &Progress, gifts: &[SectionId]) -> Vec<String> {
    let what =
        "These depth sections are given, since you are on the core path. Read them when you like:";
    let sections = gifts
        .iter()
        .filter_map(|id| progress.course.section(*id).ok());
    let sections = sections.map(|section| (section.id, section.title.as_str(), section.minutes));
    let mut lines = listed(sections, what);
    lines.extend(gifts.first().map(|first| {
        format!("`cargo course reset {first}` makes one your work; `cargo course path full` all of them.")
    }));
    lines
}

/// Sections with their titles and minutes, below the line `what`. Nothing if there are none.
fn listed<'a>(
    sections: impl Iterator<Item = (SectionId, &'a str, u32)>,
    what: &str,
) -> Vec<String> {
    let mut lines: Vec<String> = sections
        .map(|(id, title, minutes)| {
            let id = id.to_string();
            format!("  {id:<6}{title} ({})", messages::time(minutes))
        })
        .collect();
    if !lines.is_empty() {
        lines.insert(0, what.to_string());
    }
    lines
}

fn choose_core(progress: &mut Progress, style: &Style) -> Result<Vec<String>> {
    progress.path.choose(Path::Core);
    let (gifts, changes) = planned_gifts(progress, progress.open)?;
    progress
        .path
        .prepare(&progress.course, progress.open, &gifts);
    let backup = overwrite(progress, "path core", changes)?;
    let mut lines = vec!["You are on the core path now.".to_string()];
    lines.extend(given_sections(progress, style, &gifts, backup));
    Ok(lines)
}

/// Turns the given sections back into stubs, except those that the learner has changed.
fn choose_full(progress: &mut Progress, style: &Style) -> Result<Vec<String>> {
    let solution = progress.solution()?;
    let mut stubs = Vec::new();
    let mut changed = Vec::new();
    for section in given(progress) {
        match splice::has_form(&progress.repo, solution, section.id, Form::Solved)? {
            true => stubs.push((section.id, Form::Stub)),
            false => changed.push(section.id),
        }
    }
    let mut sections = stubs.iter().map(|(id, _)| *id);
    let shapes = sections.find(|id| solution.has_shapes(*id));
    let files = splice::plan(&progress.repo, solution, stubs)?;
    let names: Vec<String> = given(progress)
        .map(|section| section.name.clone())
        .collect();
    for name in names {
        progress.path.take(&name);
    }
    progress.path.choose(Path::Full);
    let backup = overwrite(progress, "path full", in_src(progress, files))?;
    let mut lines =
        vec!["You are on the full path now: every section is yours to write.".to_string()];
    if let Some(id) = shapes {
        lines.push(format!(
            "Types lack parts again, such as those of section {id}, so code that uses them may not compile until you have written them."
        ));
    }
    lines.extend(changed.iter().map(|id| {
        format!("You have changed the given code of section {id}, so it stays as it is; `cargo course reset {id}` makes it a stub.")
    }));
    if let Some(backup) = backup {
        lines.extend(backed_up(style, &backup));
    }
    Ok(lines)
}

/// The given sections.
fn given(progress: &Progress) -> impl Iterator<Item = &Section> {
    let sections = progress.course.sections();
    sections.filter(|section| progress.path.gave(section))
}

/// The time of each chapter, core and depth.
fn table(progress: &Progress, style: &Style) -> Vec<String> {
    let mut lines = vec![
        style.bold(&format!("You are on the {} path.", progress.path.path)),
        format!("  {:<4}{:<32}{:>10}{:>12}", "", "chapter", "core", "depth"),
    ];
    for (chapter, manifest) in progress.course.written() {
        let times = manifest.times();
        lines.push(format!(
            "  {:<4}{:<32}{:>10}{:>12}",
            chapter.number,
            chapter.title,
            messages::time(times.core),
            messages::time(times.depth)
        ));
    }
    let all = progress.course.times();
    lines.push(format!(
        "  {:<4}{:<32}{:>10}{:>12}",
        "",
        "all",
        messages::time(all.core),
        messages::time(all.depth)
    ));
    lines.push(style.dim(
        "`cargo course path core` gives you the depth sections, `cargo course path full` makes them your work.",
    ));
    lines
}
