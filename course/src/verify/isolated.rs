//! Chapter N needs nothing later than N, and section N.S nothing later than N.S.

use std::time::Duration;

use anyhow::Result;

use super::scratch::Trial;
use super::{Context, Finding, sharp};
use crate::cargo::Run;
use crate::contents::Chapter;
use crate::manifest::{Manifest, Section, SectionId};

/// For every chapter: with the chapters up to it solved, under its feature alone, its
/// suite and all before it pass, and nothing warns. For every section: with the
/// functions of later sections still stubs, its tests and all before it pass.
pub fn check(context: &Context) -> Result<Finding> {
    let scratch = context.scratch()?;
    let mut problems = Vec::new();
    let mut trials = Vec::new();
    for (chapter, manifest) in context.chapters() {
        let patience = Duration::from_secs(manifest.patience_seconds);
        trials.push(Trial {
            package: package(chapter),
            filters: Vec::new(),
            env: Vec::new(),
            patience,
        });
        let filter = format!("{}::", chapter.feature());
        let up_to = |section: &Section| sharp::up_to(section.id, filter.clone(), patience);
        trials.extend(sections(manifest).map(up_to));
    }
    let mut runs = scratch.run(&trials).into_iter();
    let (mut chapters, mut counted) = (0, 0);
    for (chapter, manifest) in context.chapters() {
        chapters += 1;
        for said in scratch.diagnostics(&package(chapter)) {
            problems.push(format!(
                "with the chapters up to {} solved, under feature {}, the compiler says:\n{said}",
                chapter.number,
                chapter.feature()
            ));
        }
        // What does not compile has been told of.
        if let Some(Ok(run)) = runs.next() {
            problems.extend(failures(&run, |_| true).map(|failure| {
                format!(
                    "with the chapters up to {} solved and nothing later, {failure}",
                    chapter.number
                )
            }));
        }
        for (section, run) in sections(manifest).zip(runs.by_ref()) {
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
        count: format!("{chapters} chapters, {counted} sections stand by themselves"),
        problems,
    })
}

/// The crate in which a chapter is solved and nothing later.
fn package(chapter: &Chapter) -> String {
    format!("end-{}", chapter.number)
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
