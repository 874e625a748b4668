//! Chapter N passes without any later chapter, and section N.S without any later section. On the
//! core path, the core sections are still red when the depth sections are given.

use anyhow::Result;

use super::cases::Case;
use super::chapter_crates;
use super::context::{Context, Finding};
use super::mutants;
use super::part::{self, Part, Unproved};
use super::proofs::ISOLATED;
use super::test_crates::TestRun;
use crate::course_toml::Chapter;
use crate::manifest::{Manifest, SectionId};

/// For each chapter, solves the chapters up to it and opens its feature alone. Then its tests
/// compile, without a warning. For each section, leaves the functions of later sections and
/// chapters stubs. Then its tests pass. A test that passes does not reach those stubs, so it passes
/// as well when they are written.
pub fn check(context: &Context) -> Result<Finding> {
    let unproved = context.unproved(ISOLATED)?;
    let mut compiler = Vec::new();
    compiles_alone(context, &context.uncompiled()?, &mut compiler)?;
    let mut problems = Vec::new();
    if !unproved.is_empty() {
        passes_alone(context, &unproved, &mut problems)?;
        core_path(context, &unproved, &mut problems)?;
    }
    let chapters = context.chapters().len();
    let sections = context.sections();
    let count = sections
        .iter()
        .filter(|part| !part.section.tests.is_empty())
        .count();
    let count = format!("{chapters} chapters, {count} sections pass without later ones");
    let mut finding = context.finding(ISOLATED, count, &unproved, problems)?;
    finding.problems.splice(0..0, compiler);
    Ok(finding)
}

/// Finds chapters that do not compile without a later one, or only with a warning, and those that
/// do not compile with their depth sections given. Only a chapter whose core sections ask for
/// anything but functions needs a crate for the latter: stubs of functions always compile.
fn compiles_alone(
    context: &Context,
    chapters: &[(&Chapter, &Manifest)],
    problems: &mut Vec<String>,
) -> Result<()> {
    if chapters.is_empty() {
        return Ok(());
    }
    let solution = context.progress.solution()?;
    let crates = context.crates()?;
    let mut compiled = Vec::new();
    for (chapter, manifest) in chapters {
        let number = chapter.number;
        let before = problems.len();
        let end = chapter_crates::end(chapter);
        for message in crates.diagnostics(&end) {
            problems.push(format!(
                "with the chapters up to {number} solved, under feature {}, the compiler reports:\n{message}",
                chapter.feature()
            ));
        }
        if let Err(error) = crates.ensure_compiled(&end)
            && crates.diagnostics(&end).is_empty()
        {
            problems.push(format!("{error:#}"));
        }
        if chapter_crates::has_core_start(solution, manifest)
            && let Err(error) = crates.ensure_compiled(&chapter_crates::core_start(chapter))
        {
            problems.push(format!(
                "with the depth sections of chapter {number} given, {error:#}"
            ));
        }
        if problems.len() == before {
            compiled.push(number);
        }
    }
    context.store_compiled(compiled.into_iter())
}

/// Finds sections whose tests need something later.
fn passes_alone(
    context: &Context,
    unproved: &[Unproved],
    problems: &mut Vec<(SectionId, String)>,
) -> Result<()> {
    let crates = context.crates()?;
    let all = context.all_sections();
    let mut tests = Vec::new();
    for Unproved { part, cases } in unproved {
        for case in cases {
            if let Case::Alone(test) = case {
                tests.push((part, test, case));
            }
        }
    }
    let run = |(part, test, case): &(&Part, &String, &Case)| {
        let later = all.iter().filter(|id| **id > part.section.id);
        TestRun {
            tests: [(test.to_string(), (*case).clone())].into(),
            ..mutants::with_stubs(later.copied(), part, case)
        }
    };
    let runs: Vec<TestRun> = tests.iter().map(run).collect();
    for ((part, test, _), run) in tests.into_iter().zip(crates.run(&runs)) {
        let id = part.section.id;
        for failure in part::failures(std::slice::from_ref(test), run?) {
            problems.push((
                id,
                format!("with the sections up to {id} solved and the rest stubs, {failure}"),
            ));
        }
    }
    Ok(())
}

/// With a chapter's depth sections given, the tests of its core sections fail. Those of sections
/// that ask for anything but functions do not run with the depth sections given. They fail on the
/// stubs before they reach a stub of a depth section, which the check `red` proves, so they fail as
/// well when that stub is written.
///
/// That the tests then pass one section at a time follows from the runs without later sections:
/// no test reaches a later section, given or not.
fn core_path(
    context: &Context,
    unproved: &[Unproved],
    problems: &mut Vec<(SectionId, String)>,
) -> Result<()> {
    let solution = context.progress.solution()?;
    let crates = context.crates()?;
    let all = context.all_sections();
    let due = unproved
        .iter()
        .filter(|it| it.cases.contains(&Case::CorePath));
    let tested = due.map(|it| &it.part).filter(|part| {
        let Part {
            manifest, section, ..
        } = part;
        let is_function = !section.depth && !solution.has_shapes(section.id);
        is_function && chapter_crates::has_depth(manifest) && !section.tests.is_empty()
    });
    let runs: Vec<TestRun> = tested
        .clone()
        .map(|part| {
            let core = part
                .manifest
                .sections
                .iter()
                .filter(|section| !section.depth);
            let later = all.iter().filter(|id| id.chapter > part.chapter.number);
            let stubs = core.map(|section| section.id).chain(later.copied());
            mutants::with_stubs(stubs, part, &Case::CorePath)
        })
        .collect();
    for (part, run) in tested.zip(crates.run(&runs)) {
        let (number, section) = (part.chapter.number, part.section);
        let mut add = |problem: String| problems.push((section.id, problem));
        let tests = match run {
            Ok(results) => results.tests,
            Err(error) => {
                add(format!(
                    "with the depth sections of chapter {number} given, {error:#}"
                ));
                continue;
            }
        };
        for name in &section.tests {
            let test = tests.iter().find(|test| test.name == *name);
            if test.is_some_and(|test| test.failure.is_none()) {
                add(format!(
                    "{name} passes before section {} is written, when the depth sections of chapter {number} are given",
                    section.id
                ));
            }
        }
    }
    Ok(())
}
