//! What is proved section by section.

use std::collections::{BTreeMap, BTreeSet};

use super::cases::Case;
use crate::cargo::Run;
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
    pub fn failures(&self, run: Run) -> Vec<String> {
        failures(&self.section.tests, run)
    }
}

/// Why these tests did not all pass in a run.
pub fn failures(tests: &[String], run: Run) -> Vec<String> {
    let (ran, cut_short) = match run {
        Run::NotBuilt { cargo, .. } => return vec![cargo],
        Run::Ran {
            tests: ran,
            cut_short,
            ..
        } => (ran, cut_short),
    };
    let failures = tests.iter().filter_map(|name| {
        let Some(test) = ran.iter().find(|test| test.name == *name) else {
            return Some(format!("{name} has no result"));
        };
        let failure = test.failure.as_ref()?;
        Some(format!("{name} fails: {}", failure.message))
    });
    failures.chain(cut_short).collect()
}
