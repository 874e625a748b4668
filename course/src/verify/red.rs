//! Every test fails on the stubs, and because of its own section.

use anyhow::Result;

use super::chapter_crates;
use super::context::{Context, Finding};
use super::test_crates::TestRun;
use crate::cargo::Run;
use crate::verdict;

/// Runs each chapter's tests on its stubs, with the earlier chapters solved.
pub fn check(context: &Context) -> Result<Finding> {
    let crates = context.crates()?;
    let chapters = context.chapters();
    let mut problems = Vec::new();
    let mut count = 0;
    let runs: Vec<TestRun> = chapters
        .iter()
        .map(|(chapter, manifest)| {
            TestRun::of_chapter(chapter_crates::start(chapter), chapter, manifest)
        })
        .collect();
    for ((_, manifest), run) in chapters.iter().zip(crates.run(&runs)) {
        let Run::Ran {
            tests, cut_short, ..
        } = run?
        else {
            continue;
        };
        problems.extend(cut_short);
        for section in &manifest.sections {
            let shapes = context.progress.solution()?.has_shapes(section.id);
            for name in &section.tests {
                count += 1;
                let Some(test) = tests.iter().find(|test| test.name == *name) else {
                    problems.push(format!("{name} was not run on the stubs"));
                    continue;
                };
                let Some(failure) = &test.failure else {
                    problems.push(format!(
                        "{name} passes on the untouched stub, so it proves nothing; make it call the code that section {} asks for",
                        section.id
                    ));
                    continue;
                };
                match verdict::stub_of(failure, &context.progress.course) {
                    Some(stub) if stub == section.id => {}
                    Some(stub) => problems.push(format!(
                        "{name} checks section {} but stops at the stub of section {stub}; make it reach its own section first",
                        section.id
                    )),
                    None if shapes => {}
                    None => problems.push(format!(
                        "{name} fails on the stubs, but not at the stub of section {}: {}",
                        section.id, failure.message
                    )),
                }
            }
        }
    }
    Ok(Finding {
        count: format!("{count} tests fail on the stubs"),
        problems,
    })
}
