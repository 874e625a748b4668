//! What is proved section by section.

use std::collections::{BTreeMap, BTreeSet};

use super::cases::Case;
use crate::cargo::Results;
use crate::course_toml::Chapter;
use crate::manifest::{Manifest, Section, SectionId, WrongAnswer};

/// A section with its chapter.
#[derive(Debug, Clone, Copy)]
pub struct Part<'a> {
    /// The chapter.
    pub chapter: &'a Chapter,
    /// The chapter's manifest.
    pub manifest: &'a Manifest,
    /// The section.
    pub section: &'a Section,
}

/// A section of which something is still to be proved.
#[derive(Debug, Clone)]
pub struct Unproved<'a> {
    /// The section.
    pub part: Part<'a>,
    /// What is to be proved.
    pub cases: BTreeSet<Case>,
}

/// What is to be proved, by section.
pub fn cases<'u>(unproved: &'u [Unproved]) -> BTreeMap<SectionId, &'u BTreeSet<Case>> {
    let all = unproved.iter();
    all.map(|unproved| (unproved.part.section.id, &unproved.cases))
        .collect()
}

/// The sections alone.
pub fn parts<'a>(unproved: &[Unproved<'a>]) -> Vec<Part<'a>> {
    unproved.iter().map(|unproved| unproved.part).collect()
}

impl<'a> Part<'a> {
    /// The wrong answers to the section.
    pub fn wrong_answers(&self) -> impl Iterator<Item = &'a WrongAnswer> + use<'a> {
        let id = self.section.id;
        let all = self.manifest.wrong.iter();
        all.filter(move |wrong| wrong.section == id)
    }

    /// Why the section's tests did not all pass in a run.
    pub fn failures(&self, results: Results) -> Vec<String> {
        failures(&self.section.tests, results)
    }
}

/// Why these tests did not all pass in a run.
pub fn failures(tests: &[String], results: Results) -> Vec<String> {
    let failures = tests.iter().filter_map(|name| {
        let Some(test) = results.tests.iter().find(|test| test.name == *name) else {
            return Some(format!("{name} has no result"));
        };
        let failure = test.failure.as_ref()?;
        Some(format!("{name} fails: {}", failure.message))
    });
    failures.chain(results.cut_short.clone()).collect()
}
