//! The tool `grep`: lines by a pattern.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::Context;
use async_trait::async_trait;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::glob::{HIDDEN, IGNORED, limit};
use super::search::{Kept, Query, Scope, Search, Shape, Tree, compile, page, summary};
use crate::types::{Tool, ToolDefinition, ToolResult};

/// Finds lines in the files at or below a root folder.
pub struct GrepTool {
    definition: ToolDefinition,
    root: PathBuf,
}

impl GrepTool {
    /// A tool of the name `grep` for the files at and below `root`. It requires `pattern`.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        let count = |description: &str| json!({ "type": "integer", "minimum": 0, "description": description });
        let modes =
            json!({ "type": "string", "enum": ["content", "files", "count"], "description": MODE });
        let definition = ToolDefinition::new("grep", DESCRIPTION)
            .param("pattern", "string", PATTERN, true)
            .param("path", "string", PATH, false)
            .param("glob", "string", GLOB, false)
            .param("type", "string", TYPE, false)
            .param_raw("output_mode", modes, false)
            .param_raw("context", count(CONTEXT), false)
            .param_raw("before", count(BEFORE), false)
            .param_raw("after", count(AFTER), false)
            .param("ignore_case", "boolean", CASE, false)
            .param("literal", "boolean", LITERAL, false)
            .param("multiline", "boolean", MULTILINE, false)
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
impl Tool for GrepTool {
    fn definition(&self) -> &ToolDefinition {
        todo!("8.10: write GrepTool::definition")
    }

    /// What matches, by file. Dropping the future stops the search.
    async fn call(&self, args: Value) -> anyhow::Result<ToolResult> {
        todo!("8.10: write GrepTool::call")
    }

    fn is_read_only(&self) -> bool {
        todo!("8.10: write GrepTool::is_read_only")
    }

    fn is_concurrent_safe(&self) -> bool {
        todo!("8.10: write GrepTool::is_concurrent_safe")
    }

    /// The pattern, and where it is looked for.
    fn summary(&self, args: &Value) -> String {
        summary("grep", args)
    }
}

/// What the arguments of a call ask for, until `stop` is cancelled. What the model can
/// mend is an error result.
pub fn grep(root: &Path, args: &Value, stop: &CancellationToken) -> ToolResult {
    todo!("8.10: write grep")
}

const DESCRIPTION: &str = "\
Find lines by a regular expression, sorted by path: each file's path, and below it its \
lines as `12:text`, lines around a match as `13-text`. Hidden, ignored and binary files \
are not searched.";

const PATTERN: &str = "\
A regular expression in Rust's syntax, without look-around. `(`, `[`, `{`, `.` and others \
need a backslash to be found themselves.";

const PATH: &str = "The folder or file to search, relative to the root folder. Without it, \
the root folder itself.";

const GLOB: &str = "Search only files that fit, such as `*.rs`, `src/**/*.{ts,tsx}` or \
`!*.lock`. It is seen from `path`.";

const TYPE: &str = "Search only files of this type, such as `rust`, `py`, `js`, `ts`, `go`.";

const MODE: &str = "`content` (the default) for lines, `files` for the paths of files with \
a match, `count` for those with their number of matches.";

const CONTEXT: &str = "How many lines to show before and after each match.";

const BEFORE: &str = "How many lines to show before each match.";

const AFTER: &str = "How many lines to show after each match.";

const CASE: &str = "Whether upper and lower case are the same.";

const LITERAL: &str = "Whether the pattern is plain text.";

const MULTILINE: &str = "Whether a match may span lines; `(?s)` lets `.` match line ends.";
