//! The one place that knows every tool.

use std::collections::BTreeMap;
use std::fmt;

use anyhow::{Result, bail};

use super::{SharedTool, admissible};
use crate::types::{Tool, ToolDefinition, ToolSet};

/// Tools by name, each of them one that every API takes.
///
/// Whatever it lists comes in the order of the names, whoever added them and when: that
/// is the order in which the engine sends definitions, and a prompt cache holds only what
/// is repeated byte for byte. The order in which tools were added would win if it were
/// always the same; tools of other programs come as their programs start.
///
/// A clone has the same tools and is cheap: they are shared.
#[derive(Clone, Default)]
pub struct Registry {
    /// Each tool under its definition's name.
    pub(super) tools: BTreeMap<&'static str, SharedTool>,
}

impl Registry {
    /// A registry without tools.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tool under its definition's name. The error is for the user, and the
    /// registry is then as it was: for a tool that an API would refuse
    /// ([`admissible`]), and for one whose name is taken. The first of a name stays: a
    /// tool that comes later, perhaps from another program, must not take the place of
    /// one that the user knows.
    pub fn add(&mut self, tool: impl Tool + 'static) -> Result<()> {
        todo!("9.3: write Registry::add")
    }

    /// [`add`](Self::add) for building a registry in a single expression.
    pub fn with(mut self, tool: impl Tool + 'static) -> Result<Self> {
        self.add(tool)?;
        Ok(self)
    }

    /// The tool of this very name.
    pub fn get(&self, name: &str) -> Option<&dyn Tool> {
        todo!("9.3: write Registry::get")
    }

    /// The names of all tools, in order.
    pub fn names(&self) -> Vec<&'static str> {
        todo!("9.3: write Registry::names")
    }

    /// Every tool's definition, in the order of the names.
    pub fn definitions(&self) -> Vec<&ToolDefinition> {
        todo!("9.3: write Registry::definitions")
    }

    /// The tools as an engine takes them. They are the same tools, not copies.
    pub fn tool_set(&self) -> ToolSet {
        todo!("9.3: write Registry::tool_set")
    }

    /// How many tools there are.
    pub fn len(&self) -> usize {
        self.tools.len()
    }

    /// Whether there is no tool at all.
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.tools.keys()).finish()
    }
}
