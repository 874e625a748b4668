//! The wrong answers of the manifests and the crates that they are compiled in.

use anyhow::Result;

use crate::course_toml::Chapter;
use crate::manifest::{Manifest, Section, SectionId, WrongAnswer};
use crate::progress::Progress;
use crate::source::Kind;

/// The crate in which the functions' wrong bodies are compiled beside the right ones.
pub const SWITCH: &str = "switch";
/// The variable with the number of the wrong answer to use, counted over all chapters from 1.
pub const WRONG: &str = "COURSE_WRONG";
/// The stack of the tests' threads, in bytes. A function of the switch crate holds the local
/// variables of all its wrong bodies at once, and an async function keeps them in its future, so
/// the default of 2 MiB is too little.
pub const STACK: (&str, &str) = ("RUST_MIN_STACK", "16777216");
/// The variable with the ids of sections, separated by spaces. Their functions are stubs.
pub const STUBS: &str = "COURSE_STUBS";

/// The wrong answers of `chapters`, each with its number.
pub fn answers<'a>(
    chapters: &[(&'a Chapter, &'a Manifest)],
) -> Vec<(usize, &'a Manifest, &'a WrongAnswer)> {
    let all = chapters
        .iter()
        .flat_map(|(_, manifest)| manifest.wrong.iter().map(|wrong| (*manifest, wrong)));
    (1..)
        .zip(all)
        .map(|(number, (manifest, wrong))| (number, manifest, wrong))
        .collect()
}

/// Whether a wrong answer can be compiled beside the right one. If not, it needs a crate of
/// its own.
pub fn is_switchable(progress: &Progress, wrong: &WrongAnswer) -> Result<bool> {
    let root = progress.repo.solutions();
    let solution = progress.solution()?;
    let (file, _, found) = solution.find(&root, &wrong.item)?;
    let head = match (&found.body, solution.file(&file)) {
        (Some(body), Some(source)) => &source.text[found.bare.start..body.start],
        _ => "",
    };
    // Two bodies that return one `impl Trait` would have two types.
    let is_opaque = head
        .split_once("->")
        .is_some_and(|(_, returned)| returned.contains("impl "));
    Ok(found.kind == Kind::Function && found.body.is_some() && !is_opaque)
}

/// The sections whose tests a wrong body of a function can fail. The tests of sections before the
/// function's own do not reach it: they pass while it is a stub, which the check `isolated`
/// proves.
pub fn noticed_by<'a>(
    progress: &Progress,
    manifest: &'a Manifest,
    wrong: &WrongAnswer,
) -> Result<impl Iterator<Item = &'a Section>> {
    let solution = progress.solution()?;
    let (file, path, _) = solution.find(&progress.repo.solutions(), &wrong.item)?;
    let own = solution.section_of(&file, &path);
    let sections = manifest.sections.iter();
    Ok(sections.filter(move |section| own.is_none_or(|own| section.id >= own)))
}

/// The crate of a wrong answer that needs its own.
pub fn own_crate(section: SectionId, number: usize) -> String {
    format!("wrong-{}-{number}", section.chapter)
}
