//! `cargo course update`: brings another version of the course into the learner's folder.

use anyhow::Result;

use super::{Outcome, ProgressLine, listed, way_back};
use crate::backups;
use crate::cargo_config;
use crate::messages::{NO_WRAP, Style};
use crate::progress::Progress;
use crate::update::change::{Change, Outcome as Kind};
use crate::update::incoming::Incoming;
use crate::update::{self, Plan};

/// Brings the version at `source` into the folder, or only shows what that would change.
pub fn update(
    progress: &mut Progress,
    style: &Style,
    source: Option<&str>,
    dry_run: bool,
) -> Result<Outcome> {
    let _lock = progress.lock()?;
    let progress_line = ProgressLine::new();
    progress_line.show("getting the new version …");
    let incoming = Incoming::get(&progress.repo, source)?;
    progress_line.show("building your code with the new version …");
    let target = cargo_config::target_dir(progress.repo.root());
    let mut plan = update::plan(&progress.repo, &incoming, &progress.path, &target)?;
    drop(progress_line);
    let work = plan.changes.keys().filter(|path| !is_record(path)).count();
    if work == 0 {
        let line = format!("Nothing to do: this is the version of {}.", incoming.name);
        return Ok(vec![line].into());
    }
    let mut lines = vec![match dry_run {
        true => style.bold(&format!("An update to {} would do this:", incoming.name)),
        false => style.bold(&format!("Updated the course to {}.", incoming.name)),
    }];
    lines.extend(summary(style, &plan, progress.open));
    if dry_run {
        lines.push("Nothing was changed. Without `--dry-run`, all files are backed up first, and `cargo course undo` restores them.".to_string());
        return Ok(lines.into());
    }
    if !plan.merged.given.is_empty() {
        progress.path.give_named(plan.merged.given.drain(..));
        let (file, json) = progress.path.stored(&progress.repo)?;
        plan.changes.insert(file, Some(json));
    }
    plan.ensure_current(&progress.repo)?;
    let backup = backups::overwrite(&progress.repo, "update", &plan.changes)?;
    if let Some(backup) = backup {
        lines.extend(listed(&backup, |file| match file.written {
            Some(_) => format!("wrote {}", file.path.display()),
            None => format!("removed {}", file.path.display()),
        }));
        lines.push(way_back(style, &backup));
    }
    lines.push("The next `cargo course` builds the new version's runner.".to_string());
    Ok(lines.into())
}

/// Whether a file is only the record of the installed version.
fn is_record(path: &std::path::Path) -> bool {
    path.ends_with(".course/version.json")
}

/// What the learner has to do, then what happened to the learner's code, then the course's files.
fn summary(style: &Style, plan: &Plan, open: u32) -> Vec<String> {
    let mut lines = Vec::new();
    // New work in later chapters is part of them.
    let is_later = |change: &&Change| {
        let is_new = matches!(change.outcome, Kind::NewSection | Kind::NewItem);
        is_new && change.section.is_some_and(|section| section.chapter > open)
    };
    for (kind, heading) in HEADINGS {
        let changes = plan.merged.changes.iter().filter(|it| !is_later(it));
        let mut changes: Vec<&Change> = changes.filter(|it| it.outcome == kind).collect();
        if changes.is_empty() {
            continue;
        }
        changes.sort_by_key(|change| (change.section, change.item.clone()));
        lines.push(style.yellow(heading));
        lines.extend(changes.into_iter().map(line));
    }
    if !plan.problems.is_empty() {
        lines.push(style.red("Your code does not compile with the new version yet:"));
        lines.extend(plan.problems.iter().map(|problem| {
            format!(
                "{NO_WRAP}  {}:{}  {}",
                problem.file, problem.line, problem.message
            )
        }));
    }
    if let Some(reason) = &plan.not_built {
        lines.push(format!(
            "It is unknown whether your code compiles with the new version: {reason}"
        ));
    }
    match plan.merged.kept {
        0 => {}
        1 => lines.push("1 item that you wrote stays as it is.".to_string()),
        kept => lines.push(format!("{kept} items that you wrote stay as they are.")),
    }
    if !plan.course.edited.is_empty() {
        lines.push(style.yellow(
            "The update replaces these files of the course, which you had edited. Yours are in the backup:",
        ));
        let edited = plan.course.edited.iter();
        lines.extend(edited.map(|file| format!("  {file}")));
    }
    if plan.course.edits_unknown {
        lines.push("It is unknown which of the course's files outside src/ you have edited. All files that change are in the backup.".to_string());
    }
    let (mut written, mut removed) = (0, 0);
    for (path, content) in &plan.course.changes {
        match content {
            _ if is_record(path) => {}
            Some(_) => written += 1,
            None => removed += 1,
        }
    }
    lines.push(format!(
        "Files of the course outside src/: {written} written, {removed} removed."
    ));
    lines
}

fn line(change: &Change) -> String {
    let section = change.section.map(|id| id.to_string()).unwrap_or_default();
    let detail = match change.detail.as_str() {
        "" => String::new(),
        detail => format!(" ({detail})"),
    };
    format!("  {section:<6}{}{detail}", change.item)
}

/// The groups of the summary: first those that ask the learner to do something.
const HEADINGS: [(Kind, &str); 12] = [
    (
        Kind::StubAgain,
        "Stubs again, with your code in a comment inside:",
    ),
    (
        Kind::TypeReplaced,
        "Complete types, with yours in a comment above:",
    ),
    (
        Kind::CommentedOut,
        "Your own code becomes a comment where it does not compile with the new version:",
    ),
    (
        Kind::GivenReplaced,
        "The update replaces this given code, which you had edited. Yours is in the backup:",
    ),
    (
        Kind::FileReplaced,
        "The course has a file of this name now. Yours is in the backup:",
    ),
    (
        Kind::FileGone,
        "The course no longer has these files. Yours are in the backup:",
    ),
    (
        Kind::NoLongerAsked,
        "The course no longer asks for these items. Yours stay:",
    ),
    (Kind::NewSection, "New sections:"),
    (Kind::NewItem, "New items to write:"),
    (
        Kind::TypeCompleted,
        "Types of earlier chapters that come complete, since the course's code needs them:",
    ),
    (Kind::Moved, "Your code moved with its item:"),
    (
        Kind::Reworded,
        "Your code stays, and its doc comment changed:",
    ),
];
