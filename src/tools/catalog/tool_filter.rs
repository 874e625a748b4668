//! Some of the tools, by what they do or by name.

use std::collections::BTreeSet;

use anyhow::{Context, Result, bail};
use globset::Glob;

use crate::tools::{Registry, nearest};
use crate::types::Tool;

impl Registry {
    /// The tools that leave everything as it was.
    pub fn read_only(&self) -> Self {
        todo!("9.8: write Registry::read_only")
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
        todo!("9.8: write Registry::matching")
    }

    /// The names that one pattern matches; none is an error.
    fn matched(&self, pattern: &str) -> Result<Vec<&'static str>> {
        todo!("9.8: write Registry::matched")
    }

    /// The tools that a test lets through.
    fn only(&self, test: impl Fn(&str, &dyn Tool) -> bool) -> Self {
        let tools = self.tools.iter().filter(|(name, tool)| test(name, *tool));
        Self {
            tools: tools.map(|(name, tool)| (*name, tool.clone())).collect(),
        }
    }
}
