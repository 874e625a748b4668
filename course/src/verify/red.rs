//! Every test fails on the stubs, and because of its own section.

use anyhow::Result;

use super::cases::Case;
use super::chapter_crates;
use super::context::{Context, Finding};
use super::mutants;
use super::part::{self, Part};
use super::proofs::RED;
use super::test_crates::TestRun;
use crate::cargo::Results;
use crate::manifest::SectionId;
use crate::verdict;

/// Runs each section's tests on the stubs of its chapter, with the earlier chapters solved.
pub fn check(context: &Context) -> Result<Finding> {
    let unproved = context.unproved(RED)?;
    let parts = part::parts(&unproved);
    let mut problems = Vec::new();
    if !parts.is_empty() {
        stop_at_their_stubs(context, &parts, &mut problems)?;
    }
    let all = context.sections();
    let count: usize = all.iter().map(|part| part.section.tests.len()).sum();
    let count = format!("{count} tests fail on the stubs");
    context.finding(RED, count, &unproved, problems)
}

/// Finds tests that pass on the stubs of their chapter, or fail because of something else.
fn stop_at_their_stubs(
    context: &Context,
    parts: &[Part],
    problems: &mut Vec<(SectionId, String)>,
) -> Result<()> {
    let crates = context.crates()?;
    let solution = context.progress.solution()?;
    let all = context.all_sections();
    let mut tested: Vec<&Part> = Vec::new();
    for part in parts {
        let stubs = chapter_crates::stubs(solution, part.chapter, part.manifest);
        match crates.ensure_compiled(&stubs) {
            Ok(()) if part.section.tests.is_empty() => {}
            Ok(()) => tested.push(part),
            Err(error) => problems.push((part.section.id, format!("on the stubs, {error:#}"))),
        }
    }
    let runs: Vec<TestRun> = tested
        .iter()
        .map(|part| {
            if chapter_crates::has_shapes(solution, part.manifest) {
                let start = chapter_crates::start(part.chapter);
                return TestRun::of_section(start, part, &Case::Whole);
            }
            let stubs = all.iter().filter(|id| id.chapter >= part.chapter.number);
            mutants::with_stubs(stubs.copied(), part, &Case::Whole)
        })
        .collect();
    for (part, run) in tested.iter().zip(crates.run(&runs)) {
        let section = part.section;
        let mut add = |problem: String| problems.push((section.id, problem));
        let Results { tests, cut_short } = run?;
        cut_short.into_iter().for_each(&mut add);
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
    Ok(())
}
