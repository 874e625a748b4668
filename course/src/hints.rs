//! The hints of a section.

use serde::Deserialize;

/// The hints of a section, as its manifest lists them: texts, and tables with `for` and `text`.
#[derive(Debug, Default, Deserialize)]
#[serde(from = "Vec<Entry>")]
pub struct Hints {
    /// Three hints, each more specific than the one before. Without anything to write, none.
    pub general: Vec<String>,
    /// Hints about single tests.
    pub keyed: Vec<KeyedHint>,
}

/// A hint for a learner whose code fails one test.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyedHint {
    /// The name of the test.
    #[serde(rename = "for")]
    pub test: String,
    /// The hint.
    pub text: String,
}

#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "a hint is a text, or a table `{ for = \"test_…\", text = \"…\" }`"
)]
enum Entry {
    General(String),
    Keyed(KeyedHint),
}

impl From<Vec<Entry>> for Hints {
    fn from(entries: Vec<Entry>) -> Self {
        let mut hints = Self::default();
        for entry in entries {
            match entry {
                Entry::General(text) => hints.general.push(text),
                Entry::Keyed(hint) => hints.keyed.push(hint),
            }
        }
        hints
    }
}
