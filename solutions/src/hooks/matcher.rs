//! The matchers that select the hooks of an event.

use anyhow::{Context, Result};
use grep_matcher::Matcher as _;
use grep_regex::RegexMatcher;

use super::published_name;

/// The subjects for which a hook runs.
#[derive(Debug, Clone)]
pub enum Matcher {
    /// Every subject.
    All,
    /// These subjects, in full.
    Names(Vec<String>),
    /// Subjects in which the regular expression is found, anywhere.
    Pattern(RegexMatcher),
}

impl Matcher {
    /// Reads the text of a matcher.
    ///
    /// - Nothing, spaces or `*` is [`All`](Self::All).
    /// - A text of letters, digits, `_`, `-`, spaces, `,` and `|` is a list of
    ///   [`Names`](Self::Names), separated by `,` or `|`. Spaces around a name don't count. A
    ///   tool's own name, such as `bash`, becomes its [published name](published_name).
    /// - Any other text is a [`Pattern`](Self::Pattern). The error of an invalid one names it.
    pub fn parse(text: &str) -> Result<Self> {
        if matches!(text.trim(), "" | "*") {
            return Ok(Self::All);
        }
        if text
            .chars()
            .all(|c| c.is_alphanumeric() || "_- ,|".contains(c))
        {
            let names = text.split([',', '|']).map(str::trim);
            let names = names.map(|name| published_name(name).to_string());
            return Ok(Self::Names(names.collect()));
        }
        let regex = RegexMatcher::new(text).with_context(|| {
            format!("the matcher `{text}` is not a regular expression that claw can read")
        })?;
        Ok(Self::Pattern(regex))
    }

    /// Whether a hook with this matcher runs for the subject.
    pub fn matches(&self, subject: &str) -> bool {
        match self {
            Self::All => true,
            Self::Names(names) => names.iter().any(|name| name == subject),
            // The error type has no values: this search can't fail.
            Self::Pattern(regex) => regex.is_match(subject.as_bytes()).unwrap_or(true),
        }
    }
}
