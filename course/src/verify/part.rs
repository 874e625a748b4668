//! What is proved section by section.

use crate::cargo::Run;
use crate::course_toml::Chapter;
use crate::manifest::{Manifest, Section};

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

impl Part<'_> {
    /// Why the section's tests did not all pass in a run.
    pub fn failures(&self, run: Run) -> Vec<String> {
        let (ran, cut_short) = match run {
            Run::NotBuilt { cargo, .. } => return vec![cargo],
            Run::Ran {
                tests, cut_short, ..
            } => (tests, cut_short),
        };
        let failures = self.section.tests.iter().filter_map(|name| {
            let Some(test) = ran.iter().find(|test| test.name == *name) else {
                return Some(format!("{name} has no result"));
            };
            let failure = test.failure.as_ref()?;
            Some(format!("{name} fails: {}", failure.message))
        });
        failures.chain(cut_short).collect()
    }
}
