//! The file tools of a registry, held inside of the root folder.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use async_trait::async_trait;
use serde_json::Value;

use super::InsideAccess;
use crate::tools::{
    EditTool, FolderAccess, ListTool, MultiEditTool, ReadTool, Registry, Workspace, WriteTool,
    folder_entries, listing, resolve,
};
use crate::types::{Tool, ToolDefinition, ToolResult};

/// Replaces the tools `read`, `write`, `edit`, `multi_edit` and `list` of a registry, which must
/// have them, by tools that reach the files in `root` with [`InsideAccess`].
pub fn hold_inside(registry: &Registry, root: &Path) -> Result<Registry> {
    let workspace = Workspace::with_folders(root, InsideAccess::new(root));
    registry
        .matching(&["!read", "!write", "!edit", "!multi_edit", "!list"])?
        .with(ReadTool::new(&workspace))?
        .with(WriteTool::new(&workspace))?
        .with(EditTool::new(&workspace))?
        .with(MultiEditTool::new(&workspace))?
        .with(InsideList::new(root))
}

/// Like [`ListTool`], but the folder that is listed is certainly in the root folder.
struct InsideList {
    list: ListTool,
    root: PathBuf,
}

impl InsideList {
    /// The tool `list` for the folders in `root`.
    fn new(root: &Path) -> Self {
        Self {
            list: ListTool::new(root),
            root: root.to_path_buf(),
        }
    }
}

#[async_trait]
impl Tool for InsideList {
    fn definition(&self) -> &ToolDefinition {
        self.list.definition()
    }

    async fn call(&self, args: Value) -> Result<ToolResult> {
        let root = self.root.clone();
        let path = args["path"].as_str().unwrap_or(".").to_string();
        tokio::task::spawn_blocking(move || list_inside(&root, &path))
            .await
            .context("the listing did not finish")?
    }

    fn is_read_only(&self) -> bool {
        self.list.is_read_only()
    }

    fn is_concurrent_safe(&self) -> bool {
        self.list.is_concurrent_safe()
    }
}

/// Lists the folder `path` in `root` as [`list_folder`](crate::tools::list_folder) does.
fn list_inside(root: &Path, path: &str) -> Result<ToolResult> {
    let folder = match resolve(root, path) {
        Ok(folder) => folder,
        Err(message) => return Ok(ToolResult::error(message)),
    };
    let opened = InsideAccess::new(root).open(&folder, false);
    match opened.and_then(|opened| folder_entries(&opened.path)) {
        Ok(entries) => Ok(listing(entries)),
        Err(error) if error.kind() == ErrorKind::NotADirectory => Ok(ToolResult::error(format!(
            "`{path}` is not a folder; list the folder that contains it"
        ))),
        Err(error) => Err(error).with_context(|| format!("cannot list `{path}`")),
    }
}
