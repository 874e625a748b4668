//! The wrong answers of the manifests and the crates that they are compiled in.

use std::collections::BTreeMap;

use anyhow::Result;

use crate::manifest::{Manifest, Section, SectionId, WrongAnswer};
use crate::progress::Progress;
use crate::source::Kind;
use crate::verify::executed::Executed;
use crate::verify::part::Part;

/// The variable with the number of the wrong answer to use, counted from 1.
pub const WRONG: &str = "COURSE_WRONG";
/// The stack of the tests' threads, in bytes. A function of the switch crate holds the local
/// variables of all its wrong bodies at once, and an async function keeps them in its future, so
/// the default of 2 MiB is too little.
pub const STACK: (&str, &str) = ("RUST_MIN_STACK", "16777216");
/// The variable with the ids of sections, separated by spaces. Their functions are stubs.
pub const STUBS: &str = "COURSE_STUBS";

/// The wrong answers of some sections, each with its number.
pub fn answers<'a>(parts: &[Part<'a>]) -> Vec<(usize, &'a Manifest, &'a WrongAnswer)> {
    let all = parts.iter().flat_map(|part| {
        let wrong = part.manifest.wrong.iter();
        let own = wrong.filter(|wrong| wrong.section == part.section.id);
        own.map(|wrong| (part.manifest, wrong))
    });
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

/// The file and the place of the function whose body is wrong. A `const fn` has none: it is not known
/// what executes it.
pub fn function_of(progress: &Progress, wrong: &WrongAnswer) -> Result<Option<(String, usize)>> {
    let solution = progress.solution()?;
    let (file, _, found) = solution.find(&progress.repo.solutions(), &wrong.item)?;
    let source = solution.file(&file);
    let mut bodies = source
        .map(|source| source.bodies())
        .unwrap_or_default()
        .into_iter();
    let place = bodies.position(|body| found.body.as_ref() == Some(&body));
    Ok(place.map(|place| (file, place)))
}

/// The sections whose tests a wrong body of a function can fail: those that the manifest names,
/// and those whose tests execute the function. The tests of sections before the function's own do
/// not reach it: they pass while it is a stub, which the check `isolated` proves. `executed` has
/// what the tests of each section execute, as far as that is known.
pub fn noticed_by<'a>(
    progress: &Progress,
    executed: &BTreeMap<SectionId, Executed>,
    manifest: &'a Manifest,
    wrong: &WrongAnswer,
) -> Result<Vec<&'a Section>> {
    let solution = progress.solution()?;
    let (file, path, _) = solution.find(&progress.repo.solutions(), &wrong.item)?;
    let own = solution.section_of(&file, &path);
    let function = function_of(progress, wrong)?;
    let mut sections: Vec<&Section> = manifest.sections.iter().collect();
    sections.retain(|section| {
        let is_named = || section.tests.iter().any(|test| wrong.tests.contains(test));
        let is_executed = || {
            let (file, place) = function.as_ref()?;
            Some(executed.get(&section.id)?.contains(file, *place))
        };
        own.is_none_or(|own| section.id >= own) && (is_executed().unwrap_or(true) || is_named())
    });
    Ok(sections)
}

/// The crate of a wrong answer that needs its own.
pub fn own_crate(section: SectionId, number: usize) -> String {
    format!("wrong-{}-{number}", section.chapter)
}
