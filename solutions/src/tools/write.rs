//! The tool `write`: a whole file, new or in place of an old one.

use std::fs;

use anyhow::Context;
use async_trait::async_trait;
use serde_json::Value;

use super::{
    FileError, Fingerprint, MAX_FILE_BYTES, Text, Workspace, destination, load_file, replace_file,
    settle, too_large,
};
use crate::types::{Tool, ToolDefinition, ToolResult};

/// Writes files of a workspace.
pub struct WriteTool {
    definition: ToolDefinition,
    workspace: Workspace,
}

impl WriteTool {
    /// A tool of the name `write` for the files of `workspace`.
    pub fn new(workspace: &Workspace) -> Self {
        Self {
            definition: ToolDefinition::new("write", DESCRIPTION)
                .param(
                    "path",
                    "string",
                    "The file, relative to the root folder.",
                    true,
                )
                .param("content", "string", "All that the file is to hold.", true),
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
        let text = |name: &str| args[name].as_str().unwrap_or_default().to_string();
        let (path, content) = (text("path"), text("content"));
        let work = tokio::task::spawn_blocking(move || write_file(&workspace, &path, &content));
        settle(work.await.context("the writing was cut short")?)
    }
}

/// Makes `content` the file `path`, and the folders that it needs.
///
/// A file that is there must be text and as the model knows it; see
/// [`Workspace::check`]. It keeps its shape; see [`Text::rewrite`]. Afterwards the model
/// knows the new content, and can edit it without reading it. The result is
/// ``created `a.txt` (2 lines, 9 bytes)`` or, in place of an old file, ``wrote …``; the
/// bytes are those on the disk.
pub fn write_file(
    workspace: &Workspace,
    path: &str,
    content: &str,
) -> Result<ToolResult, FileError> {
    let _turn = workspace.turn();
    let place = destination(workspace.root(), path)?;
    let (bytes, before) = match place.exists() {
        true => {
            let old = load_file(&place, path)?;
            let mut text = Text::decode(&old, path)?;
            workspace.check(&place, path, &old)?;
            text.rewrite(content);
            (text.encode(), Some(Fingerprint::of(&old)))
        }
        false => (content.as_bytes().to_vec(), None),
    };
    if bytes.len() > MAX_FILE_BYTES {
        return Err(too_large(path, bytes.len() as u64).into());
    }
    if let Some(folder) = place.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot make a folder for `{path}`"))?;
    }
    replace_file(&place, path, &bytes, before)?;
    workspace.saw(&place, &bytes);
    let done = if before.is_some() { "wrote" } else { "created" };
    let lines = match content.lines().count() {
        1 => "1 line".to_string(),
        count => format!("{count} lines"),
    };
    let size = bytes.len();
    Ok(ToolResult::text(format!(
        "{done} `{path}` ({lines}, {size} bytes)"
    )))
}

const DESCRIPTION: &str = "\
Write a whole text file: a new one, with the folders that it needs, or in place of an old \
one, which must have been read before. For changes to a part of a file, use `edit`.";
