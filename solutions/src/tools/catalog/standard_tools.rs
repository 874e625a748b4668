//! The standard tools of a session.

use std::path::PathBuf;

use anyhow::Result;

#[cfg(unix)]
use crate::tools::BashTool;
use crate::tools::{
    EditTool, GlobTool, GrepTool, ListTool, MultiEditTool, ReadTool, Registry, Workspace, WriteTool,
};

impl Registry {
    /// The standard tools for the folder `root`: on Unix `bash`, and everywhere `edit`, `glob`,
    /// `grep`, `list`, `multi_edit`, `read` and `write`.
    ///
    /// The tools that read and write files share one [`Workspace`], so that an edit knows
    /// what was read. An error means that an API would reject one of these tools, which is
    /// a bug in this crate.
    pub fn standard(root: impl Into<PathBuf>) -> Result<Self> {
        let root = root.into();
        let workspace = Workspace::new(&root);
        let registry = Self::new()
            .with(ListTool::new(&root))?
            .with(ReadTool::new(&workspace))?
            .with(WriteTool::new(&workspace))?
            .with(EditTool::new(&workspace))?
            .with(MultiEditTool::new(&workspace))?
            .with(GlobTool::new(&root))?
            .with(GrepTool::new(&root))?;
        #[cfg(unix)]
        let registry = registry.with(BashTool::new(&root))?;
        Ok(registry)
    }
}
