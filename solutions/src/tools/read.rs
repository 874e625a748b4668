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
        let whole =
            |description| json!({ "type": "integer", "minimum": 1, "description": description });
        Self {
            definition: ToolDefinition::new("read", DESCRIPTION)
                .param(
                    "path",
                    "string",
                    "The file, relative to the root folder.",
                    true,
                )
                .param_raw(
                    "offset",
                    whole("The number of the first line. Without it, 1."),
                    false,
                )
                .param_raw(
                    "limit",
                    whole("How many lines. Without it, as many as fit."),
                    false,
                ),
            workspace: workspace.clone(),
        }
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
        let workspace = self.workspace.clone();
        let path = args["path"].as_str().unwrap_or_default().to_string();
        let offset = whole_number(&args["offset"]).unwrap_or(1);
        let limit = whole_number(&args["limit"]).unwrap_or(usize::MAX);
        let reading = {
            let path = path.clone();
            tokio::task::spawn_blocking(move || read_file(&workspace, &path, offset, limit))
                .await
                .context("the reading was cut short")?
        };
        settle(reading.map(|reading| match reading {
            Reading::Lines(result) => result,
            Reading::Image(image) => {
                let size = image.data.len();
                let about = format!("`{path}` is an image ({}, {size} bytes)", image.media_type);
                ToolResult::text(match attach(image) {
                    true => format!("{about}; it is attached"),
                    false => format!("{about}; this connection carries text only"),
                })
            }
        }))
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
    let place = existing(workspace.root(), path)?;
    let bytes = load_file(&place, path)?;
    if let Some(media_type) = media_type(&bytes) {
        if bytes.len() > MAX_IMAGE_BYTES {
            let size = bytes.len();
            return Err(format!("`{path}` is an image of {size} bytes, more than the {MAX_IMAGE_BYTES} that can be attached; make a smaller copy and read that").into());
        }
        return Ok(Reading::Image(Attachment {
            media_type: media_type.to_string(),
            data: bytes,
        }));
    }
    let text = Text::decode(&bytes, path)?;
    let page = page(text.plain(), offset, limit)?;
    workspace.saw(&place, &bytes);
    Ok(Reading::Lines(page))
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
    if text.is_empty() {
        return Ok(ToolResult::text("(the file is empty)"));
    }
    let lines: Vec<&str> = text.split_terminator('\n').collect();
    let total = lines.len();
    let first = offset.max(1);
    if first > total {
        return Err(format!(
            "line {first} is behind the end: the file has {total} lines"
        ));
    }
    let width = total.to_string().len();
    let mut content = String::new();
    let mut last = first - 1;
    let mut is_truncated = false;
    for line in lines[first - 1..].iter().take(limit.max(1)) {
        let (shown, left_out) = match line.char_indices().nth(MAX_LINE_CHARS) {
            Some((end, _)) => (&line[..end], line[end..].chars().count()),
            None => (*line, 0),
        };
        let mut row = format!("{:>width$}\t{shown}", last + 1);
        if left_out > 0 {
            row.push_str(&format!("[{left_out} more characters]"));
        }
        if content.len() + row.len() + 1 > PAGE_BYTES {
            is_truncated = true;
            break;
        }
        is_truncated |= left_out > 0;
        content.push_str(&row);
        content.push('\n');
        last += 1;
    }
    if last < total {
        content.push_str(&format!(
            "[lines {first} to {last} of {total}; go on with offset {}]\n",
            last + 1
        ));
    } else if first > 1 {
        content.push_str(&format!("[lines {first} to {last} of {total}]\n"));
    }
    if last == total && !text.ends_with('\n') {
        content.push_str("[no line end behind the last line]\n");
    }
    content.pop();
    Ok(ToolResult {
        is_truncated,
        ..ToolResult::text(content)
    })
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
