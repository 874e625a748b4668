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
        todo!("6.9: write WriteTool::call")
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
    todo!("6.9: write write_file")
}

const DESCRIPTION: &str = "\
Write a whole text file: a new one, with the folders that it needs, or in place of an old \
one, which must have been read before. For changes to a part of a file, use `edit`.";
