//! On the stubs every test fails, and for its own section's reason.

use std::time::Duration;

use anyhow::Result;

use super::scratch::Trial;
use super::{Context, Finding};
use crate::cargo::Run;
use crate::verdict;

/// Runs each chapter's suite on its stubs, with the chapters before it solved.
pub fn check(context: &Context) -> Result<Finding> {
    let scratch = context.scratch()?;
    let mut problems = Vec::new();
    let mut count = 0;
    let trials: Vec<Trial> = context
        .chapters()
        .map(|(chapter, manifest)| Trial {
            package: format!("start-{}", chapter.number),
            filters: vec![format!("{}::", chapter.feature())],
            env: Vec::new(),
            patience: Duration::from_secs(manifest.patience_seconds),
        })
        .collect();
    for ((_, manifest), run) in context.chapters().zip(scratch.run(&trials)) {
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
                        "{name} passes on the untouched stub, so it proves nothing; make it go through what section {} asks the learner to write",
                        section.id
                    ));
                    continue;
                };
                match verdict::stub_of(failure) {
                    Some(stub) if stub == section.id => {}
                    Some(stub) => problems.push(format!(
                        "{name} checks section {} and stops at the stub of {stub} on the untouched stubs; let it reach its own section first",
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
