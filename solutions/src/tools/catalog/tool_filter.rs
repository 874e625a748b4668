//! Some of the tools, by what they do or by name.

use std::collections::BTreeSet;

use anyhow::{Context, Result, bail};
use globset::Glob;

use crate::tools::{Registry, nearest};
use crate::types::Tool;

impl Registry {
    /// The tools that leave everything as it was.
    pub fn read_only(&self) -> Self {
        self.only(|_, tool| tool.is_read_only())
    }

    /// The tools that these patterns choose.
    ///
    /// A pattern is a tool's name, or a glob such as `mcp__*`, and chooses what it
    /// matches; with `!` before it, it takes that away again. They are taken in their
    /// order, so the last one that matches a tool decides. If the first takes away, all
    /// tools are there to begin with, else none. Spaces around a pattern
    /// and behind its `!` do not matter.
    ///
    /// A pattern that matches none of the registry's tools is an error that names it,
    /// the tool that was most likely meant, and all that there are; one that is no glob
    /// is an error that names it.
    pub fn matching(&self, patterns: &[impl AsRef<str>]) -> Result<Self> {
        let mut chosen = BTreeSet::new();
        for (index, pattern) in patterns.iter().enumerate() {
            let pattern = pattern.as_ref().trim();
            let Some(unwanted) = pattern.strip_prefix('!') else {
                chosen.extend(self.matched(pattern)?);
                continue;
            };
            if index == 0 {
                chosen.extend(self.names());
            }
            for name in self.matched(unwanted.trim_start())? {
                chosen.remove(name);
            }
        }
        Ok(self.only(|name, _| chosen.contains(name)))
    }

    /// The names that one pattern matches; none is an error.
    fn matched(&self, pattern: &str) -> Result<Vec<&'static str>> {
        let glob = Glob::new(pattern).with_context(|| format!("`{pattern}` is no pattern"))?;
        let glob = glob.compile_matcher();
        let names = self.names();
        let found: Vec<_> = names
            .iter()
            .copied()
            .filter(|name| glob.is_match(name))
            .collect();
        if found.is_empty() {
            let hint = nearest(pattern, &names);
            let hint = hint.map_or(String::new(), |name| format!("; did you mean `{name}`?"));
            bail!(
                "no tool matches `{pattern}`{hint} (the tools are {})",
                names.join(", ")
            );
        }
        Ok(found)
    }

    /// The tools that a test lets through.
    fn only(&self, test: impl Fn(&str, &dyn Tool) -> bool) -> Self {
        let tools = self.tools.iter().filter(|(name, tool)| test(name, *tool));
        Self {
            tools: tools.map(|(name, tool)| (*name, tool.clone())).collect(),
        }
    }
}
