//! The tool `list`, which lists the entries of a folder.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context;
use async_trait::async_trait;
use serde_json::Value;

use crate::tools::resolve;
use crate::types::{Tool, ToolDefinition, ToolResult};

/// The most entries that one listing shows. A longer listing is rarely worth its tokens, so
/// the rest is only counted.
pub const MAX_ENTRIES: usize = 1000;

/// Lists a folder inside a root folder, or the root folder itself.
pub struct ListTool {
    definition: ToolDefinition,
    root: PathBuf,
}

impl ListTool {
    /// The tool `list` for `root` and the folders inside it. Its only parameter is the
    /// optional string `path`.
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

    /// Lists the folder `path`, or the root folder without it, by [`list_folder`].
    async fn call(&self, args: Value) -> anyhow::Result<ToolResult> {
        let root = self.root.clone();
        let path = args["path"].as_str().unwrap_or(".").to_string();
        // A slow disk would block every task of this thread, so another thread waits for it.
        tokio::task::spawn_blocking(move || list_folder(&root, &path))
            .await
            .context("the listing did not finish")?
    }

    fn is_read_only(&self) -> bool {
        true
    }

    fn is_concurrent_safe(&self) -> bool {
        true
    }
}

/// Lists the folder `path` inside `root`: the [`listing`] of its [entries](folder_entries).
///
/// A path that can't be listed is an error result that says why. A folder that can't be
/// read is an `Err`.
pub fn list_folder(root: &Path, path: &str) -> anyhow::Result<ToolResult> {
    let folder = match resolve(root, path) {
        Ok(folder) => folder,
        Err(message) => return Ok(ToolResult::error(message)),
    };
    if !folder.is_dir() {
        return Ok(ToolResult::error(format!(
            "`{path}` is a file, not a folder; list the folder that contains it"
        )));
    }
    let lines = folder_entries(&folder).with_context(|| format!("cannot list `{path}`"))?;
    Ok(listing(lines))
}

/// The result for a folder with these entries, one on each line.
///
/// A folder with more than [`MAX_ENTRIES`] is listed up to that number, a last line counts
/// the rest, and the result is truncated. For an empty folder the text says so, since a
/// model can take a result without text for a failure.
pub fn listing(mut lines: Vec<String>) -> ToolResult {
    if lines.is_empty() {
        return ToolResult::text("(the folder is empty)");
    }
    let left_out = lines.len().saturating_sub(MAX_ENTRIES);
    lines.truncate(MAX_ENTRIES);
    if left_out > 0 {
        lines.push(format!("[{left_out} more entries left out]"));
    }
    ToolResult {
        is_truncated: left_out > 0,
        ..ToolResult::text(lines.join("\n"))
    }
}

/// The names in `folder`, sorted by name. A `/` follows the name of a folder, an `@` the
/// name of a link to anything, and nothing the name of a file.
///
/// Each entry is one line: control characters in a name are escaped. Bytes that are not
/// UTF-8 become replacement characters.
pub fn folder_entries(folder: &Path) -> io::Result<Vec<String>> {
    let mut entries = Vec::new();
    for entry in folder.read_dir()? {
        let entry = entry?;
        let kind = entry.file_type()?;
        let mark = match (kind.is_dir(), kind.is_symlink()) {
            (true, _) => "/",
            (_, true) => "@",
            _ => "",
        };
        entries.push((entry.file_name(), mark));
    }
    entries.sort();
    let lines = entries.iter().map(|(name, mark)| {
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
List the entries of a folder, one on each line, sorted by name. A folder ends in `/`, a link \
in `@`. Folders inside it are not listed: list each one with a call of its own.";
