//! The tool `read`: a file's lines with their numbers, or an image.

use anyhow::Context;
use async_trait::async_trait;
use serde_json::{Value, json};

use super::{
    Attachment, FileError, MAX_IMAGE_BYTES, RESULT_LIMIT, Text, Workspace, attach, existing,
    load_file, media_type, settle,
};
use crate::types::{Tool, ToolDefinition, ToolResult};

/// How many characters of a line a model is shown.
pub const MAX_LINE_CHARS: usize = 2000;

/// How many bytes of numbered lines one result holds: what leaves room for the notes.
pub const PAGE_BYTES: usize = RESULT_LIMIT - 512;

/// Reads a file of a workspace.
pub struct ReadTool {
    definition: ToolDefinition,
    workspace: Workspace,
}

impl ReadTool {
    /// A tool of the name `read` for the files of `workspace`.
    pub fn new(workspace: &Workspace) -> Self {
        todo!("6.7: write ReadTool::new")
    }
}

#[async_trait]
impl Tool for ReadTool {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    /// The lines asked for. An image is attached, and the result says so; where nobody
    /// collects attachments, it says that this connection carries text only.
    async fn call(&self, args: Value) -> anyhow::Result<ToolResult> {
        todo!("6.7: write ReadTool::call")
    }

    fn is_read_only(&self) -> bool {
        true
    }

    fn is_concurrent_safe(&self) -> bool {
        true
    }
}

/// What was read.
#[derive(Debug)]
pub enum Reading {
    /// Lines of a text.
    Lines(ToolResult),
    /// A whole image.
    Image(Attachment),
}

/// Reads `limit` lines of the file `path` from line `offset` on, or an image. The
/// workspace then knows what is in the file.
pub fn read_file(
    workspace: &Workspace,
    path: &str,
    offset: usize,
    limit: usize,
) -> Result<Reading, FileError> {
    todo!("6.7: write read_file")
}

/// Up to `limit` lines of `text` from line `offset` on, counted from 1. Each is its
/// number, a tab and the line. Numbers are as wide as that of the text's last line.
///
/// Of a line of more than [`MAX_LINE_CHARS`] characters the first so many are shown, and
/// behind them `[12 more characters]`. No more lines are shown than fit in
/// [`PAGE_BYTES`]. Either cut marks the result as truncated. Notes, each on a line of
/// its own, follow the lines:
///
/// - `[lines 5 to 9 of 20; go on with offset 10]` if lines are missing, with what
///   stands behind the semicolon only if they are missing at the end;
/// - `[no line end behind the last line]` if the last line is shown and has none.
///
/// An empty text is `(the file is empty)`. An `offset` behind the last line is an error:
/// `line 21 is behind the end: the file has 20 lines`.
pub fn page(text: &str, offset: usize, limit: usize) -> Result<ToolResult, String> {
    todo!("6.6: write page")
}

/// A number that JSON may have written as `3` or as `3.0`; a schema takes both for whole.
fn whole_number(value: &Value) -> Option<usize> {
    let number = value
        .as_u64()
        .or(value.as_f64().map(|number| number as u64))?;
    Some(usize::try_from(number).unwrap_or(usize::MAX))
}

const DESCRIPTION: &str = "\
Read a text file, each line with its number and a tab in front, which are no part of the \
file. A long file comes in parts: go on with `offset`. Images (PNG, JPEG, GIF, WebP) can \
be looked at. Read a file before you change it.";
