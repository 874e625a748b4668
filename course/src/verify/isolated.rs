//! Chapter N passes without any later chapter, and section N.S without any later section. On the
//! core path, the core sections are still red when the depth sections are given.

use anyhow::Result;

use super::chapter_crates;
use super::context::{Context, Finding};
use super::mutants;
use super::proofs::{COMPILES, ISOLATED};
use super::test_crates::TestRun;
use crate::cargo::Run;
use crate::course_toml::Chapter;
use crate::manifest::{Manifest, Section};

/// For each chapter, solves the chapters up to it and opens its feature alone. Then its tests
/// compile, without a warning. With the functions of later chapters as stubs, they pass. For each
/// section, leaves the functions of later sections stubs, too. Then its tests pass. A test that
/// passes does not reach those stubs, so it passes as well when they are written.
pub fn check(context: &Context) -> Result<Finding> {
    let chapters = context.unproved(ISOLATED)?;
    let mut problems = Vec::new();
    compiles_alone(context, &context.unproved(COMPILES)?, &mut problems)?;
    if !chapters.is_empty() {
        passes_alone(context, &chapters, &mut problems)?;
        core_path(context, &chapters, &mut problems)?;
    }
    let all = context.chapters();
    let count: usize = all
        .iter()
        .map(|(_, manifest)| sections(manifest).count())
        .sum();
    let count = format!(
        "{} chapters, {count} sections pass without later ones",
        all.len()
    );
    context.finding(ISOLATED, count, &chapters, problems)
}

/// Finds chapters that do not compile without a later one, or only with a warning, and those that
/// do not compile with their depth sections given. Only a chapter whose core sections ask for
/// anything but functions needs a crate for the latter: stubs of functions always compile.
fn compiles_alone(
    context: &Context,
    chapters: &[(&Chapter, &Manifest)],
    problems: &mut Vec<(u32, String)>,
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
            problems.push((number, format!(
                "with the chapters up to {number} solved, under feature {}, the compiler reports:\n{message}",
                chapter.feature()
            )));
        }
        if let Err(error) = crates.ensure_compiled(&end)
            && crates.diagnostics(&end).is_empty()
        {
            problems.push((number, format!("{error:#}")));
        }
        if chapter_crates::has_core_start(solution, manifest)
            && let Err(error) = crates.ensure_compiled(&chapter_crates::core_start(chapter))
        {
            problems.push((
                number,
                format!("with the depth sections of chapter {number} given, {error:#}"),
            ));
        }
        if problems.len() == before {
            compiled.push(number);
        }
    }
    context.store_compiled(compiled.into_iter())
}

/// Finds chapters and sections whose tests need something later.
fn passes_alone(
    context: &Context,
    chapters: &[(&Chapter, &Manifest)],
    problems: &mut Vec<(u32, String)>,
) -> Result<()> {
    let crates = context.crates()?;
    let all = context.all_sections();
    let mut runs = Vec::new();
    for (chapter, manifest) in chapters {
        let later = all.iter().filter(|id| id.chapter > chapter.number);
        runs.push(mutants::with_stubs(later.copied(), chapter, manifest));
        runs.extend(sections(manifest).map(|section| {
            let later = all.iter().filter(|id| **id > section.id);
            TestRun {
                filters: mutants::paths([section]),
                section: Some(section.id),
                ..mutants::with_stubs(later.copied(), chapter, manifest)
            }
        }));
    }
    let mut results = crates.run(&runs).into_iter();
    for (chapter, manifest) in chapters {
        let number = chapter.number;
        let mut add = |problem: String| problems.push((number, problem));
        let tests = sections(manifest).flat_map(|section| &section.tests);
        if let Some(run) = results.next() {
            for failure in failures(run?, tests) {
                add(format!(
                    "with the chapters up to {number} solved and nothing later, {failure}"
                ));
            }
        }
        for (section, run) in sections(manifest).zip(results.by_ref()) {
            for failure in failures(run?, &section.tests) {
                add(format!(
                    "with the sections up to {} solved and the rest stubs, {failure}",
                    section.id
                ));
            }
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
    chapters: &[(&Chapter, &Manifest)],
    problems: &mut Vec<(u32, String)>,
) -> Result<()> {
    let solution = context.progress.solution()?;
    let crates = context.crates()?;
    let all = context.all_sections();
    let has_depth = |(_, manifest): &&(&Chapter, &Manifest)| chapter_crates::has_depth(manifest);
    let chapters: Vec<_> = chapters.iter().filter(has_depth).collect();
    let runs: Vec<TestRun> = chapters
        .iter()
        .map(|(chapter, manifest)| {
            let core = manifest.sections.iter().filter(|section| !section.depth);
            let later = all.iter().filter(|id| id.chapter > chapter.number);
            let stubs = core.map(|section| section.id).chain(later.copied());
            mutants::with_stubs(stubs, chapter, manifest)
        })
        .collect();
    for ((chapter, manifest), run) in chapters.iter().zip(crates.run(&runs)) {
        let number = chapter.number;
        let mut add = |problem: String| problems.push((number, problem));
        let tests = match run.and_then(mutants::tests_of) {
            Ok(tests) => tests,
            Err(error) => {
                add(format!(
                    "with the depth sections of chapter {number} given, {error:#}"
                ));
                continue;
            }
        };
        let core = sections(manifest).filter(|section| !section.depth);
        for section in core.filter(|section| !solution.has_shapes(section.id)) {
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
    }
    Ok(())
}

/// The sections that have tests.
fn sections(manifest: &Manifest) -> impl Iterator<Item = &Section> {
    let all = manifest.sections.iter();
    all.filter(|section| !section.tests.is_empty())
}

/// Why `tests` did not all pass.
fn failures<'a>(run: Run, tests: impl IntoIterator<Item = &'a String>) -> Vec<String> {
    let (ran, cut_short) = match run {
        Run::NotBuilt { cargo, .. } => return vec![cargo],
        Run::Ran {
            tests, cut_short, ..
        } => (tests, cut_short),
    };
    let failures = tests.into_iter().filter_map(|name| {
        let Some(test) = ran.iter().find(|test| test.name == *name) else {
            return Some(format!("{name} has no result"));
        };
        let failure = test.failure.as_ref()?;
        Some(format!("{name} fails: {}", failure.message))
    });
    failures.chain(cut_short).collect()
}
