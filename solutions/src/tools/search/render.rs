//! What was found, as text.

use std::path::Path;

use serde_json::Value;

use super::{Kept, Line, Mode};
use crate::tools::RESULT_LIMIT;
use crate::types::ToolResult;

/// One line for the terminal: `[grep: main in src]`. Chapter 1's own would show the folder
/// and not the pattern.
pub fn summary(tool: &str, args: &Value) -> String {
    let pattern = args["pattern"].as_str().unwrap_or_default();
    match args["path"].as_str() {
        None | Some("" | ".") => format!("[{tool}: {pattern}]"),
        Some(path) => format!("[{tool}: {pattern} in {path}]"),
    }
}

/// How many bytes at the end of an answer are free for what is said about it.
pub const REMARK: usize = 1024;

/// The answer: the rows of what is kept, no more than its limit in matches (or, where no
/// lines are shown, files), and no more than fits into [`RESULT_LIMIT`] with [`REMARK`]
/// bytes to spare. Where rows are left out, the last one shown is a match, and the
/// answer is marked as truncated. Behind the rows stand the [`remarks`]. `nothing` is
/// said where there is no row.
pub fn page(kept: &Kept, mode: Mode, nothing: &str) -> ToolResult {
    let mut text = String::new();
    let (mut shown, mut end) = (0, 0);
    for row in rows(kept, mode) {
        let is_too_long = text.len() + row.text.len() + 1 > RESULT_LIMIT - REMARK;
        if is_too_long || row.is_match && shown == kept.limit {
            text.truncate(end);
            break;
        }
        text += &row.text;
        text.push('\n');
        if row.is_match {
            shown += 1;
            end = text.len();
        }
    }
    if shown == 0 {
        text = format!("{nothing}\n");
    }
    text += &remarks(kept, mode, shown);
    let all = match mode {
        Mode::Content => kept.tally.matches,
        Mode::Files | Mode::Count => kept.tally.files,
    };
    ToolResult {
        is_truncated: shown < all,
        ..ToolResult::text(text.trim_end_matches('\n'))
    }
}

/// What is kept, row by row. With lines: a file's path, its lines below it, and an empty
/// row before the next file; each line that matches is a match. Without: a row a file,
/// the path alone or `path:3`, and each row counts as a match.
pub fn rows(kept: &Kept, mode: Mode) -> Vec<Line> {
    let mut rows = Vec::new();
    for (path, hits) in &kept.files {
        if mode == Mode::Content && !rows.is_empty() {
            rows.push(Line::default());
        }
        let name = shown_path(path);
        rows.push(Line {
            text: match mode {
                Mode::Content | Mode::Files => name,
                Mode::Count => format!("{name}:{}", hits.matches),
            },
            is_match: mode != Mode::Content,
        });
        rows.extend(hits.lines.iter().cloned());
    }
    rows
}

/// What one has to know of an answer with so many rows that match, a line each, in
/// brackets: what was left out, and what could not be read. Often there is nothing.
pub fn remarks(kept: &Kept, mode: Mode, shown: usize) -> String {
    let tally = &kept.tally;
    let mut text = String::new();
    if mode == Mode::Content && shown < tally.matches {
        text += &format!(
            "\n[{shown} of {} matches are shown; {} files have some. Narrow the search, or ask for output_mode files or count]\n",
            tally.matches, tally.files
        );
    } else if mode != Mode::Content && shown < tally.files {
        text += &format!(
            "[{shown} of {} files are shown. Narrow the search]\n",
            tally.files
        );
    }
    if let Some(reason) = &tally.reason {
        text += &format!("[{} could not be read, such as {reason}]\n", tally.unread);
    }
    text
}

/// A path on one line: control characters are written as escapes.
pub fn shown_path(path: &Path) -> String {
    let mut text = String::new();
    for letter in path.to_string_lossy().chars() {
        match letter.is_control() {
            true => text.extend(letter.escape_default()),
            false => text.push(letter),
        }
    }
    text
}
