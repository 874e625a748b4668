//! Chapter N needs nothing later than N, and section N.S nothing later than N.S.

use std::time::Duration;

use anyhow::Result;

use super::{Context, Finding, sharp};
use crate::cargo::Run;
use crate::manifest::{Manifest, SectionId};

/// For every chapter: with the chapters up to it solved, under its feature alone, its
/// suite and all before it pass, and nothing warns. For every section: with the
/// functions of later sections still stubs, its tests and all before it pass.
pub fn check(context: &Context) -> Result<Finding> {
    let scratch = context.scratch()?;
    let mut problems = Vec::new();
    let mut chapters = 0;
    let mut sections = 0;
    for (chapter, manifest) in context.chapters() {
        chapters += 1;
        let package = format!("end-{}", chapter.number);
        let patience = Duration::from_secs(manifest.patience_seconds);
        for said in scratch.diagnostics(&package) {
            problems.push(format!(
                "with the chapters up to {} solved, under feature {}, the compiler says:\n{said}",
                chapter.number,
                chapter.feature()
            ));
        }
        match scratch.run(&package, &[], &[], patience) {
            Ok(run) => problems.extend(failures(&run, |_| true).map(|failure| {
                format!(
                    "with the chapters up to {} solved and nothing later, {failure}",
                    chapter.number
                )
            })),
            Err(_) => continue,
        }
        for section in manifest.sections.iter().filter(|s| !s.tests.is_empty()) {
            sections += 1;
            let filter = format!("{}::", chapter.feature());
            let run = sharp::run_up_to(scratch, section.id, filter, patience)?;
            let expected = expected_by(manifest, section.id);
            problems.extend(
                failures(&run, |name| expected.contains(&name)).map(|failure| {
                    format!(
                        "with the sections up to {} solved and the rest stubs, {failure}",
                        section.id
                    )
                }),
            );
        }
    }
    Ok(Finding {
        count: format!("{chapters} chapters, {sections} sections stand by themselves"),
        problems,
    })
}

/// The tests of the sections up to `id`.
fn expected_by(manifest: &Manifest, id: SectionId) -> Vec<&str> {
    let sections = manifest.sections.iter().filter(|section| section.id <= id);
    sections
        .flat_map(|section| section.tests.iter().map(String::as_str))
        .collect()
}

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
