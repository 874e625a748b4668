//! Replaces one section's parts in a learner's file, with the solved ones or with stubs. The
//! rest of the file stays unchanged.

use std::collections::BTreeMap;

use anyhow::{Context, Result};

use crate::manifest::SectionId;
use crate::repo::Repo;
use crate::source::Source;
use crate::stubs::{self, Solution, Unit};

/// The form that a section's parts get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Solved, as in the reference.
    Solved,
    /// The stubs.
    Stub,
}

/// The learner's files with the parts of each section in its form. Leaves out files that would
/// not change. Writes nothing.
pub fn plan(
    repo: &Repo,
    solution: &Solution,
    sections: impl IntoIterator<Item = (SectionId, Form)>,
) -> Result<BTreeMap<String, String>> {
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    for (id, form) in sections {
        for (file, units) in units_by_file(solution, id) {
            let mut text = match files.remove(file) {
                Some(text) => text,
                None => current(repo, solution, file)?,
            };
            let wanted = reference(solution, file, id, form)?;
            for unit in units {
                let wanted = text_of(&wanted, unit)?;
                text = set(&text, solution, unit, id, wanted)?;
            }
            files.insert(file.to_string(), text);
        }
    }
    files.retain(|file, text| {
        std::fs::read_to_string(repo.src().join(file)).map_or(true, |now| now != *text)
    });
    Ok(files)
}

/// The units of `section`, by their files.
fn units_by_file(solution: &Solution, section: SectionId) -> BTreeMap<&str, Vec<&Unit>> {
    let mut files: BTreeMap<&str, Vec<&Unit>> = BTreeMap::new();
    for unit in solution.units(section) {
        files.entry(&unit.file).or_default().push(unit);
    }
    files
}

/// A file of the reference with `section` in `form` and all other sections as stubs.
fn reference(solution: &Solution, file: &str, section: SectionId, form: Form) -> Result<Source> {
    let is_solved = |other| form == Form::Solved && other == section;
    Source::parse(solution.render(file, is_solved))
}

/// The text of `unit` in `source`. `None` if the unit is cut out.
fn text_of<'s>(source: &'s Source, unit: &Unit) -> Result<Option<&'s str>> {
    let found = source.find(&unit.path)?;
    Ok(found.map(|found| &source.text[found.range]))
}

/// Whether every part of `section` in the learner's files is in `form`. A missing file counts as
/// its stub.
pub fn has_form(repo: &Repo, solution: &Solution, section: SectionId, form: Form) -> Result<bool> {
    for (file, units) in units_by_file(solution, section) {
        let wanted = reference(solution, file, section, form)?;
        let text = current(repo, solution, file)?.replace("\r\n", "\n");
        let source = Source::parse(text).with_context(|| unparsable(file, section))?;
        for unit in units {
            // Several under different `cfg` attributes are the learner's.
            let Ok(found) = text_of(&source, unit) else {
                return Ok(false);
            };
            if found != text_of(&wanted, unit)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// The solution of `section` in `unit`, without indentation.
pub fn shown(solution: &Solution, unit: &Unit, section: SectionId) -> Result<Option<String>> {
    let source = Source::parse(solution.render(&unit.file, |other| other == section))?;
    let found = source.find(&unit.path)?;
    Ok(found.map(|found| source.code(&found.range)))
}

/// A file of the learner's, or its stub where the learner has deleted it.
fn current(repo: &Repo, solution: &Solution, file: &str) -> Result<String> {
    let path = repo.src().join(file);
    if !path.exists() {
        return Ok(solution.render(file, |_| false));
    }
    std::fs::read_to_string(&path).with_context(|| format!("cannot read src/{file}"))
}

/// `text` with `unit` replaced by, extended with, or relieved of its source.
fn set(
    text: &str,
    solution: &Solution,
    unit: &Unit,
    id: SectionId,
    wanted: Option<&str>,
) -> Result<String> {
    let unix = text.replace("\r\n", "\n");
    // The line ends of an editor on Windows stay as they are, unless they are mixed.
    if unix.len() < text.len() && unix.matches('\n').count() == text.matches("\r\n").count() {
        return Ok(set(&unix, solution, unit, id, wanted)?.replace('\n', "\r\n"));
    }
    let source = Source::parse(text).with_context(|| unparsable(&unit.file, id))?;
    let text = &source.text;
    let found = source.find(&unit.path).with_context(|| {
        format!(
            "section {id} cannot be written into src/{}; keep one of these items, and run the command again",
            unit.file
        )
    })?;
    match (found, wanted) {
        (Some(found), Some(wanted)) => Ok(format!(
            "{}{wanted}{}",
            &text[..found.range.start],
            &text[found.range.end..]
        )),
        (Some(found), None) => Ok(stubs::remove(text, &found.range)),
        (None, None) => Ok(text.to_string()),
        (None, Some(wanted)) => Ok(insert(&source, solution, unit, wanted)),
    }
}

/// Adds a missing item. A member goes to the end of the block that it has in the reference,
/// any other item after the one that it follows there.
fn insert(source: &Source, solution: &Solution, unit: &Unit, wanted: &str) -> String {
    let text = &source.text;
    let reference = solution.file(&unit.file);
    let own = reference.and_then(|reference| Some(reference.find(&unit.path).ok()??.range));
    let (Some(reference), Some(own)) = (reference, own) else {
        return text.clone();
    };
    let mut homes = reference.blocks().into_iter();
    if let Some(home) = homes.find(|block| block.range.contains(&own.start))
        && unit.path.len() > 1
    {
        let mut blocks = source.blocks().into_iter();
        return match blocks.find(|one| one.owner == home.owner && one.of == home.of) {
            Some(block) => {
                let brace = block.range.end - 1;
                let before = text[..brace].trim_end();
                let gap = if before.ends_with('{') { "" } else { "\n" };
                format!("{before}\n{gap}    {wanted}\n{}", &text[brace..])
            }
            None => {
                let head = home.head.trim_end();
                format!("{}\n\n{head} {{\n    {wanted}\n}}\n", text.trim_end())
            }
        };
    }
    let before = reference
        .names()
        .into_iter()
        .filter(|(_, at)| *at < own.start);
    let place = before
        .filter_map(|(name, _)| source.find(&[name]).ok().flatten())
        .map(|found| end_of_line(text, found.range.end))
        .max()
        .unwrap_or(text.trim_end().len());
    // If the stub lacks the whole type, it also lacks the comments around it.
    let wanted = match reference.text[own.clone()] == *wanted {
        true => reference.text[stubs::lines_of(&reference.text, &own)].trim_end(),
        false => wanted,
    };
    match text[..place].trim_end() {
        "" => format!("{wanted}\n{}", text[place..].trim_start()),
        before => format!("{before}\n\n{wanted}{}", &text[place..]),
    }
}

/// The end of the line at `at` if only a comment follows there; otherwise `at`.
pub fn end_of_line(text: &str, at: usize) -> usize {
    let rest = text[at..].split('\n').next().unwrap_or_default();
    match rest.trim_start() {
        "" => at,
        comment if comment.starts_with("//") => at + rest.len(),
        _ => at,
    }
}

fn unparsable(file: &str, id: SectionId) -> String {
    format!(
        "src/{file} has a syntax error, so section {id} cannot be written into it; fix the error below, or start the chapter again with `cargo course reset {}` (your code is backed up first)",
        id.chapter
    )
}
