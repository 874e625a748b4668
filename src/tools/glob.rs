//! The tool `glob`: files by their names.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::Context;
use async_trait::async_trait;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::search::{Hits, Kept, Mode, Scope, Shape, Tree, page, summary};
use crate::types::{Tool, ToolDefinition, ToolResult};

/// Finds files at or below a root folder by their names.
pub struct GlobTool {
    definition: ToolDefinition,
    root: PathBuf,
}

impl GlobTool {
    /// A tool of the name `glob` for the files below `root`. It requires `pattern`.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        todo!("8.7: write GlobTool::new")
    }
}

#[async_trait]
impl Tool for GlobTool {
    fn definition(&self) -> &ToolDefinition {
        todo!("8.7: write GlobTool::definition")
    }

    /// The files, one a line. Dropping the future stops the walk.
    async fn call(&self, args: Value) -> anyhow::Result<ToolResult> {
        todo!("8.7: write GlobTool::call")
    }

    fn is_read_only(&self) -> bool {
        todo!("8.7: write GlobTool::is_read_only")
    }

    fn is_concurrent_safe(&self) -> bool {
        todo!("8.7: write GlobTool::is_concurrent_safe")
    }

    /// The pattern, and where it is looked for.
    fn summary(&self, args: &Value) -> String {
        summary("glob", args)
    }
}

/// The files that the arguments of a call ask for, in path order, until `stop` is
/// cancelled. What the model can mend is an error result.
pub fn glob(root: &Path, args: &Value, stop: &CancellationToken) -> ToolResult {
    todo!("8.7: write glob")
}

/// The schema of `limit`, which both search tools have.
pub(super) fn limit() -> Value {
    json!({ "type": "integer", "minimum": 1, "description": MOST })
}

const DESCRIPTION: &str = "\
Find files by a glob, sorted by path, one a line. Hidden files and those that .gitignore \
leaves out are not looked at. Folders are not listed; a folder's name alone fits nothing.";

const PATTERN: &str = "\
Such as `*.rs` (a name, at any depth), `src/**/*.rs` (a path, from `path` on), \
`*.{toml,lock}` or `!*.md` (all but these).";

const PATH: &str = "The folder to look in, relative to the root folder. Without it, the \
root folder itself.";

const MOST: &str = "How many results at most; 200 without it.";

pub(super) const HIDDEN: &str = "Whether to look at names that begin with a dot as well.";

pub(super) const IGNORED: &str = "Whether to look at what .gitignore leaves out as well, \
such as build output.";
