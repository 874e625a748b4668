//! The tool `glob`: finds files by name.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::Context;
use async_trait::async_trait;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::search::{
    FileMatches, FileWalk, OutputMode, OutputOptions, Scope, TopK, call_summary, render_result,
};
use crate::types::{Tool, ToolDefinition, ToolResult};

/// Finds files below a root folder by name.
pub struct GlobTool {
    definition: ToolDefinition,
    root: PathBuf,
}

impl GlobTool {
    /// The tool `glob` for the files below `root`. Only `pattern` is required.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        let definition = ToolDefinition::new("glob", DESCRIPTION)
            .param("pattern", "string", PATTERN, true)
            .param("path", "string", PATH, false)
            .param("hidden", "boolean", HIDDEN, false)
            .param("ignored", "boolean", IGNORED, false)
            .param_raw("limit", limit_schema(), false);
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

    /// Runs [`glob`] on a blocking thread. Dropping the future stops the walk.
    async fn call(&self, args: Value) -> anyhow::Result<ToolResult> {
        let root = self.root.clone();
        let stop = CancellationToken::new();
        let _guard = stop.clone().drop_guard();
        tokio::task::spawn_blocking(move || glob(&root, &args, &stop))
            .await
            .context("the search ended early")
    }

    fn is_read_only(&self) -> bool {
        true
    }

    fn is_concurrent_safe(&self) -> bool {
        true
    }

    /// The pattern and the folder.
    fn summary(&self, args: &Value) -> String {
        call_summary("glob", args)
    }
}

/// Finds the files that a call's arguments select: one path a line, in path order. An error
/// that the model can fix is an error result. Once `stop` is cancelled, the walk ends.
pub fn glob(root: &Path, args: &Value, stop: &CancellationToken) -> ToolResult {
    let scope = Scope {
        glob: args["pattern"].as_str().map(str::to_string),
        ..Scope::from_args(args)
    };
    let walk = match folder_walk(root, &scope) {
        Ok(walk) => walk,
        Err(message) => return ToolResult::error(message),
    };
    let found = Mutex::new(TopK::new(OutputOptions::from_args(args).limit));
    let lock = || found.lock().unwrap_or_else(PoisonError::into_inner);
    walk.visit(stop, || {
        |file| match file {
            Ok(path) => lock().add(walk.relative(path), one_match()),
            Err(reason) => lock().add_unread(reason),
        }
    });
    let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    let nothing_found = format!("there are no files {}", scope.description());
    render_result(&found, OutputMode::Files, &nothing_found)
}

/// The walk over the files of `scope`, which must start at a folder. The error is a message
/// for the model.
fn folder_walk(root: &Path, scope: &Scope) -> Result<FileWalk, String> {
    let walk = FileWalk::new(root, scope)?;
    match walk.is_folder() {
        true => Ok(walk),
        false => Err(format!(
            "`{}` is a file, not a folder; pass a folder as `path`",
            scope.path
        )),
    }
}

/// What a file whose name matches counts for: one match, without lines.
fn one_match() -> FileMatches {
    FileMatches {
        count: 1,
        ..FileMatches::default()
    }
}

/// The schema of the parameter `limit` of both search tools.
pub(super) fn limit_schema() -> Value {
    json!({ "type": "integer", "minimum": 1, "description": LIMIT })
}

const DESCRIPTION: &str = "\
Find files by a glob. Returns one path per line, sorted by path. Skips hidden files and \
files that .gitignore excludes. Lists files only: a glob that names a folder matches \
nothing.";

const PATTERN: &str = "\
Such as `*.rs` (a name, at any depth), `src/**/*.rs` (a path relative to `path`), \
`*.{toml,lock}` or `!*.md` (all files except these).";

const PATH: &str = "The folder to search, relative to the root folder. Default: the root \
folder.";

const LIMIT: &str = "The maximum number of results. Default: 200.";

pub(super) const HIDDEN: &str = "Whether to include names that begin with a dot.";

pub(super) const IGNORED: &str = "Whether to include files that .gitignore excludes, such \
as build output.";
