//! A chapter's manifest, `book/src/chNN-slug.toml`.
//!
//! It is the only file that ties a chapter's sections, items, tests and hints together.
//! [`Manifest::check`] checks its form. [`crate::verify`] checks that it agrees with the
//! sources.

use std::fmt;
use std::iter::Sum;
use std::str::FromStr;

use anyhow::{Result, bail, ensure};
use serde::{Deserialize, Serialize};

use crate::hints::Hints;

/// The contents of a manifest.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The run counts as hung when no test finishes for this many seconds.
    #[serde(default = "default_timeout")]
    pub timeout_seconds: u64,
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

/// A known mistake: an item written wrongly, the tests that catch it, and an explanation.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrongAnswer {
    /// The name of the item's section.
    #[serde(rename = "section")]
    pub section_name: String,
    /// The number of that section.
    #[serde(skip)]
    pub section: SectionId,
    /// The path of the wrong item.
    pub item: String,
    /// The wrong body of a function.
    pub body: Option<String>,
    /// The part of the reference's item that [`with`](Self::with) replaces.
    pub replace: Option<String>,
    /// The replacement.
    pub with: Option<String>,
    /// Whether every occurrence of `replace` is replaced. Otherwise there must be only one.
    #[serde(default)]
    pub every: bool,
    /// All tests that fail because of it.
    pub tests: Vec<String>,
    /// Part of the failure message of the first of them. No other wrong answer of the section
    /// with the same tests has it.
    pub says: String,
    /// The explanation for the learner.
    pub because: String,
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

/// A section's number, such as `1.10`: the tenth of chapter 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SectionId {
    /// The chapter.
    pub chapter: u32,
    /// The section within it, from 1.
    pub number: u32,
}

impl fmt::Display for SectionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.chapter, self.number)
    }
}

impl FromStr for SectionId {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let parts = text
            .split_once('.')
            .and_then(|(c, n)| Some((c.parse().ok()?, n.parse().ok()?)));
        match parts {
            Some((chapter, number)) => Ok(Self { chapter, number }),
            None => {
                bail!("`{text}` is not a section: write the chapter and the section, as in 1.3")
            }
        }
    }
}

impl Serialize for SectionId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for SectionId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

impl Manifest {
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

    fn check(&self, chapter: u32) -> Result<()> {
        for section in &self.sections {
            let due = section.id;
            ensure!(
                is_name(&section.name),
                "section {due} has the id `{}`; write lower-case words with hyphens, as in `message-constructors`",
                section.name
            );
            ensure!(
                section.minutes > 0,
                "section {due} needs `minutes`, the time that it takes"
            );
            let writes = !section.items.is_empty() || !section.attributes.is_empty();
            ensure!(
                writes != section.tests.is_empty(),
                "section {due} needs both items to write and tests for them, or neither"
            );
            ensure!(
                !writes || section.hints.general.len() == 3,
                "section {due} has {} hints; a section with tests needs three, besides those for single tests",
                section.hints.general.len()
            );
            for (at, hint) in section.hints.keyed.iter().enumerate() {
                ensure!(
                    section.tests.contains(&hint.test),
                    "section {due} has a hint for {}, which is not one of its tests",
                    hint.test
                );
                ensure!(
                    section.hints.keyed[..at]
                        .iter()
                        .all(|one| one.test != hint.test),
                    "section {due} has two hints for {}; join them",
                    hint.test
                );
            }
            let prefix = format!("test_ch{chapter}_");
            for test in &section.tests {
                ensure!(
                    test.starts_with(&prefix),
                    "the name of {test}, in section {due}, must begin with {prefix}"
                );
            }
        }
        let tests = self.tests();
        for wrong in &self.wrong {
            let name = format!("the wrong answer to {} ({})", wrong.section, wrong.item);
            ensure!(
                wrong.body.is_some() != (wrong.replace.is_some() && wrong.with.is_some()),
                "{name} needs either `body`, or `replace` and `with`"
            );
            ensure!(
                !wrong.tests.is_empty(),
                "{name} names no test that catches it"
            );
            if let Some(unknown) = wrong.tests.iter().find(|t| !tests.contains(&t.as_str())) {
                bail!("{name} names the test {unknown}, which is in no section of this chapter");
            }
        }
        Ok(())
    }
}

/// Whether `name` is made of lower-case words and hyphens.
fn is_name(name: &str) -> bool {
    let is_word = |word: &str| {
        !word.is_empty()
            && word
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
    };
    name.split('-').all(is_word) && name.starts_with(|c: char| c.is_ascii_lowercase())
}

impl WrongAnswer {
    /// The wrong source, made from the right one: the body of a function, or the whole source
    /// of any other item.
    pub fn apply(&self, right: &str) -> Result<String> {
        if let Some(body) = &self.body {
            return Ok(format!("{{ {body} }}"));
        }
        let (Some(replace), Some(with)) = (&self.replace, &self.with) else {
            bail!("it has neither `body` nor `replace` and `with`");
        };
        let times = right.matches(replace.as_str()).count();
        ensure!(
            times == 1 || (times > 1 && self.every),
            "the wrong answer to {} replaces `{replace}` in {}, which contains it {times} times; it must occur once (or set `every = true`)",
            self.section,
            self.item
        );
        Ok(right.replace(replace.as_str(), with))
    }
}
