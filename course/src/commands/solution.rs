//! `cargo course solution` and `reset`: the reference's answer, and the stub again.

use std::collections::BTreeMap;

use anyhow::{Result, bail};

use super::{Outcome, in_src, saved};
use crate::cli::Place;
use crate::edit::{self, Form};
use crate::manifest::SectionId;
use crate::progress::Progress;
use crate::saves;
use crate::view::Style;

/// Shows the reference's answer to a chapter or section, or puts it into `src/`.
pub fn solution(progress: &Progress, style: &Style, what: Place, apply: bool) -> Result<Outcome> {
    let sections = sections_of(progress, what)?;
    if apply {
        return put(progress, style, what, &sections, Form::Solved);
    }
    let mut lines = Vec::new();
    for id in &sections {
        for unit in progress.solution()?.units(*id) {
            let source = edit::shown(progress.solution()?, unit, *id)?;
            let head = format!("// {id}, src/{}", unit.file);
            lines.push(style.dim(&head));
            lines.extend(source.unwrap_or_default().lines().map(str::to_string));
            lines.push(String::new());
        }
    }
    lines.push(style.dim(&format!(
        "`cargo course solution {what} --apply` writes it into src/; what you wrote is saved first."
    )));
    Ok(lines.into())
}

/// Turns a chapter or section back into its stubs.
pub fn reset(progress: &Progress, style: &Style, what: Place) -> Result<Outcome> {
    let sections = sections_of(progress, what)?;
    put(progress, style, what, &sections, Form::Stub)
}

fn put(
    progress: &Progress,
    style: &Style,
    what: Place,
    sections: &[SectionId],
    form: Form,
) -> Result<Outcome> {
    let solution = progress.solution()?;
    let mut files = BTreeMap::new();
    // A whole chapter takes the files that are its own as a whole, so that this works
    // even where a file can no longer be read as Rust.
    if let Place::Chapter(number) = what {
        for (file, _) in solution.files() {
            // A file that no chapter asks anything of is nobody's work: missing, it
            // comes back.
            let chapters = solution.chapters_in(file);
            let lost = chapters.is_empty() && !progress.repo.src().join(file).exists();
            if chapters == [number] || lost {
                let text = solution.render(file, |_| form == Form::Solved);
                files.insert(file.to_string(), text);
            }
        }
    }
    let rest: Vec<SectionId> = sections
        .iter()
        .copied()
        .filter(|id| {
            let mut units = solution.units(*id).into_iter();
            units.any(|unit| !files.contains_key(&unit.file))
        })
        .collect();
    for (file, text) in edit::plan(&progress.repo, solution, &rest, form)? {
        files.entry(file).or_insert(text);
    }
    let (command, done) = match form {
        Form::Solved => (
            format!("solution {what} --apply"),
            "is solved as in the reference",
        ),
        Form::Stub => (format!("reset {what}"), "is a stub again"),
    };
    let save = saves::overwrite(&progress.repo, &command, &in_src(progress, files))?;
    Ok(match save {
        Some(save) => {
            let mut lines = vec![format!("{what} {done}.")];
            lines.extend(saved(style, &save));
            lines
        }
        None => vec![format!("Nothing to do: {what} {done} already.")],
    }
    .into())
}

/// The sections meant, those that are only read left out.
fn sections_of(progress: &Progress, what: Place) -> Result<Vec<SectionId>> {
    let meant: Vec<SectionId> = match what {
        Place::Section(id) => vec![progress.course.section(id)?.id],
        Place::Chapter(number) => {
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
        bail!("there is nothing to write in section {what}: it is read in the book");
    }
    Ok(written)
}
