//! Mistakes that people make.

use anyhow::{Result, bail, ensure};
use serde::Deserialize;

use super::section_id::SectionId;

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
