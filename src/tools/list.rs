//! The tool `list`: what is in a folder.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context;
use async_trait::async_trait;
use serde_json::Value;

use crate::tools::resolve;
use crate::types::{Tool, ToolDefinition, ToolResult};

/// How many entries of a folder a model is shown. A folder with more is rarely worth
/// reading to its end; the rest is counted.
pub const MAX_ENTRIES: usize = 1000;

/// Lists a folder at or below a root folder, and nothing outside it.
pub struct ListTool {
    definition: ToolDefinition,
    root: PathBuf,
}

impl ListTool {
    /// A tool of the name `list` for the folders at and below `root`. It has one
    /// parameter, the string `path`, which may be left out.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        todo!("3.1: write ListTool::new")
    }
}

#[async_trait]
impl Tool for ListTool {
    fn definition(&self) -> &ToolDefinition {
        todo!("3.1: write ListTool::definition")
    }

    /// The folder's entries, one a line. A path that can't be listed is an error result
    /// that says why; a folder that can't be read is an `Err`.
    async fn call(&self, args: Value) -> anyhow::Result<ToolResult> {
        todo!("3.4: write ListTool::call")
    }

    fn is_read_only(&self) -> bool {
        todo!("3.1: write ListTool::is_read_only")
    }

    fn is_concurrent_safe(&self) -> bool {
        todo!("3.1: write ListTool::is_concurrent_safe")
    }
}

/// The entries of the folder `path` below `root`, as a result.
///
/// Of a folder with more than [`MAX_ENTRIES`], the first so many are listed and a last
/// line counts the rest; the result is then truncated. A folder without entries is
/// called empty in words, since a model may take no text for a tool that failed.
pub fn list(root: &Path, path: &str) -> anyhow::Result<ToolResult> {
    todo!("3.4: write list")
}

/// The names in `folder`, in the order of the names themselves, each with its mark:
/// `/` behind a folder, `@` behind a link whatever it leads to, nothing behind a file.
///
/// One entry stays one line: control characters in a name are written as escapes. What
/// is not UTF-8 is written with replacement characters.
pub fn entries(folder: &Path) -> io::Result<Vec<String>> {
    todo!("3.3: write entries")
}

const DESCRIPTION: &str = "\
List what is in a folder, one entry a line, sorted by name. A folder ends in `/`, a link \
in `@`. Folders are not descended into: list them in turn.";
