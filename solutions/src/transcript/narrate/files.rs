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
        let folder = folder(args);
        if text == "(the folder is empty)" {
            return Some(format!("Listed {folder} (empty)"));
        }
        if text
            .lines()
            .any(|line| noted(line, " bytes left out").is_some())
        {
            return Some(format!("Listed {folder}"));
        }
        let last = text.lines().next_back();
        let entries = match last.and_then(|line| noted(line, " more entries left out")) {
            Some(left_out) => text.lines().count() - 1 + left_out,
            None => text.lines().count(),
        };
        let entries = count(entries, "entry", "entries");
        Some(format!("Listed {folder} ({entries})"))
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
        let file = file(args);
        if text == "(the file is empty)" {
            return Some(format!("Read {file} (empty)"));
        }
        if let Some((_, about)) = text.split_once("` is an image (") {
            let (media_type, rest) = about.split_once(", ")?;
            let bytes = rest.split_once(" bytes)")?.0.parse().ok()?;
            return Some(format!("Looked at {file} ({media_type}, {})", size(bytes)));
        }
        // Every line of the file has its number in front, so a note is easily told apart.
        let part = text.lines().rev().take(2).find_map(|line| {
            let part = line.strip_prefix("[lines ")?;
            part.split([';', ']']).next()
        });
        let lines = match part {
            Some(part) => format!("lines {part}"),
            None => {
                let lines = text.lines().filter(|line| !line.starts_with('['));
                count(lines.count(), "line", "lines")
            }
        };
        Some(format!("Read {file} ({lines})"))
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
        let bytes = text.strip_suffix(" bytes)")?.rsplit_once(' ')?.1;
        Some(format!(
            "Wrote {} ({})",
            file(args),
            size(bytes.parse().ok()?)
        ))
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
        let said = text.strip_prefix("edited `")?.split_once("`: ")?.1;
        let edits = args["edits"].as_array().map_or(1, Vec::len);
        let places = said.split_once(" places, ").map(|(number, _)| number);
        let places = places.and_then(|number| number.parse().ok());
        let much = match (edits, places) {
            (0 | 1, None) => String::new(),
            (0 | 1, Some(places)) => format!(" ({})", count(places, "place", "places")),
            (edits, _) => format!(" ({edits} edits)"),
        };
        Some(format!("Edited {}{much}", file(args)))
    }
}
