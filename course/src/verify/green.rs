//! Every test passes on the reference.

use std::time::Duration;

use anyhow::Result;

use super::context::{Context, Finding};
use crate::cargo::{self, Run};

/// Runs the tests of the chapters against `claw-code-solutions`.
pub fn check(context: &Context) -> Result<Finding> {
    let chapters = context.chapters();
    let filters: Vec<String> = chapters
        .iter()
        .map(|(chapter, _)| format!("{}::", chapter.feature()))
        .collect();
    let timeout = chapters
        .iter()
        .map(|(_, manifest)| manifest.timeout_seconds)
        .max();
    let run = cargo::test(
        &cargo::Request {
            dir: context.progress.repo.root(),
            manifest: None,
            select: &["--package", "claw-code-solutions", "--test", "chapters"].map(String::from),
            flags: &[],
            filters: &filters,
            timeout: Duration::from_secs(timeout.unwrap_or(60)),
            limits: None,
        },
        |_| {},
    )?;
    let (tests, mut problems) = match run {
        Run::NotBuilt { errors, cargo } => {
            let mut messages: Vec<String> = errors.into_iter().map(|e| e.rendered).collect();
            messages.push(cargo);
            messages.retain(|message| !message.is_empty());
            return Ok(Finding {
                count: "the reference does not compile".to_string(),
                problems: messages,
            });
        }
        Run::Ran {
            warnings,
            tests,
            cut_short,
        } => {
            let mut messages: Vec<String> = warnings.into_iter().map(|w| w.rendered).collect();
            messages.extend(cut_short);
            (tests, messages)
        }
    };
    for (_, manifest) in chapters {
        for name in manifest.sections.iter().flat_map(|section| &section.tests) {
            match tests.iter().find(|test| test.name == *name) {
                None => problems.push(format!("{name} was not run on the reference")),
                Some(test) => {
                    if let Some(failure) = &test.failure {
                        problems.push(format!(
                            "{name} fails on the reference:\n{}",
                            failure.message
                        ));
                    }
                }
            }
        }
    }
    Ok(Finding {
        count: format!("{} tests pass on the reference", tests.len()),
        problems,
    })
}
