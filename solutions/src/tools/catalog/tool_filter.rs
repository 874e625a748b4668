//! Subsets of a registry: read-only tools, and tools that match patterns.

use std::collections::BTreeSet;

use anyhow::{Context, Result, bail};
use globset::{Glob, GlobSet};

use crate::tools::{Registry, similar_name};
use crate::types::Tool;

impl Registry {
    /// The read-only tools.
    pub fn read_only(&self) -> Self {
        self.filtered(|_, tool| tool.is_read_only())
    }

    /// The tools that these patterns select.
    ///
    /// A pattern is a tool's name or a glob such as `mcp__*`. It adds the tools that it
    /// matches; with `!` in front, it removes them. The patterns apply in order, so the last
    /// one that matches a tool decides. The selection starts empty or, if the first pattern
    /// begins with `!`, with all tools. White space around a pattern and after its `!` is
    /// ignored.
    ///
    /// A pattern that matches no tool of this registry, selected or not, is an error that
    /// names the pattern without its `!`, a similar tool name if there is one, and all tools.
    /// An invalid glob is an error that names the pattern.
    pub fn matching(&self, patterns: &[impl AsRef<str>]) -> Result<Self> {
        let mut selected = BTreeSet::new();
        for (index, pattern) in patterns.iter().enumerate() {
            let pattern = pattern.as_ref().trim();
            let Some(excluded) = pattern.strip_prefix('!') else {
                selected.extend(self.names_matching(pattern)?);
                continue;
            };
            if index == 0 {
                selected.extend(self.names());
            }
            for name in self.names_matching(excluded.trim_start())? {
                selected.remove(name);
            }
        }
        Ok(self.filtered(|name, _| selected.contains(name)))
    }

    /// The names that one pattern matches. It is an error if there are none.
    fn names_matching(&self, pattern: &str) -> Result<Vec<&'static str>> {
        // A set, because `Glob::compile_matcher` panics on deeply nested braces.
        let glob = Glob::new(pattern).and_then(|glob| GlobSet::new([glob]));
        let glob = glob.with_context(|| format!("`{pattern}` is not a valid pattern"))?;
        let names = self.names();
        let found: Vec<_> = names
            .iter()
            .copied()
            .filter(|name| glob.is_match(name))
            .collect();
        if found.is_empty() {
            let hint = similar_name(pattern, &names);
            let hint = hint.map_or(String::new(), |name| format!("; did you mean `{name}`?"));
            bail!(
                "no tool matches `{pattern}`{hint} (the tools are {})",
                names.join(", ")
            );
        }
        Ok(found)
    }

    /// The tools for which `test` returns `true`.
    fn filtered(&self, test: impl Fn(&str, &dyn Tool) -> bool) -> Self {
        let tools = self.tools.iter().filter(|(name, tool)| test(name, *tool));
        Self {
            tools: tools.map(|(name, tool)| (*name, tool.clone())).collect(),
        }
    }
}
