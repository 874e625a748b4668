//! The sentences of `list`, `read`, `write`, `edit` and `multi_edit`.

use serde_json::Value;

use super::{Narrator, argument, count, short_path, size};

/// The narrator of `list`.
pub struct ListNarrator;

impl Narrator for ListNarrator {
    fn aim(&self, args: &Value) -> String {
        format!("list {}", folder(args))
    }

    /// `Listed src (12 entries)`, with those that were left out; `Listed src (empty)`. If
    /// the text was cut in its middle, nobody can count: `Listed src`.
    fn deed(&self, args: &Value, text: &str) -> Option<String> {
        todo!("17.7: write ListNarrator::deed")
    }
}

/// The folder that a call names, or the root folder.
fn folder(args: &Value) -> String {
    match argument(args, "path") {
        None | Some("." | "./") => "the root folder".to_string(),
        Some(path) => short_path(path),
    }
}

/// The number in a line that is `[`, the number, `what` and `]`.
fn noted(line: &str, what: &str) -> Option<usize> {
    let inner = line.strip_prefix('[')?.strip_suffix(']')?;
    inner.strip_suffix(what)?.parse().ok()
}

/// The narrator of `read`.
pub struct ReadNarrator;

impl Narrator for ReadNarrator {
    fn aim(&self, args: &Value) -> String {
        format!("read {}", file(args))
    }

    /// `Read a.txt (12 lines)` of a whole file, `Read a.txt (lines 5 to 9 of 20)` of a
    /// part, `Read a.txt (empty)`, and of an image `Looked at a.png (image/png, 4 KB)`.
    fn deed(&self, args: &Value, text: &str) -> Option<String> {
        todo!("17.7: write ReadNarrator::deed")
    }
}

/// The file that a call names.
fn file(args: &Value) -> String {
    argument(args, "path").map_or_else(|| "a file".to_string(), short_path)
}

/// The narrator of `write`.
pub struct WriteNarrator;

impl Narrator for WriteNarrator {
    fn aim(&self, args: &Value) -> String {
        format!("write {}", file(args))
    }

    /// `Wrote index.html (4 KB)`, whether or not the file was there.
    fn deed(&self, args: &Value, text: &str) -> Option<String> {
        todo!("17.7: write WriteNarrator::deed")
    }
}

/// The narrator of `edit` and of `multi_edit`.
pub struct EditNarrator;

impl Narrator for EditNarrator {
    fn aim(&self, args: &Value) -> String {
        format!("edit {}", file(args))
    }

    /// `Edited a.txt`; of several edits `Edited a.txt (3 edits)`, and of one edit in several
    /// places `Edited a.txt (3 places)`.
    fn deed(&self, args: &Value, text: &str) -> Option<String> {
        todo!("17.7: write EditNarrator::deed")
    }
}
