//! The text of a search result.

use std::path::Path;

use serde_json::Value;

use super::{OutputLine, OutputMode, TopK};
use crate::tools::RESULT_LIMIT;
use crate::types::ToolResult;

/// One line for the terminal: `[grep: main in src]`. The default of chapter 1 would show the
/// folder instead of the pattern.
pub fn call_summary(tool: &str, args: &Value) -> String {
    let pattern = args["pattern"].as_str().unwrap_or_default();
    match args["path"].as_str() {
        None | Some("" | ".") => format!("[{tool}: {pattern}]"),
        Some(path) => format!("[{tool}: {pattern} in {path}]"),
    }
}

/// How many bytes of a result are reserved for its [`footer`].
pub const FOOTER_SIZE: usize = 1024;

/// Renders a search result: the [`output_lines`], then the [`footer`], without a line ending
/// at the end. If nothing matches, `nothing_found` replaces the lines.
///
/// It shows at most `found.limit` matches (in the modes without lines: files), and at most
/// [`RESULT_LIMIT`] bytes, with [`FOOTER_SIZE`] reserved for the footer. At the first match
/// or line that has no room, it goes back to the last line that counts as a match. A result
/// that leaves out matches (or files) is marked as truncated.
pub fn render_result(found: &TopK, mode: OutputMode, nothing_found: &str) -> ToolResult {
    todo!("search-result: write render_result")
}

/// All lines of the kept files. With [`OutputMode::Content`]: a file's path, its lines, and
/// an empty line before the next file. In the other modes: one line per file, the path
/// alone or `path:3`, which counts as a match.
pub fn output_lines(found: &TopK, mode: OutputMode) -> Vec<OutputLine> {
    let mut lines = Vec::new();
    for (path, file) in &found.files {
        if mode == OutputMode::Content && !lines.is_empty() {
            lines.push(OutputLine::default());
        }
        let path = display_path(path);
        lines.push(OutputLine {
            text: match mode {
                OutputMode::Content | OutputMode::Files => path,
                OutputMode::Count => format!("{path}:{}", file.count),
            },
            is_match: mode != OutputMode::Content,
        });
        lines.extend(file.lines.iter().cloned());
    }
    lines
}

/// Notes at the end of a result that shows so many matches or files, each on a line in
/// brackets: how many matches are left out, whether all lines have room, and what could not be
/// read. Often empty.
pub fn footer(found: &TopK, mode: OutputMode, shown: usize) -> String {
    let totals = &found.totals;
    let mut text = String::new();
    let mut matches = 0;
    let lines = output_lines(found, mode).into_iter().take_while(|line| {
        matches += usize::from(line.is_match);
        matches <= found.limit
    });
    let bytes: usize = lines.map(|line| line.text.len() + 1).sum();
    let mut lines = found.files.values().flat_map(|file| &file.lines);
    // Only a context line has a `-` after its number. The other lines of a match have a `:`.
    let has_context = lines.any(|line| {
        let digit = |letter: char| letter.is_ascii_digit();
        line.text.trim_start_matches(digit).starts_with('-')
    });
    let lacks_room = has_context && bytes > RESULT_LIMIT - FOOTER_SIZE;
    if mode == OutputMode::Content && (shown < totals.matches || lacks_room) {
        let advice = match lacks_room {
            true => "Not all lines have room: ask for fewer context lines, narrow the search",
            false => "Narrow the search",
        };
        text += &format!(
            "\n[{shown} of {} matches are shown; {} files have matches. {advice}, or set `output_mode` to `files` or `count`]\n",
            totals.matches, totals.files
        );
    } else if mode != OutputMode::Content && shown < totals.files {
        text += &format!(
            "[{shown} of {} files are shown. Narrow the search]\n",
            totals.files
        );
    }
    if let Some(reason) = &totals.reason {
        text += &format!(
            "[{} files or folders could not be read, such as {reason}]\n",
            totals.unread
        );
    }
    text
}

/// A path on one line: control characters are escaped.
pub fn display_path(path: &Path) -> String {
    let mut text = String::new();
    for letter in path.to_string_lossy().chars() {
        match letter.is_control() {
            true => text.extend(letter.escape_default()),
            false => text.push(letter),
        }
    }
    text
}
