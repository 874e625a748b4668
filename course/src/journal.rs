//! Since when the learner's current section is red, and which known mistakes were made. A teacher's
//! overview of a class shows both.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::time::SystemTime;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use crate::repo::{Repo, write_atomically};
use crate::verdict::{ChapterReport, SectionReport};

/// What runs of the tests have shown so far, kept in `.course/journal.json`.
#[derive(Debug, Default, PartialEq, Clone, Serialize, Deserialize)]
pub struct Journal {
    /// The name of the current section, and since when it is that, in seconds since 1970.
    red: Option<(String, u64)>,
    /// The explanations of known mistakes, by the name of the section.
    mistakes: BTreeMap<String, BTreeSet<String>>,
}

impl Journal {
    /// Reads the journal. One that cannot be read counts as empty.
    pub fn load(repo: &Repo) -> Self {
        let json = fs::read(file(repo)).unwrap_or_default();
        serde_json::from_slice(&json).unwrap_or_default()
    }

    /// Adds the verdicts of a run. `current` is the section that the learner works on after it.
    pub fn add(
        repo: &Repo,
        reports: &[ChapterReport],
        current: Option<&SectionReport>,
    ) -> Result<()> {
        let old = Self::load(repo);
        let mut new = old.clone();
        new.red = current.map(|section| match &old.red {
            Some((name, since)) if *name == section.name => (name.clone(), *since),
            _ => (section.name.clone(), now()),
        });
        for section in reports.iter().flat_map(|report| &report.sections) {
            if let Some(explanation) = &section.explanation {
                let mistakes = new.mistakes.entry(section.name.clone()).or_default();
                mistakes.insert(explanation.clone());
            }
        }
        match new == old {
            true => Ok(()),
            false => write_atomically(&file(repo), &serde_json::to_vec(&new)?),
        }
    }

    /// Since when the section is the current one, in seconds since 1970. `None` if it is not.
    pub fn red_since(&self, section: &str) -> Option<u64> {
        let (name, since) = self.red.as_ref()?;
        (name == section).then_some(*since)
    }

    /// The name of a section and the explanation of a mistake that was made there, for each one.
    pub fn mistakes(&self) -> impl Iterator<Item = (&str, &str)> {
        let sections = self.mistakes.iter();
        sections.flat_map(|(name, all)| all.iter().map(|one| (name.as_str(), one.as_str())))
    }
}

fn file(repo: &Repo) -> PathBuf {
    repo.state().join("journal.json")
}

/// The seconds since 1970.
pub fn now() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.map_or(0, |now| now.as_secs())
}
