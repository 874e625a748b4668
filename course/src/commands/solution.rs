//! `cargo course solution` and `reset`: show the solution, write it, or restore the stubs.

use std::collections::BTreeMap;

use anyhow::{Result, bail};

use super::path::overwrite;
use super::written::{changed_given_files, look_at};
use super::{Outcome, backed_up, in_src};
use crate::backups;
use crate::cli::Scope;
use crate::learning_path::Path;
use crate::manifest::SectionId;
use crate::messages::Style;
use crate::progress::Progress;
use crate::splice::{self, Form};

/// Writes the reference's solution of a chapter or section into `src/`, and tests it.
pub fn apply(progress: &mut Progress, style: &Style, what: Scope) -> Result<Outcome> {
    let mut outcome = write_solution(progress, style, what)?;
    let look = look_at(&progress.repo, style, what)?;
    outcome.lines.splice(..1, look.lines);
    outcome.red = look.red;
    Ok(outcome)
}

/// Writes the reference's solution of a chapter or section into `src/`. The first line of the
/// outcome says so.
pub fn write_solution(progress: &mut Progress, style: &Style, what: Scope) -> Result<Outcome> {
    let _lock = progress.lock()?;
    let sections = sections_of(progress, what)?;
    put(progress, style, what, &sections, Form::Solved, &[])
}

/// Shows the reference's solution of a chapter or section.
pub fn solution(progress: &Progress, style: &Style, what: Scope) -> Result<Outcome> {
    let sections = sections_of(progress, what)?;
    let mut lines = Vec::new();
    for id in &sections {
        for unit in progress.solution()?.units(*id) {
            let source = splice::shown(progress.solution()?, unit, *id)?;
            let head = format!("// {id}, src/{}", unit.file);
            lines.push(style.dim(&head));
            lines.extend(source.unwrap_or_default().lines().map(str::to_string));
            lines.push(String::new());
        }
    }
    lines.push(style.dim(&format!(
        "`cargo course solution {what} --apply` writes it into src/. Your code is backed up first."
    )));
    Ok(lines.into())
}

/// Restores the stubs of a chapter or section.
///
/// On the core path, the depth sections of a chapter are given again. A section that is reset by
/// itself becomes the learner's work.
pub fn reset(progress: &mut Progress, style: &Style, what: Scope) -> Result<Outcome> {
    let _lock = progress.lock()?;
    let sections = sections_of(progress, what)?;
    let gifts = match what {
        Scope::Chapter(_) => gifts_of(progress, &sections),
        Scope::Section(_) => Vec::new(),
    };
    match what {
        Scope::Chapter(_) => progress.path.give(&progress.course, &gifts),
        Scope::Section(id) => {
            let name = progress.course.section(id)?.name.clone();
            progress.path.take(&name);
        }
    }
    put(progress, style, what, &sections, Form::Stub, &gifts)
}

/// Restores the files without anything to write, such as `lib.rs`.
pub fn reset_given(progress: &mut Progress, style: &Style) -> Result<Outcome> {
    let _lock = progress.lock()?;
    let files = changed_given_files(&progress.repo, progress.solution()?);
    let changes = in_src(progress, files.into_iter().collect());
    let backup = backups::overwrite(&progress.repo, "reset --given", &changes)?;
    Ok(match backup {
        Some(backup) => {
            let mut lines = vec!["The given files are as the course has them again.".to_string()];
            lines.extend(backed_up(style, &backup));
            lines
        }
        None => vec!["Nothing to do: the given files are as the course has them.".to_string()],
    }
    .into())
}

/// The sections of a chapter that stay solved when it is reset: on the core path, the depth
/// sections.
fn gifts_of(progress: &Progress, sections: &[SectionId]) -> Vec<SectionId> {
    let is_core_path = progress.path.path == Path::Core;
    let is_depth = |id: SectionId| progress.course.section(id).is_ok_and(|it| it.depth);
    let is_gift = |id: &&SectionId| is_core_path && is_depth(**id);
    sections.iter().filter(is_gift).copied().collect()
}

/// Writes `sections` in `form`, but `gifts` solved.
fn put(
    progress: &Progress,
    style: &Style,
    what: Scope,
    sections: &[SectionId],
    form: Form,
    gifts: &[SectionId],
) -> Result<Outcome> {
    let solution = progress.solution()?;
    let form_of = |id: SectionId| match gifts.contains(&id) {
        true => Form::Solved,
        false => form,
    };
    let mut files = BTreeMap::new();
    // For a whole chapter, the files that only it changes are replaced as a whole. This works
    // even if such a file no longer parses.
    if let Scope::Chapter(number) = what {
        for (file, _) in solution.files() {
            // A file that no chapter changes is restored if it is missing.
            let chapters = solution.chapters_in(file);
            let lost = chapters.is_empty() && !progress.repo.src().join(file).exists();
            if chapters == [number] || lost {
                let text = solution.render(file, |id| form_of(id) == Form::Solved);
                files.insert(file.to_string(), text);
            }
        }
    }
    let rest: Vec<(SectionId, Form)> = sections
        .iter()
        .map(|id| (*id, form_of(*id)))
        .filter(|(id, _)| {
            let mut units = solution.units(*id).into_iter();
            units.any(|unit| !files.contains_key(&unit.file))
        })
        .collect();
    for (file, text) in splice::plan(&progress.repo, solution, rest)? {
        files.entry(file).or_insert(text);
    }
    let command = match form {
        Form::Solved => format!("solution {what} --apply"),
        Form::Stub => format!("reset {what}"),
    };
    let state = match (what, form) {
        (_, Form::Solved) => format!("{} is written", what.name()),
        (Scope::Chapter(_), Form::Stub) if !gifts.is_empty() => {
            format!(
                "The core sections of chapter {what} are stubs, and its depth sections are given"
            )
        }
        (Scope::Chapter(_), Form::Stub) => format!("The sections of chapter {what} are stubs"),
        (Scope::Section(_), Form::Stub) => format!("{} is a stub", what.name()),
    };
    let changes = in_src(progress, files);
    let backup = match form {
        Form::Solved => backups::overwrite(&progress.repo, &command, &changes)?,
        Form::Stub => overwrite(progress, &command, changes)?,
    };
    Ok(match backup {
        Some(backup) => {
            let mut lines = vec![format!("{state}.")];
            lines.extend(backed_up(style, &backup));
            lines
        }
        None => vec![format!("Nothing to do. {state} already.")],
    }
    .into())
}

/// The sections of `what` that have something to write.
fn sections_of(progress: &Progress, what: Scope) -> Result<Vec<SectionId>> {
    let meant: Vec<SectionId> = match what {
        Scope::Section(id) => vec![progress.course.section(id)?.id],
        Scope::Chapter(number) => {
            let (_, manifest) = progress.course.written_chapter(number)?;
            manifest.sections.iter().map(|section| section.id).collect()
        }
    };
    let solution = progress.solution()?;
    let written: Vec<SectionId> = meant
        .into_iter()
        .filter(|id| !solution.units(*id).is_empty())
        .collect();
    if written.is_empty() {
        bail!("section {what} has nothing to write; read it in the book");
    }
    Ok(written)
}
