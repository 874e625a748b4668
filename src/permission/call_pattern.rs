//! Patterns for tool calls: `bash`, `mcp__*`, `bash(git status *)`, `edit(src/**)`.

use anyhow::{Context, Result, bail};
use globset::{Glob, GlobMatcher, GlobSet};
use serde_json::Value;

use super::command_words::{Certainty, possible_commands, simple_words, words_match};
use super::{PathPattern, Places};
use crate::types::ToolCall;

/// A pattern for tool calls, read from a rule.
#[derive(Debug, Clone)]
pub struct CallPattern {
    /// A glob for the tool's name.
    tool: GlobMatcher,
    /// What the call must touch, if the pattern says so.
    target: Option<TargetPattern>,
    /// The folders from which the call's paths start.
    places: Places,
}

/// The part of a pattern in parentheses. The call decides whether it is read as the words of a
/// command or as a path.
#[derive(Debug, Clone)]
struct TargetPattern {
    words: Vec<GlobMatcher>,
    path: PathPattern,
}

impl CallPattern {
    /// Reads a pattern: a glob for tool names, which may be followed by a target in parentheses.
    /// Spaces around both are ignored.
    ///
    /// An empty name, a missing `)`, empty parentheses and an invalid glob are errors that name
    /// the pattern.
    pub fn parse(pattern: &str, places: &Places) -> Result<Self> {
        let (tool, target) = match pattern.trim().split_once('(') {
            None => (pattern, None),
            Some((tool, rest)) => match rest.strip_suffix(')') {
                Some(target) => (tool, Some(target.trim())),
                None => bail!("`{pattern}` has a `(` and does not end with `)`"),
            },
        };
        if tool.trim().is_empty() || target == Some("") {
            bail!("`{pattern}` is not a pattern; write `tool` or `tool(what it touches)`");
        }
        Ok(Self {
            tool: glob(tool.trim(), pattern)?,
            target: target
                .map(|text| TargetPattern::parse(text, places))
                .transpose()
                .with_context(|| format!("`{pattern}` is not a valid pattern"))?,
            places: places.clone(),
        })
    }

    /// Whether the pattern matches a call.
    ///
    /// Without a target, only the tool's name counts. With a target, a call with a text
    /// `command` is matched by its words, and any other call by its `path`. A `path` that is
    /// missing or not text is the workspace.
    ///
    /// The certainty matters only for commands. A path is compared as it is: a pattern for `secrets/**`
    /// does not match a search that starts in a folder above it.
    pub fn matches(&self, call: &ToolCall, certainty: Certainty) -> bool {
        todo!("match-calls: write CallPattern::matches")
    }
}

impl TargetPattern {
    /// Reads the text between the parentheses.
    fn parse(text: &str, places: &Places) -> Result<Self> {
        let words = text.split_whitespace().map(|word| glob(word, text));
        Ok(Self {
            words: words.collect::<Result<_>>()?,
            path: PathPattern::parse(text, places)?,
        })
    }

    /// Whether the pattern matches a command.
    ///
    /// A match is certain if the command is [simple](simple_words) and its words match, from the
    /// first to the last. A match is possible if the words of the simple command, or of one of
    /// the [possible commands](possible_commands), match from any of them on: `rm *` matches
    /// `cd /tmp && sudo rm -rf x`.
    fn matches_command(&self, command: &str, certainty: Certainty) -> bool {
        todo!("match-calls: write TargetPattern::matches_command")
    }
}

/// A glob in which `*` matches any text. The error names the whole pattern.
fn glob(text: &str, pattern: &str) -> Result<GlobMatcher> {
    let glob = Glob::new(text);
    // `compile_matcher` panics on deeply nested braces. A set of the glob is an error instead.
    let glob = glob.and_then(|glob| GlobSet::new([glob.clone()]).map(|_| glob));
    let glob = glob.with_context(|| format!("`{pattern}` is not a valid pattern"))?;
    Ok(glob.compile_matcher())
}
