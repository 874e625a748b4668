//! Chapter N passes without any later chapter, and section N.S without any later section. On the
//! core path, the core sections are still red when the depth sections are given.

use std::time::Duration;

use anyhow::Result;

use super::chapter_crates;
use super::context::{Context, Finding};
use super::mutants;
use super::test_crates::TestRun;
use crate::cargo::Run;
use crate::manifest::{Manifest, Section, SectionId};

/// For each chapter, solves the chapters up to it and opens its feature alone. Then its tests
/// and all earlier ones pass, without a warning. For each section, leaves the functions of
/// later sections stubs. Then its tests and all earlier ones of the chapter pass.
pub fn check(context: &Context) -> Result<Finding> {
    let crates = context.crates()?;
    let chapters = context.chapters();
    let mut problems = Vec::new();
    let mut runs = Vec::new();
    for (chapter, manifest) in &chapters {
        let timeout = Duration::from_secs(manifest.timeout_seconds);
        runs.push(TestRun {
            package: chapter_crates::end(chapter),
            filters: Vec::new(),
            env: Vec::new(),
            timeout,
        });
        let filter = format!("{}::", chapter.feature());
        let up_to = |section: &Section| mutants::up_to(section.id, filter.clone(), timeout);
        runs.extend(sections(manifest).map(up_to));
    }
    let mut results = crates.run(&runs).into_iter();
    core_path(context, &mut problems)?;
    let mut counted = 0;
    for (chapter, manifest) in &chapters {
        for message in crates.diagnostics(&chapter_crates::end(chapter)) {
            problems.push(format!(
                "with the chapters up to {} solved, under feature {}, the compiler reports:\n{message}",
                chapter.number,
                chapter.feature()
            ));
        }
        // An `Err` means that the crate does not compile, which is reported above.
        if let Some(Ok(run)) = results.next() {
            problems.extend(failures(&run, |_| true).map(|failure| {
                format!(
                    "with the chapters up to {} solved and nothing later, {failure}",
                    chapter.number
                )
            }));
        }
        for (section, run) in sections(manifest).zip(results.by_ref()) {
            counted += 1;
            let expected = expected_by(manifest, section.id);
            problems.extend(
                failures(&run?, |name| expected.contains(&name)).map(|failure| {
                    format!(
                        "with the sections up to {} solved and the rest stubs, {failure}",
                        section.id
                    )
                }),
            );
        }
    }
    Ok(Finding {
        count: format!(
            "{} chapters, {counted} sections pass without later ones",
            chapters.len()
        ),
        problems,
    })
}

/// With a chapter's depth sections given, its crate compiles and every test of a core section
/// fails. That they then pass one section at a time follows from the runs without later sections:
/// no test reaches a later section, given or not.
fn core_path(context: &Context, problems: &mut Vec<String>) -> Result<()> {
    let mut chapters = context.chapters();
    chapters.retain(|(_, manifest)| chapter_crates::has_depth(manifest));
    let runs: Vec<TestRun> = chapters
        .iter()
        .map(|(chapter, manifest)| {
            TestRun::of_chapter(chapter_crates::core_start(chapter), chapter, manifest)
        })
        .collect();
    for ((chapter, manifest), run) in chapters.iter().zip(context.crates()?.run(&runs)) {
        let Run::Ran { tests, .. } = (match run {
            Ok(run) => run,
            Err(error) => {
                problems.push(format!(
                    "with the depth sections of chapter {} given, {error:#}",
                    chapter.number
                ));
                continue;
            }
        }) else {
            continue;
        };
        for section in sections(manifest).filter(|section| !section.depth) {
            for name in &section.tests {
                let test = tests.iter().find(|test| test.name == *name);
                if test.is_some_and(|test| test.failure.is_none()) {
                    problems.push(format!(
                        "{name} passes before section {} is written, when the depth sections of chapter {} are given",
                        section.id, chapter.number
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
