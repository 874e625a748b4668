//! The narrators of `list`, `read`, `write`, `edit` and `multi_edit`.

use serde_json::Value;

use super::{Narrator, argument, count, short_path, size};

/// Describes calls of `list`.
pub struct ListNarrator;

impl Narrator for ListNarrator {
    fn action(&self, args: &Value) -> String {
        format!("list {}", folder(args))
    }

    /// `Listed src (12 entries)`, which includes the entries that the tool left out, or
    /// `Listed src (empty)`. If the text was cut in the middle, its lines can't be counted,
    /// and the outcome is `Listed src`.
    fn outcome(&self, args: &Value, text: &str) -> Option<String> {
        todo!("file-narrators: write ListNarrator::outcome")
    }
}

/// The folder in a call's arguments, or `the root folder`.
fn folder(args: &Value) -> String {
    match argument(args, "path") {
        None | Some("." | "./") => "the root folder".to_string(),
        Some(path) => short_path(path),
    }
}

/// The number in a line that consists of `[`, a number, `label` and `]`. `None` for any other
/// line.
fn bracketed_count(line: &str, label: &str) -> Option<usize> {
    let inner = line.strip_prefix('[')?.strip_suffix(']')?;
    inner.strip_suffix(label)?.parse().ok()
}

/// Whether a result was cut in the middle. Its lines can't be counted then.
fn is_cut(text: &str) -> bool {
    let mut lines = text.lines();
    lines.any(|line| bracketed_count(line, " bytes left out").is_some())
}

/// Describes calls of `read`.
pub struct ReadNarrator;

impl Narrator for ReadNarrator {
    fn action(&self, args: &Value) -> String {
        format!("read {}", file(args))
    }

    /// `Read a.txt (12 lines)` for a whole file, `Read a.txt (lines 5 to 9 of 20)` for a
    /// part, `Read a.txt (empty)`, and for an image `Looked at a.png (image/png, 4 KB)`. If a
    /// text without a range was cut in the middle, the outcome is `Read a.txt`.
    fn outcome(&self, args: &Value, text: &str) -> Option<String> {
        todo!("file-narrators: write ReadNarrator::outcome")
    }
}

/// The file in a call's arguments, or `a file`.
fn file(args: &Value) -> String {
    argument(args, "path").map_or_else(|| "a file".to_string(), short_path)
}

/// Describes calls of `write`.
pub struct WriteNarrator;

impl Narrator for WriteNarrator {
    fn action(&self, args: &Value) -> String {
        format!("write {}", file(args))
    }

    /// `Wrote index.html (4 KB)`, for a new file and for a replaced one.
    fn outcome(&self, args: &Value, text: &str) -> Option<String> {
        todo!("change-narrators: write WriteNarrator::outcome")
    }
}

/// Describes calls of `edit` and `multi_edit`.
pub struct EditNarrator;

impl Narrator for EditNarrator {
    fn action(&self, args: &Value) -> String {
        format!("edit {}", file(args))
    }

    /// `Edited a.txt`, for several edits `Edited a.txt (3 edits)`, and for one edit that
    /// changed several places `Edited a.txt (3 places)`. `None` for a text that does not begin
    /// with ``edited ` ``.
    fn outcome(&self, args: &Value, text: &str) -> Option<String> {
        todo!("change-narrators: write EditNarrator::outcome")
    }
}
