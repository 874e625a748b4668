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
        let folder = folder(args);
        if text == "(the folder is empty)" {
            return Some(format!("Listed {folder} (empty)"));
        }
        if is_cut(text) {
            return Some(format!("Listed {folder}"));
        }
        let last = text.lines().next_back();
        let entries = match last.and_then(|line| bracketed_count(line, " more entries left out")) {
            Some(left_out) => (text.lines().count() - 1).saturating_add(left_out),
            None => text.lines().count(),
        };
        let entries = count(entries, "entry", "entries");
        Some(format!("Listed {folder} ({entries})"))
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
        let file = file(args);
        if text == "(the file is empty)" {
            return Some(format!("Read {file} (empty)"));
        }
        // Only a note about an image starts with a backtick; a line of a file never does.
        let note = text.strip_prefix('`');
        if let Some((_, about)) = note.and_then(|note| note.rsplit_once("` is an image (")) {
            let (media_type, rest) = about.split_once(", ")?;
            let bytes = rest.split_once(" bytes)")?.0.parse().ok()?;
            return Some(format!("Looked at {file} ({media_type}, {})", size(bytes)));
        }
        // Each line of the file starts with its number and a tab, so a line without a tab is a note.
        let part = text.lines().rev().take(2).find_map(|line| {
            let part = line.strip_prefix("[lines ")?;
            part.split([';', ']']).next()
        });
        if let Some(part) = part {
            return Some(format!("Read {file} (lines {part})"));
        }
        if is_cut(text) {
            return Some(format!("Read {file}"));
        }
        let lines = text.lines().filter(|line| line.contains('\t')).count();
        (lines > 0).then(|| format!("Read {file} ({})", count(lines, "line", "lines")))
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
        let bytes = text.strip_suffix(" bytes)")?.rsplit_once(' ')?.1;
        Some(format!(
            "Wrote {} ({})",
            file(args),
            size(bytes.parse().ok()?)
        ))
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
        let summary = text.strip_prefix("edited `")?.rsplit_once("`: ")?.1;
        let edits = args["edits"].as_array().map_or(1, Vec::len);
        let places = summary.split_once(" places, ").map(|(number, _)| number);
        let places = places.and_then(|number| number.parse().ok());
        let amount = match (edits, places) {
            (0 | 1, None) => String::new(),
            (0 | 1, Some(places)) => format!(" ({})", count(places, "place", "places")),
            (edits, _) => format!(" ({edits} edits)"),
        };
        Some(format!("Edited {}{amount}", file(args)))
    }
}
