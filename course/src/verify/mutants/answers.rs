//! The wrong answers of the manifests and the crates that they are compiled in.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;

use crate::manifest::{Manifest, SectionId, WrongAnswer};
use crate::progress::Progress;
use crate::source::Kind;
use crate::verify::executed::Executed;
use crate::verify::part::Part;

/// The tests that run with each wrong answer to a section.
pub type Noticing = Vec<BTreeSet<String>>;

/// The variable with the number of the wrong answer to use, counted from 1.
pub const WRONG: &str = "COURSE_WRONG";
/// The stack of the tests' threads, in bytes. A function of the switch crate holds the local
/// variables of all its wrong bodies at once, and an async function keeps them in its future, so
/// the default of 2 MiB is too little.
pub const STACK: (&str, &str) = ("RUST_MIN_STACK", "16777216");
/// The variable with the ids of sections, separated by spaces. Their functions are stubs.
pub const STUBS: &str = "COURSE_STUBS";

/// The wrong answers to the sections in `parts`, each with its number among those to the sections
/// in `all`.
pub fn answers<'a>(
    all: &[Part<'a>],
    parts: &[Part],
) -> Vec<(usize, &'a Manifest, &'a WrongAnswer)> {
    let wanted: BTreeSet<SectionId> = parts.iter().map(|part| part.section.id).collect();
    let all = all.iter().flat_map(|part| {
        let own = part.wrong_answers();
        own.map(|wrong| (part.manifest, wrong))
    });
    (1..)
        .zip(all)
        .map(|(number, (manifest, wrong))| (number, manifest, wrong))
        .filter(|(_, _, wrong)| wanted.contains(&wrong.section))
        .collect()
}

/// For each wrong answer to a section, the tests that may [notice](noticed_by) it.
pub fn tests_for(
    progress: &Progress,
    executed: &BTreeMap<String, Executed>,
    part: &Part,
) -> Result<Noticing> {
    let tests = part.wrong_answers().map(|wrong| {
        let tests = noticed_by(progress, executed, part.manifest, wrong)?;
        Ok(tests.into_iter().map(|(_, test)| test.clone()).collect())
    });
    tests.collect()
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

/// The tests that a wrong body of a function can fail, each with its section: those that the
/// manifest names, and those that execute the function. The tests of sections before the function's
/// own do not reach it: they pass while it is a stub, which the check `isolated` proves. `executed`
/// has what each test executes, as far as that is known.
pub fn noticed_by<'a>(
    progress: &Progress,
    executed: &BTreeMap<String, Executed>,
    manifest: &'a Manifest,
    wrong: &WrongAnswer,
) -> Result<Vec<(SectionId, &'a String)>> {
    let solution = progress.solution()?;
    let (file, path, _) = solution.find(&progress.repo.solutions(), &wrong.item)?;
    let own = solution.section_of(&file, &path);
    let function = function_of(progress, wrong)?;
    let is_executed = |test: &String| {
        let (file, place) = function.as_ref()?;
        Some(executed.get(test)?.contains(file, *place))
    };
    let sections = manifest.sections.iter();
    let later = sections.filter(|section| own.is_none_or(|own| section.id >= own));
    let tests = later.flat_map(|section| section.tests.iter().map(|test| (section.id, test)));
    Ok(tests
        .filter(|(_, test)| is_executed(test).unwrap_or(true) || wrong.tests.contains(test))
        .collect())
}

/// The crate of a wrong answer that needs its own.
pub fn own_crate(section: SectionId, number: usize) -> String {
    format!("wrong-{}-{number}", section.chapter)
}
