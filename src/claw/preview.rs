//! What a call would do, as the user sees it before agreeing.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;
use similar::TextDiff;

use crate::claw::safe_text::visible;
use crate::types::ToolCall;

/// A longer preview shows this many lines of its start and of its end.
const FIRST_LINES: usize = 30;
const LAST_LINES: usize = 10;

/// How long the diff of one edit may take. After that, the rest is shown as removed and added.
const DIFF_TIME: Duration = Duration::from_millis(500);

/// The lines of a preview: the command of a call, or the diff of the file that it changes. In a
/// diff, a line begins with `+`, `-` or a space. Empty for a call that its summary describes
/// completely.
pub fn preview(call: &ToolCall, folder: &Path) -> Vec<String> {
    let text = |key: &str| call.arguments.get(key).and_then(Value::as_str);
    let lines = if let Some(command) = text("command") {
        command.lines().map(String::from).collect()
    } else if let (Some(path), Some(content)) = (text("path"), text("content")) {
        diff(&text_before(&folder.join(path)), content)
    } else {
        replacements(&call.arguments)
            .flat_map(|(old, new)| diff(old, new))
            .collect()
    };
    cut(lines).iter().map(|line| visible(line)).collect()
}

/// The lines of the diff of a call that changes a file; empty for any other call.
pub fn edit_diff(call: &ToolCall, folder: &Path) -> Vec<String> {
    match call.arguments.get("command") {
        Some(_) => Vec::new(),
        None => preview(call, folder),
    }
}

/// The text of the file that a call replaces. Empty if it can't be read, so that the file is
/// shown as new; the tool says what is wrong with it.
fn text_before(path: &Path) -> String {
    // Checked before the file is opened: a named pipe would wait for a writer, and `/dev/zero`
    // has no end.
    match fs::metadata(path).is_ok_and(|it| it.is_file()) {
        true => fs::read_to_string(path).unwrap_or_default(),
        false => String::new(),
    }
}

/// The old and new texts of an edit, or of several.
fn replacements(arguments: &Value) -> impl Iterator<Item = (&str, &str)> {
    let several = arguments.get("edits").and_then(Value::as_array);
    let edits = several.map_or(std::slice::from_ref(arguments), Vec::as_slice);
    edits.iter().filter_map(|edit| {
        let text = |key| edit.get(key).and_then(Value::as_str);
        Some((text("old_string")?, text("new_string")?))
    })
}

/// The changed lines with three unchanged lines around them.
fn diff(before: &str, after: &str) -> Vec<String> {
    let diff = TextDiff::configure()
        .timeout(DIFF_TIME)
        .diff_lines(before, after);
    let mut lines = Vec::new();
    for hunk in diff.unified_diff().iter_hunks() {
        for change in hunk.iter_changes() {
            let line = change.value().trim_end_matches(['\n', '\r']);
            lines.push(format!("{}{line}", change.tag()));
        }
    }
    lines
}

/// The first and the last lines, and between them how many others there are. The last ones are
/// shown, too, since a command may hide what it does at its end.
fn cut(mut lines: Vec<String>) -> Vec<String> {
    let others = lines.len().saturating_sub(FIRST_LINES + LAST_LINES);
    if others > 0 {
        let note = format!(" … {others} more lines");
        lines.splice(FIRST_LINES..FIRST_LINES + others, [note]);
    }
    lines
}
