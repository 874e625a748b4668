//! The tool `grep`: finds lines by a pattern.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::Context;
use async_trait::async_trait;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::glob::{HIDDEN, IGNORED, limit_schema};
use super::search::{
    FileSearcher, FileWalk, OutputOptions, Query, Scope, TopK, Totals, call_summary, compile,
    display_path, render_result,
};
use crate::types::{Tool, ToolDefinition, ToolResult};

/// Finds lines in the files at or below a root folder.
pub struct GrepTool {
    definition: ToolDefinition,
    root: PathBuf,
}

impl GrepTool {
    /// The tool `grep` for the files at or below `root`. Only `pattern` is required.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        let count = |description: &str| json!({ "type": "integer", "minimum": 0, "description": description });
        let modes = json!({ "type": "string", "enum": ["content", "files", "count"], "description": OUTPUT_MODE });
        let definition = ToolDefinition::new("grep", DESCRIPTION)
            .param("pattern", "string", PATTERN, true)
            .param("path", "string", PATH, false)
            .param("glob", "string", GLOB, false)
            .param("type", "string", TYPE, false)
            .param_raw("output_mode", modes, false)
            .param_raw("context", count(CONTEXT), false)
            .param_raw("before", count(BEFORE), false)
            .param_raw("after", count(AFTER), false)
            .param("ignore_case", "boolean", IGNORE_CASE, false)
            .param("literal", "boolean", LITERAL, false)
            .param("multiline", "boolean", MULTILINE, false)
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
impl Tool for GrepTool {
    fn definition(&self) -> &ToolDefinition {
        todo!("grep-tool: write GrepTool::definition")
    }

    /// Runs [`grep`] on a blocking thread. Dropping the future stops the search.
    async fn call(&self, args: Value) -> anyhow::Result<ToolResult> {
        todo!("grep-tool: write GrepTool::call")
    }

    fn is_read_only(&self) -> bool {
        todo!("grep-tool: write GrepTool::is_read_only")
    }

    fn is_concurrent_safe(&self) -> bool {
        todo!("grep-tool: write GrepTool::is_concurrent_safe")
    }

    /// The pattern and the path.
    fn summary(&self, args: &Value) -> String {
        call_summary("grep", args)
    }
}

/// Finds the lines, files or counts that a call's arguments ask for. An error that the
/// model can fix is an error result. Once `stop` is cancelled, the search ends.
pub fn grep(root: &Path, args: &Value, stop: &CancellationToken) -> ToolResult {
    todo!("search-all-files: write grep")
}

/// The result of a search without a match: how many files were searched, and which.
fn no_match_text(totals: &Totals, scope: &Scope) -> String {
    let files = scope.description();
    match (totals.searched, totals.binary) {
        (0, _) => format!("no file was searched: there are no files {files}"),
        (all, binary) => format!(
            "nothing matches; searched: {} of {all} files {files}; binary: {binary}",
            all - binary
        ),
    }
}

const DESCRIPTION: &str = "\
Find lines by a regular expression. Returns each file's path, sorted by path, and below it \
the matching lines as `12:text` and the lines around them as `13-text`. Skips hidden, \
ignored and binary files.";

const PATTERN: &str = "\
A regular expression in Rust's syntax, without look-around. To match `(`, `[`, `{`, `.` and \
other special characters literally, write a backslash before them.";

const PATH: &str = "The folder or file to search, relative to the root folder. Default: \
the root folder.";

const GLOB: &str = "Search only files that match this glob, relative to `path`, such as \
`*.rs`, `src/**/*.{ts,tsx}` or `!*.lock`.";

const TYPE: &str = "Search only files of this type, such as `rust`, `py`, `js`, `ts`, `go`.";

const OUTPUT_MODE: &str = "`content` (the default) for lines, `files` for the paths of files \
with a match, `count` for these paths with the number of matches.";

const CONTEXT: &str = "How many lines to show before and after each match.";

const BEFORE: &str = "How many lines to show before each match.";

const AFTER: &str = "How many lines to show after each match.";

const IGNORE_CASE: &str = "Whether to ignore the difference between upper and lower case.";

const LITERAL: &str = "Whether the pattern is plain text.";

const MULTILINE: &str = "Whether a match may span lines. `(?s)` lets `.` match line endings.";
