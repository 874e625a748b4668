//! A chapter's manifest, `book/src/chNN-slug.toml`.
//!
//! It is the only file that ties a chapter's sections, items, tests and hints together.
//! [`Manifest::number`] checks its form. [`crate::verify`] checks that it agrees with the
//! sources.

mod check;
mod section_id;
mod wrong_answer;

pub use section_id::SectionId;
pub use wrong_answer::WrongAnswer;

use std::iter::Sum;

use anyhow::{Result, bail};
use serde::Deserialize;

use crate::hints::Hints;
use crate::platform;

/// The contents of a manifest.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The run counts as hung when no test finishes for this many seconds.
    #[serde(default = "default_timeout")]
    pub timeout_seconds: u64,
    /// Whether the chapter needs Unix. Elsewhere, its modules and tests are not compiled, and the
    /// runner passes over it.
    #[serde(default)]
    pub unix: bool,
    /// What the chapter's Cargo feature turns on besides the chapter before it, such as
    /// `dep:tokio`.
    #[serde(default)]
    pub features: Vec<String>,
    /// The modules of `lib.rs` that begin in this chapter.
    #[serde(default)]
    pub modules: Vec<String>,
    /// Functions, types or modules that the learner is given and only reads, such as the glue
    /// of a command line.
    #[serde(default)]
    pub given: Vec<String>,
    /// The sections, in order.
    #[serde(rename = "section")]
    pub sections: Vec<Section>,
    /// Mistakes that people make.
    #[serde(default, rename = "wrong")]
    pub wrong: Vec<WrongAnswer>,
}

fn default_timeout() -> u64 {
    10
}

/// One section: what the learner writes and the tests for it. A section without tests is only
/// read.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Section {
    /// Its name, such as `message-constructors`, unique in the course. Stubs and stored progress
    /// use it, since its number moves when a section is inserted before it.
    #[serde(rename = "id")]
    pub name: String,
    /// Its number, such as `1.3`, from its place in the manifest.
    #[serde(skip)]
    pub id: SectionId,
    /// Its title, as on the page.
    pub title: String,
    /// The minutes that it takes: reading, writing and getting its tests green.
    pub minutes: u32,
    /// What a teacher says before anybody types: the section's one idea, in one or two sentences.
    /// Every core section has it; `course-book check` says where it is missing.
    pub talk: Option<String>,
    /// Whether it is production detail, which the core path gives to the learner.
    #[serde(default)]
    pub depth: bool,
    /// The paths of the items that the learner writes.
    #[serde(default)]
    pub items: Vec<String>,
    /// The attributes that the learner writes on given items.
    #[serde(default)]
    pub attributes: Vec<GivenAttribute>,
    /// The names of its test functions.
    #[serde(default)]
    pub tests: Vec<String>,
    /// Its hints.
    #[serde(default)]
    pub hints: Hints,
}

/// An attribute that the learner writes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GivenAttribute {
    /// The path of its item.
    pub on: String,
    /// The attribute, such as `#[serde(tag = "type")]`.
    pub attribute: String,
}

/// How long the core sections and the depth sections take, in minutes.
#[derive(Debug, Clone, Copy, Default)]
pub struct Times {
    /// The core sections.
    pub core: u32,
    /// The depth sections.
    pub depth: u32,
}

impl Sum for Times {
    fn sum<I: Iterator<Item = Self>>(times: I) -> Self {
        times.fold(Self::default(), |sum, one| Self {
            core: sum.core + one.core,
            depth: sum.depth + one.depth,
        })
    }
}

impl Manifest {
    /// Whether the chapter runs on this system.
    pub fn runs_here(&self) -> bool {
        !self.unix || platform::has_unix()
    }

    /// The tests of all sections.
    pub fn tests(&self) -> Vec<&str> {
        let tests = self.sections.iter().flat_map(|section| &section.tests);
        tests.map(String::as_str).collect()
    }

    /// The minutes of its core and of its depth sections.
    pub fn times(&self) -> Times {
        let mut times = Times::default();
        for section in &self.sections {
            match section.depth {
                false => times.core += section.minutes,
                true => times.depth += section.minutes,
            }
        }
        times
    }

    /// Numbers the sections of chapter `chapter`, and checks that the hints are complete and the
    /// names consistent.
    pub fn number(&mut self, chapter: u32) -> Result<()> {
        self.number_sections(chapter);
        for wrong in &mut self.wrong {
            let mut sections = self.sections.iter();
            let Some(section) = sections.find(|section| section.name == wrong.section_name) else {
                bail!(
                    "the wrong answer to `{}` ({}) belongs to no section of this chapter",
                    wrong.section_name,
                    wrong.item
                );
            };
            wrong.section = section.id;
        }
        self.check(chapter)
    }

    /// Numbers the sections of chapter `chapter`, without any check.
    pub fn number_sections(&mut self, chapter: u32) {
        for (number, section) in (1..).zip(&mut self.sections) {
            section.id = SectionId { chapter, number };
        }
    }
}
