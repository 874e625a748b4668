//! Puts one section's parts, solved or as stubs, into a file that a learner works on,
//! and leaves all the rest of that file as it is.

use std::collections::BTreeMap;

use anyhow::{Context, Result};

use crate::manifest::SectionId;
use crate::render::{self, Solution, Unit};
use crate::repo::Repo;
use crate::source::Source;

/// What a section's parts are to become.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The reference's answer.
    Solved,
    /// As the learner found them.
    Stub,
}

/// The learner's files as they will read once the parts of `sections` have `form`.
/// Files that would not change are left out. Nothing is written.
pub fn plan(
    repo: &Repo,
    solution: &Solution,
    sections: &[SectionId],
    form: Form,
) -> Result<BTreeMap<String, String>> {
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    for id in sections {
        for unit in solution.units(*id) {
            let text = match files.remove(&unit.file) {
                Some(text) => text,
                None => current(repo, solution, &unit.file)?,
            };
            let wanted = form_of(solution, unit, |s| match form {
                Form::Solved => s == *id,
                Form::Stub => false,
            })?;
            let edited = set(&text, solution, unit, wanted.as_deref())
                .with_context(|| unparsable(&unit.file, *id))?;
            files.insert(unit.file.clone(), edited);
        }
    }
    files.retain(|file, text| {
        std::fs::read_to_string(repo.src().join(file)).map_or(true, |now| now != *text)
    });
    Ok(files)
}

/// The source of `unit` with the sections solved that `solved` accepts; `None` where
/// it is not there at all.
pub fn form_of(
    solution: &Solution,
    unit: &Unit,
    solved: impl Fn(SectionId) -> bool,
) -> Result<Option<String>> {
    let source = Source::parse(solution.render(&unit.file, solved))?;
    Ok(source
        .find(&unit.path)?
        .map(|found| source.text[found.range].to_string()))
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
fn set(text: &str, solution: &Solution, unit: &Unit, wanted: Option<&str>) -> Result<String> {
    let source = Source::parse(text)?;
    match (source.find(&unit.path)?, wanted) {
        (Some(found), Some(wanted)) => Ok(format!(
            "{}{wanted}{}",
            &text[..found.range.start],
            &text[found.range.end..]
        )),
        (Some(found), None) => Ok(render::remove(text, &found.range)),
        (None, None) => Ok(text.to_string()),
        (None, Some(wanted)) => Ok(insert(&source, solution, unit, wanted)),
    }
}

/// Adds an item that is not there: a method at the end of its type's first block,
/// anything else behind the item that it follows in the reference.
fn insert(source: &Source, solution: &Solution, unit: &Unit, wanted: &str) -> String {
    let text = &source.text;
    if let [owner, _] = unit.path.as_slice() {
        return match source.block_of(owner) {
            Some(block) => {
                let brace = block.end - 1;
                let before = text[..brace].trim_end();
                format!("{before}\n\n    {wanted}\n{}", &text[brace..])
            }
            None => format!("{}\n\nimpl {owner} {{\n    {wanted}\n}}\n", text.trim_end()),
        };
    }
    let place = solution
        .file(&unit.file)
        .and_then(|reference| {
            let own = reference.find(&unit.path).ok()??.range.start;
            reference
                .names()
                .into_iter()
                .filter(|(_, at)| *at < own)
                .filter_map(|(name, _)| source.find(&[name]).ok().flatten())
                .map(|found| found.range.end)
                .max()
        })
        .unwrap_or(text.trim_end().len());
    format!("{}\n\n{wanted}{}", &text[..place], &text[place..])
}

fn unparsable(file: &str, id: SectionId) -> String {
    format!(
        "src/{file} cannot be read as Rust, so section {id} cannot be put into it; mend the error below, or start the file afresh with `cargo course reset {}` (what you wrote is saved first)",
        id.chapter
    )
}
