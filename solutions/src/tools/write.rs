//! The tool `write`, which creates a file or replaces a file's whole content.

use std::borrow::Cow;

use anyhow::Context;
use async_trait::async_trait;
use serde_json::Value;

use super::{
    FileError, MAX_FILE_BYTES, TextFile, Workspace, call_result, destination, line_count,
    too_large_message,
};
use crate::types::{Tool, ToolDefinition, ToolResult};

/// Writes files of a workspace.
pub struct WriteTool {
    definition: ToolDefinition,
    workspace: Workspace,
}

impl WriteTool {
    /// The tool `write` for the files of `workspace`. It takes the strings `path` and
    /// `content`.
    pub fn new(workspace: &Workspace) -> Self {
        Self {
            definition: ToolDefinition::new("write", DESCRIPTION)
                .param(
                    "path",
                    "string",
                    "The file, relative to the root folder.",
                    true,
                )
                .param(
                    "content",
                    "string",
                    "The complete new content of the file.",
                    true,
                ),
            workspace: workspace.clone(),
        }
    }
}

#[async_trait]
impl Tool for WriteTool {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    async fn call(&self, args: Value) -> anyhow::Result<ToolResult> {
        let workspace = self.workspace.clone();
        let task = tokio::task::spawn_blocking(move || {
            let text = |name: &str| args[name].as_str().unwrap_or_default();
            write_file(&workspace, text("path"), text("content"))
        });
        call_result(task.await.context("the task that writes the file failed")?)
    }
}

/// Writes `content` to the file `path`, and creates the folders that are missing.
///
/// A file that exists must be text, and the model must know its content; see
/// [`Workspace::check`]. Its line ends and byte order mark stay; see
/// [`TextFile::rewrite`]. The workspace remembers the new content, so the model can edit
/// the file without reading it. The result is ``created `a.txt` (2 lines, 9 bytes)``, or
/// ``wrote …`` for a file that existed. The bytes are those on disk.
pub fn write_file(
    workspace: &Workspace,
    path: &str,
    content: &str,
) -> Result<ToolResult, FileError> {
    let _guard = workspace.write_lock();
    let resolved = destination(workspace.root(), path)?;
    let (text, expected) = match resolved.exists() {
        true => {
            let old = TextFile::decode(workspace.load(&resolved, path)?, path)?;
            let known = workspace.check(&resolved, path, &old.encode())?;
            (old.rewrite(content), Some(known))
        }
        false => (Cow::Borrowed(content), None),
    };
    let bytes = text.as_bytes();
    if bytes.len() > MAX_FILE_BYTES {
        return Err(too_large_message(path, bytes.len() as u64).into());
    }
    workspace.replace(&resolved, path, bytes, expected)?;
    workspace.remember(&resolved, bytes);
    let verb = expected.map_or("created", |_| "wrote");
    Ok(ToolResult::text(summary(verb, path, content, bytes.len())))
}

/// ``created `a.txt` (2 lines, 9 bytes)``, for the `verb` and the `size` on disk.
fn summary(verb: &str, path: &str, content: &str, size: usize) -> String {
    let lines = match line_count(content) {
        1 => "1 line".to_string(),
        count => format!("{count} lines"),
    };
    format!("{verb} `{path}` ({lines}, {size} bytes)")
}

const DESCRIPTION: &str = "\
Create a text file, with the folders that it needs, or replace the whole content of one \
that you have read. To change a part of a file, use `edit`.";
