//! The registry of all tools.

use std::collections::BTreeMap;
use std::fmt;

use anyhow::{Result, bail};

use super::{SharedTool, check_definition};
use crate::types::{Tool, ToolDefinition, ToolSet};

/// Tools by name. Every API accepts each of them.
///
/// All lists are sorted by name. The engine sends definitions in this order, and a prompt
/// cache only serves requests that begin with the same bytes. The order of insertion can
/// change, because the tools of other programs arrive as those programs start.
///
/// A clone shares its tools with the original, so cloning is cheap.
#[derive(Clone, Default)]
pub struct Registry {
    /// Each tool by its definition's name.
    pub(super) tools: BTreeMap<&'static str, SharedTool>,
}

impl Registry {
    /// An empty registry.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tool. It is an error, with a message for the user, if an API would reject the
    /// definition ([`check_definition`]) or if the name is taken. The registry is then
    /// unchanged. The first tool with a name stays, because a later one, perhaps from
    /// another program, must not replace a tool that the user knows.
    pub fn add(&mut self, tool: impl Tool + 'static) -> Result<()> {
        todo!("tool-registry: write Registry::add")
    }

    /// Like [`add`](Self::add), for building a registry in one expression.
    pub fn with(mut self, tool: impl Tool + 'static) -> Result<Self> {
        self.add(tool)?;
        Ok(self)
    }

    /// The tool with exactly this name.
    pub fn get(&self, name: &str) -> Option<&dyn Tool> {
        todo!("tool-registry: write Registry::get")
    }

    /// The names of all tools, sorted.
    pub fn names(&self) -> Vec<&'static str> {
        todo!("tool-registry: write Registry::names")
    }

    /// The definitions of all tools, sorted by name.
    pub fn definitions(&self) -> Vec<&ToolDefinition> {
        todo!("tool-registry: write Registry::definitions")
    }

    /// The tools for an engine. They are shared with the registry, not copied.
    pub fn tool_set(&self) -> ToolSet {
        todo!("tool-registry: write Registry::tool_set")
    }

    /// The number of tools.
    pub fn len(&self) -> usize {
        self.tools.len()
    }

    /// Whether the registry has no tools.
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.tools.keys()).finish()
    }
}
