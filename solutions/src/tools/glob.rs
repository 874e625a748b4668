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
        let definition = ToolDefinition::new("glob", DESCRIPTION)
            .param("pattern", "string", PATTERN, true)
            .param("path", "string", PATH, false)
            .param("hidden", "boolean", HIDDEN, false)
            .param("ignored", "boolean", IGNORED, false)
            .param_raw("limit", limit(), false);
        Self {
            definition,
            root: root.into(),
        }
    }
}

#[async_trait]
impl Tool for GlobTool {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    /// The files, one a line. Dropping the future stops the walk.
    async fn call(&self, args: Value) -> anyhow::Result<ToolResult> {
        let root = self.root.clone();
        let stop = CancellationToken::new();
        let _guard = stop.clone().drop_guard();
        tokio::task::spawn_blocking(move || glob(&root, &args, &stop))
            .await
            .context("the search was cut short")
    }

    fn is_read_only(&self) -> bool {
        true
    }

    fn is_concurrent_safe(&self) -> bool {
        true
    }

    /// The pattern, and where it is looked for.
    fn summary(&self, args: &Value) -> String {
        summary("glob", args)
    }
}

/// The files that the arguments of a call ask for, in path order, until `stop` is
/// cancelled. What the model can mend is an error result.
pub fn glob(root: &Path, args: &Value, stop: &CancellationToken) -> ToolResult {
    let scope = Scope {
        glob: args["pattern"].as_str().map(str::to_string),
        ..Scope::from_args(args)
    };
    let limit = Shape::from_args(args).limit;
    let tree = match Tree::open(root, &scope) {
        Ok(tree) if tree.is_folder() => tree,
        Ok(_) => {
            return ToolResult::error(format!(
                "`{}` is a file, not a folder; glob looks for files in a folder",
                scope.path
            ));
        }
        Err(message) => return ToolResult::error(message),
    };
    let kept = Mutex::new(Kept::new(limit));
    tree.visit(stop, || {
        |file| {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            let hits = Hits {
                matches: 1,
                ..Hits::default()
            };
            match file {
                Ok(path) => kept.add(tree.relative(path), hits),
                Err(reason) => kept.add_unread(reason),
            }
        }
    });
    let kept = kept.into_inner().unwrap_or_else(PoisonError::into_inner);
    page(
        &kept,
        Mode::Files,
        &format!("there are no files {}", scope.words()),
    )
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
