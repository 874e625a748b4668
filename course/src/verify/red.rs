//! Every test fails on the stubs, and because of its own section.

use anyhow::{Result, bail};

use super::chapter_crates;
use super::context::{Context, Finding};
use super::mutants;
use super::proofs::RED;
use super::test_crates::TestRun;
use crate::cargo::Run;
use crate::course_toml::Chapter;
use crate::manifest::Manifest;
use crate::verdict;

/// Runs each chapter's tests on its stubs, with the earlier chapters solved.
pub fn check(context: &Context) -> Result<Finding> {
    let chapters = context.unproved(RED)?;
    let mut problems = Vec::new();
    if !chapters.is_empty() {
        stop_at_their_stubs(context, &chapters, &mut problems)?;
    }
    let all = context.chapters();
    let sections = all.iter().flat_map(|(_, manifest)| &manifest.sections);
    let count: usize = sections.map(|section| section.tests.len()).sum();
    let count = format!("{count} tests fail on the stubs");
    context.finding(RED, count, &chapters, problems)
}

/// Finds tests that pass on the stubs of their chapter, or fail because of something else.
fn stop_at_their_stubs(
    context: &Context,
    chapters: &[(&Chapter, &Manifest)],
    problems: &mut Vec<(u32, String)>,
) -> Result<()> {
    let crates = context.crates()?;
    let solution = context.progress.solution()?;
    let all = context.all_sections();
    let runs: Vec<TestRun> = chapters
        .iter()
        .map(|(chapter, manifest)| {
            if chapter_crates::has_shapes(solution, manifest) {
                return TestRun::of_chapter(chapter_crates::start(chapter), chapter, manifest);
            }
            let stubs = all.iter().filter(|id| id.chapter >= chapter.number);
            mutants::with_stubs(stubs.copied(), chapter, manifest)
        })
        .collect();
    for ((chapter, manifest), run) in chapters.iter().zip(crates.run(&runs)) {
        let mut add = |problem: String| problems.push((chapter.number, problem));
        let stubs = chapter_crates::stubs(solution, chapter, manifest);
        if let Err(error) = crates.ensure_compiled(&stubs) {
            add(format!("on the stubs, {error:#}"));
            continue;
        }
        let Run::Ran {
            tests, cut_short, ..
        } = run?
        else {
            bail!("the stubs of chapter {} were not built", chapter.number);
        };
        cut_short.into_iter().for_each(&mut add);
        for section in &manifest.sections {
            let shapes = solution.has_shapes(section.id);
            for name in &section.tests {
                let Some(test) = tests.iter().find(|test| test.name == *name) else {
                    add(format!("{name} was not run on the stubs"));
                    continue;
                };
                let Some(failure) = &test.failure else {
                    add(format!(
                        "{name} passes on the untouched stub, so it proves nothing; make it call the code that section {} asks for",
                        section.id
                    ));
                    continue;
                };
                match verdict::stub_of(failure, &context.progress.course) {
                    Some(stub) if stub == section.id => {}
                    Some(stub) => add(format!(
                        "{name} checks section {} but stops at the stub of section {stub}; make it reach its own section first",
                        section.id
                    )),
                    None if shapes => {}
                    None => add(format!(
                        "{name} fails on the stubs, but not at the stub of section {}: {}",
                        section.id, failure.message
                    )),
                }
            }
        }
    }
    Ok(())
}
