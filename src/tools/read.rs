//! The tool `read`, which shows a file's lines with their numbers, or an image.

use anyhow::Context;
use async_trait::async_trait;
use serde_json::{Value, json};

use super::{
    Attachment, FileError, MAX_IMAGE_BYTES, RESULT_LIMIT, TextFile, Workspace, attach, call_result,
    existing_path, line_count, media_type,
};
use crate::types::{Tool, ToolDefinition, ToolResult};

/// The number of characters of a line that a model is shown.
pub const MAX_LINE_CHARS: usize = 2000;

/// The size of a page of numbered lines, in bytes. It leaves room for the notes.
pub const PAGE_BYTES: usize = RESULT_LIMIT - 512;

/// Reads a file of a workspace.
pub struct ReadTool {
    definition: ToolDefinition,
    workspace: Workspace,
}

impl ReadTool {
    /// The tool `read` for the files of `workspace`. It takes the string `path` and the
    /// optional integers `offset` and `limit`, both at least 1.
    pub fn new(workspace: &Workspace) -> Self {
        todo!("read-tool: write ReadTool::new")
    }
}

#[async_trait]
impl Tool for ReadTool {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    /// Returns the requested lines. An image is attached, and the result says so; without
    /// a collector for attachments, it says that this connection carries text only.
    async fn call(&self, args: Value) -> anyhow::Result<ToolResult> {
        todo!("read-tool: write ReadTool::call")
    }

    fn is_read_only(&self) -> bool {
        true
    }

    fn is_concurrent_safe(&self) -> bool {
        true
    }
}

/// The content that [`read_file`] returns.
#[derive(Debug)]
pub enum ReadOutput {
    /// A page of numbered lines.
    Lines(ToolResult),
    /// A complete image.
    Image(Attachment),
}

/// Reads up to `limit` lines of the file `path`, starting at line `offset`, or an image.
/// The workspace remembers the content of a text file.
pub fn read_file(
    workspace: &Workspace,
    path: &str,
    offset: usize,
    limit: usize,
) -> Result<ReadOutput, FileError> {
    todo!("read-tool: write read_file")
}

/// The image `data` of the file `path`. More than [`MAX_IMAGE_BYTES`] are refused.
fn image_output(path: &str, media_type: &str, data: Vec<u8>) -> Result<ReadOutput, FileError> {
    let size = data.len();
    if size > MAX_IMAGE_BYTES {
        return Err(format!("`{path}` is an image of {size} bytes, and the limit is {MAX_IMAGE_BYTES}; create a smaller copy and read that").into());
    }
    Ok(ReadOutput::Image(Attachment {
        media_type: media_type.to_string(),
        data,
    }))
}

/// Attaches `image`, the file `path`, to the call that this task runs. The result says
/// whether there was a collector for it.
fn attach_image(path: &str, image: Attachment) -> ToolResult {
    let size = image.data.len();
    let about = format!("`{path}` is an image ({}, {size} bytes)", image.media_type);
    ToolResult::text(match attach(image) {
        true => format!("{about}; it is attached"),
        false => format!("{about}; this connection carries text only"),
    })
}

/// Up to `limit` lines of `text`, starting at line `offset`, counted from 1. Each row is
/// the line's number, a tab and the line. Numbers are padded to the width of the text's
/// last line number.
///
/// A line of more than [`MAX_LINE_CHARS`] characters is cut there, and
/// `[12 more characters]` follows directly. The page ends before the first row that would, with
/// a line end, exceed [`PAGE_BYTES`]. Either cut marks the result as truncated. These notes follow the
/// rows, each on a line of its own; the page itself does not end in a line end:
///
/// - `[lines 5 to 9 of 20; continue with offset 10]` if lines are missing; the part from
///   the semicolon on only if lines are missing at the end;
/// - `[no line end after the last line]` if the last line is shown and has none.
///
/// An empty text gives `(the file is empty)`, for any `offset`. Otherwise, an `offset` past the
/// last line is an error:
/// `line 21 is past the end: the file has 20 lines`. It says `lines` for one line, too. An `offset`
/// of 0 means 1.
pub fn line_page(text: &str, offset: usize, limit: usize) -> Result<ToolResult, String> {
    todo!("page-of-numbered-lines: write line_page")
}

/// A whole number that JSON writes as `3` or as `3.0`. A schema accepts both as integers.
fn whole_number(value: &Value) -> Option<usize> {
    let number = value
        .as_u64()
        .or(value.as_f64().map(|number| number as u64))?;
    Some(usize::try_from(number).unwrap_or(usize::MAX))
}

const PATH: &str = "The file, relative to the root folder.";

const OFFSET: &str = "The number of the first line. The default is 1.";

const LIMIT: &str = "The number of lines. The default is as many as fit.";

const DESCRIPTION: &str = "\
Read a text file. Each line is shown after its number and a tab, which are not part of the \
file. A long file is shown in pages: continue with `offset`. Images (PNG, JPEG, GIF, WebP) \
are supported. Read a file before you change it.";
