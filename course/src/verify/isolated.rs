//! Chapter N passes without any later chapter, and section N.S without any later section. On the
//! core path, the core sections are still red when the depth sections are given.

use anyhow::Result;

use super::chapter_crates;
use super::context::{Context, Finding};
use super::mutants;
use super::proofs::ISOLATED;
use super::test_crates::TestRun;
use crate::cargo::Run;
use crate::course_toml::Chapter;
use crate::manifest::{Manifest, Section, SectionId};

/// For each chapter, solves the chapters up to it and opens its feature alone. Then its tests
/// pass, without a warning. For each section, leaves the functions of later sections stubs. Then
/// its tests and all earlier ones of the chapter pass.
pub fn check(context: &Context) -> Result<Finding> {
    let chapters = context.unproved(ISOLATED)?;
    let mut problems = Vec::new();
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

/// Finds chapters and sections that need something later.
fn passes_alone(
    context: &Context,
    chapters: &[(&Chapter, &Manifest)],
    problems: &mut Vec<(u32, String)>,
) -> Result<()> {
    let crates = context.crates()?;
    let all = all_sections(context);
    let mut runs = Vec::new();
    for (chapter, manifest) in chapters {
        runs.push(TestRun::of_chapter(
            chapter_crates::end(chapter),
            chapter,
            manifest,
        ));
        runs.extend(sections(manifest).map(|section| {
            let later = all.iter().copied().filter(|id| *id > section.id);
            mutants::with_stubs(later, chapter, manifest)
        }));
    }
    let mut results = crates.run(&runs).into_iter();
    for (chapter, manifest) in chapters {
        let number = chapter.number;
        let mut add = |problem: String| problems.push((number, problem));
        for message in crates.diagnostics(&chapter_crates::end(chapter)) {
            add(format!(
                "with the chapters up to {number} solved, under feature {}, the compiler reports:\n{message}",
                chapter.feature()
            ));
        }
        // An `Err` means that the crate does not compile, which is reported above.
        if let Some(Ok(run)) = results.next() {
            for failure in failures(&run, |_| true) {
                add(format!(
                    "with the chapters up to {number} solved and nothing later, {failure}"
                ));
            }
        }
        for (section, run) in sections(manifest).zip(results.by_ref()) {
            let expected = expected_by(manifest, section.id);
            for failure in failures(&run?, |name| expected.contains(&name)) {
                add(format!(
                    "with the sections up to {} solved and the rest stubs, {failure}",
                    section.id
                ));
            }
        }
    }
    Ok(())
}

/// With a chapter's depth sections given, its crate compiles and every test of a core section
/// fails. Stubs of functions always compile, so only a chapter whose core sections ask for
/// anything else needs a crate of its own. That the tests then pass one section at a time
/// follows from the runs without later sections: no test reaches a later section, given or not.
fn core_path(
    context: &Context,
    chapters: &[(&Chapter, &Manifest)],
    problems: &mut Vec<(u32, String)>,
) -> Result<()> {
    let solution = context.progress.solution()?;
    let all = all_sections(context);
    let has_depth = |(_, manifest): &&(&Chapter, &Manifest)| chapter_crates::has_depth(manifest);
    let chapters: Vec<_> = chapters.iter().filter(has_depth).collect();
    let runs: Vec<TestRun> = chapters
        .iter()
        .map(|(chapter, manifest)| {
            if chapter_crates::has_core_shapes(solution, manifest) {
                let package = chapter_crates::core_start(chapter);
                return TestRun::of_chapter(package, chapter, manifest);
            }
            let core = manifest.sections.iter().filter(|section| !section.depth);
            let later = all.iter().filter(|id| id.chapter > chapter.number);
            let stubs = core.map(|section| section.id).chain(later.copied());
            mutants::with_stubs(stubs, chapter, manifest)
        })
        .collect();
    for ((chapter, manifest), run) in chapters.iter().zip(context.crates()?.run(&runs)) {
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
        for section in sections(manifest).filter(|section| !section.depth) {
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

/// The sections of all chapters.
fn all_sections(context: &Context) -> Vec<SectionId> {
    let chapters = context.progress.course.written();
    let sections = chapters.flat_map(|(_, manifest)| &manifest.sections);
    sections.map(|section| section.id).collect()
}

/// The sections that have tests.
fn sections(manifest: &Manifest) -> impl Iterator<Item = &Section> {
    let all = manifest.sections.iter();
    all.filter(|section| !section.tests.is_empty())
}

/// The tests of the sections up to `id`.
fn expected_by(manifest: &Manifest, id: SectionId) -> Vec<&str> {
    let sections = manifest.sections.iter().filter(|section| section.id <= id);
    sections
        .flat_map(|section| section.tests.iter().map(String::as_str))
        .collect()
}

/// The failures among the tests that `counts` accepts.
fn failures<'a>(
    run: &'a Run,
    counts: impl Fn(&str) -> bool + 'a,
) -> Box<dyn Iterator<Item = String> + 'a> {
    match run {
        Run::NotBuilt { cargo, .. } => Box::new(std::iter::once(cargo.clone())),
        Run::Ran {
            tests, cut_short, ..
        } => Box::new(
            tests
                .iter()
                .filter(move |test| counts(&test.name))
                .filter_map(|test| {
                    let failure = test.failure.as_ref()?;
                    Some(format!("{} fails: {}", test.name, failure.message))
                })
                .chain(cut_short.clone()),
        ),
    }
}
