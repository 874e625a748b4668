//! Subsets of a registry: read-only tools, and tools that match patterns.

use std::collections::BTreeSet;

use anyhow::{Context, Result, bail};
use globset::{Glob, GlobSet};

use crate::tools::{Registry, similar_name};
use crate::types::Tool;

impl Registry {
    /// The read-only tools.
    pub fn read_only(&self) -> Self {
        todo!("subsets-of-tools: write Registry::read_only")
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
        todo!("subsets-of-tools: write Registry::matching")
    }

    /// The names that one pattern matches. It is an error if there are none.
    fn names_matching(&self, pattern: &str) -> Result<Vec<&'static str>> {
        todo!("subsets-of-tools: write Registry::names_matching")
    }

    /// The tools for which `test` returns `true`.
    fn filtered(&self, test: impl Fn(&str, &dyn Tool) -> bool) -> Self {
        let tools = self.tools.iter().filter(|(name, tool)| test(name, *tool));
        Self {
            tools: tools.map(|(name, tool)| (*name, tool.clone())).collect(),
        }
    }
}
