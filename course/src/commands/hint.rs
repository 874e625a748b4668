//! `cargo course hint`: shows one more hint on each call.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Result, bail};

use super::{Outcome, show_progress};
use crate::hints::KeyedHint;
use crate::manifest::{Section, SectionId};
use crate::messages::{self, Style};
use crate::progress::Progress;
use crate::repo::write_atomically;
use crate::verdict::stub_of;

/// The hints that were shown: the number of general ones by section name, and 1 for the test of
/// each keyed one.
type Taken = BTreeMap<String, usize>;

/// The next hint for `section`, or for the first checkpoint that is not green, after the hints
/// that were already shown. Hints for tests that fail come before the general ones.
pub fn hint(progress: &mut Progress, style: &Style, section: Option<SectionId>) -> Result<Outcome> {
    let id = match section {
        Some(id) => id,
        None => {
            let report = progress.run_current(show_progress())?;
            match report.current() {
                Some(section) => section.id,
                None if report.is_not_built() => {
                    return Ok(Outcome {
                        lines: messages::reason(style, &report),
                        red: true,
                    });
                }
                None => {
                    let line = format!(
                        "Chapter {} is done. `cargo course next` shows what comes next.",
                        report.number
                    );
                    return Ok(vec![line].into());
                }
            }
        }
    };
    let section = progress.course.section(id)?;
    if section.hints.general.is_empty() {
        bail!("section {id} has nothing to write, so there are no hints for it");
    }
    let path = progress.repo.state().join("hints.json");
    let mut taken: Taken = fs::read(&path)
        .ok()
        .and_then(|json| serde_json::from_slice(&json).ok())
        .unwrap_or_default();
    let failing = keyed_to_failing(progress, section);
    let next = failing.iter().find(|hint| !taken.contains_key(&hint.test));
    let newest = next.map(|hint| hint.test.as_str());
    match newest {
        Some(test) => {
            taken.insert(test.to_string(), 1);
        }
        None => {
            let level = taken.entry(section.name.clone()).or_default();
            *level = (*level + 1).min(section.hints.general.len());
        }
    }
    let shown = failing.into_iter();
    let shown: Vec<&KeyedHint> = shown.filter(|one| taken.contains_key(&one.test)).collect();
    let level = taken.get(&section.name).copied().unwrap_or_default();
    let lines = messages::hint(style, section, &shown, level, newest);
    write_atomically(&path, &serde_json::to_vec(&taken)?)?;
    Ok(lines.into())
}

/// The section's hints for tests that failed in the last run, in the order of its tests. A test
/// that stops at a stub does not count: there is nothing wrong yet.
fn keyed_to_failing<'a>(progress: &Progress, section: &'a Section) -> Vec<&'a KeyedHint> {
    let report = progress.verdicts.last(section.id.chapter);
    let sections = report.into_iter().flat_map(|report| &report.sections);
    let tests = sections
        .filter(|report| report.name == section.name)
        .flat_map(|report| &report.tests);
    let has_failed = |hint: &&KeyedHint| {
        tests.clone().any(|test| {
            let failure = test.failure.as_ref();
            test.name == hint.test
                && failure.is_some_and(|failure| stub_of(failure, &progress.course).is_none())
        })
    };
    let mut hints: Vec<&KeyedHint> = section.hints.keyed.iter().collect();
    hints.retain(|hint| has_failed(hint));
    hints.sort_by_key(|hint| section.tests.iter().position(|test| *test == hint.test));
    hints
}
