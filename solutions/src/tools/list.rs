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
        Self {
            definition: ToolDefinition::new("list", DESCRIPTION).param(
                "path",
                "string",
                "The folder, relative to the root folder. Without it, the root folder itself.",
                false,
            ),
            root: root.into(),
        }
    }
}

#[async_trait]
impl Tool for ListTool {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    /// The folder's entries, one a line. A path that can't be listed is an error result
    /// that says why; a folder that can't be read is an `Err`.
    async fn call(&self, args: Value) -> anyhow::Result<ToolResult> {
        let root = self.root.clone();
        let path = args["path"].as_str().unwrap_or(".").to_string();
        // A slow disk would hold up every task of this thread, so another one waits for it.
        tokio::task::spawn_blocking(move || list(&root, &path))
            .await
            .context("the listing was cut short")?
    }

    fn is_read_only(&self) -> bool {
        true
    }

    fn is_concurrent_safe(&self) -> bool {
        true
    }
}

/// The entries of the folder `path` below `root`, as a result.
///
/// Of a folder with more than [`MAX_ENTRIES`], the first so many are listed and a last
/// line counts the rest; the result is then truncated. A folder without entries is
/// called empty in words, since a model may take no text for a tool that failed.
pub fn list(root: &Path, path: &str) -> anyhow::Result<ToolResult> {
    let folder = match resolve(root, path) {
        Ok(folder) => folder,
        Err(message) => return Ok(ToolResult::error(message)),
    };
    if !folder.is_dir() {
        return Ok(ToolResult::error(format!(
            "`{path}` is a file, not a folder; list the folder that holds it"
        )));
    }
    let mut lines = entries(&folder).with_context(|| format!("cannot list `{path}`"))?;
    if lines.is_empty() {
        return Ok(ToolResult::text("(the folder is empty)"));
    }
    let left_out = lines.len().saturating_sub(MAX_ENTRIES);
    lines.truncate(MAX_ENTRIES);
    if left_out > 0 {
        lines.push(format!("[{left_out} more entries left out]"));
    }
    Ok(ToolResult {
        is_truncated: left_out > 0,
        ..ToolResult::text(lines.join("\n"))
    })
}

/// The names in `folder`, in the order of the names themselves, each with its mark:
/// `/` behind a folder, `@` behind a link whatever it leads to, nothing behind a file.
///
/// One entry stays one line: control characters in a name are written as escapes. What
/// is not UTF-8 is written with replacement characters.
pub fn entries(folder: &Path) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    for entry in folder.read_dir()? {
        let entry = entry?;
        let kind = entry.file_type()?;
        let mark = match (kind.is_dir(), kind.is_symlink()) {
            (true, _) => "/",
            (_, true) => "@",
            _ => "",
        };
        found.push((entry.file_name(), mark));
    }
    found.sort();
    let lines = found.iter().map(|(name, mark)| {
        let mut line = String::new();
        for letter in name.to_string_lossy().chars() {
            match letter.is_control() {
                true => line.extend(letter.escape_default()),
                false => line.push(letter),
            }
        }
        line + mark
    });
    Ok(lines.collect())
}

const DESCRIPTION: &str = "\
List what is in a folder, one entry a line, sorted by name. A folder ends in `/`, a link \
in `@`. Folders are not descended into: list them in turn.";
