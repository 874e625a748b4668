//! A chapter's manifest.
//!
//! A manifest (`book/src/chNN-slug.toml`) is the only place that ties a chapter's
//! sections, items, tests and hints together. Reading it checks its form; whether
//! it agrees with the sources is for [`crate::verify`] to say.

use std::fmt;
use std::str::FromStr;

use anyhow::{Result, bail, ensure};
use serde::{Deserialize, Serialize};

/// What a chapter consists of.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Seconds without news from a test after which the run is taken to hang.
    #[serde(default = "default_patience")]
    pub patience_seconds: u64,
    /// What the chapter's Cargo feature turns on besides the chapter before it, such as
    /// `dep:tokio`.
    #[serde(default)]
    pub features: Vec<String>,
    /// The modules of `lib.rs` that begin in this chapter.
    #[serde(default)]
    pub modules: Vec<String>,
    /// Functions, types or modules whose functions the learner is given and only
    /// reads, such as the glue of a command line.
    #[serde(default)]
    pub given: Vec<String>,
    /// The sections, in order.
    #[serde(rename = "section")]
    pub sections: Vec<Section>,
    /// Mistakes that people really make.
    #[serde(default, rename = "wrong")]
    pub wrong: Vec<WrongAnswer>,
}

fn default_patience() -> u64 {
    30
}

/// One section: what the learner writes and what checks it. A section without
/// tests is only read.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Section {
    /// Such as `1.3`.
    pub id: SectionId,
    /// Its title, as on the page.
    pub title: String,
    /// Paths of the items that the learner writes.
    #[serde(default)]
    pub items: Vec<String>,
    /// Attributes that the learner writes on items which are given.
    #[serde(default)]
    pub attributes: Vec<GivenAttribute>,
    /// Names of the test functions that check it.
    #[serde(default)]
    pub tests: Vec<String>,
    /// Three hints, each saying more than the last.
    #[serde(default)]
    pub hints: Vec<String>,
}

/// An attribute for the learner to write.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GivenAttribute {
    /// The path of the item that it belongs on.
    pub on: String,
    /// The attribute, such as `#[serde(tag = "type")]`.
    pub attribute: String,
}

/// A known mistake: an item written wrongly, the tests that catch it, and the
/// sentence that explains it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrongAnswer {
    /// The section in which it is made.
    pub section: SectionId,
    /// The path of the item that is wrong.
    pub item: String,
    /// A function's wrong body.
    pub body: Option<String>,
    /// A piece of the solution's item that is replaced by [`with`](Self::with).
    pub replace: Option<String>,
    /// What stands in its place.
    pub with: Option<String>,
    /// Whether every occurrence of `replace` is meant; otherwise there must be one.
    #[serde(default)]
    pub every: bool,
    /// The names of all tests that fail because of it.
    pub tests: Vec<String>,
    /// What the failure of one of them says, and no other wrong answer's does.
    pub says: String,
    /// The sentence for the learner.
    pub because: String,
}

/// A section's number, such as `1.10`: the tenth of chapter 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
            None => bail!("`{text}` is no section: write chapter and number, as in 1.3"),
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
    /// The names of all its sections' tests.
    pub fn tests(&self) -> Vec<&str> {
        let tests = self.sections.iter().flat_map(|section| &section.tests);
        tests.map(String::as_str).collect()
    }

    /// Checks its form: sections in order, hints complete, names known.
    pub fn check(&self, chapter: u32) -> Result<()> {
        for (number, section) in (1..).zip(&self.sections) {
            let due = SectionId { chapter, number };
            ensure!(
                section.id == due,
                "section {} stands where {due} is due",
                section.id
            );
            let writes = !section.items.is_empty() || !section.attributes.is_empty();
            ensure!(
                writes != section.tests.is_empty(),
                "section {due} needs both something to write and tests for it, or neither"
            );
            ensure!(
                !writes || section.hints.len() == 3,
                "section {due} has {} hints; a checkpoint has three",
                section.hints.len()
            );
            let prefix = format!("test_ch{chapter}_");
            for test in &section.tests {
                ensure!(
                    test.starts_with(&prefix),
                    "{test}, of section {due}, must begin with {prefix}"
                );
            }
        }
        let tests = self.tests();
        for wrong in &self.wrong {
            let name = format!("the wrong answer to {} ({})", wrong.section, wrong.item);
            ensure!(
                self.sections.iter().any(|s| s.id == wrong.section),
                "{name} belongs to no section of this chapter"
            );
            ensure!(
                wrong.body.is_some() != (wrong.replace.is_some() && wrong.with.is_some()),
                "{name} needs either `body`, or `replace` and `with`"
            );
            ensure!(
                !wrong.tests.is_empty(),
                "{name} names no test that catches it"
            );
            if let Some(unknown) = wrong.tests.iter().find(|t| !tests.contains(&t.as_str())) {
                bail!("{name} names {unknown}, which no section of this chapter lists");
            }
        }
        Ok(())
    }
}

impl WrongAnswer {
    /// The item's wrong source, made from the right one.
    ///
    /// For a function, `right` is its body; for a type, its whole source.
    pub fn apply(&self, right: &str) -> Result<String> {
        if let Some(body) = &self.body {
            return Ok(format!("{{ {body} }}"));
        }
        let (Some(replace), Some(with)) = (&self.replace, &self.with) else {
            bail!("neither `body` nor `replace` and `with`");
        };
        let times = right.matches(replace.as_str()).count();
        ensure!(
            times == 1 || (times > 1 && self.every),
            "the wrong answer to {} replaces `{replace}` in {}, where it stands {times} times; it must stand there once (or say `every = true`)",
            self.section,
            self.item
        );
        Ok(right.replace(replace.as_str(), with))
    }
}
