//! Summaries: the result of a tool call in a sentence or two.

use serde_json::Value;

use super::outcome::outcome;
use super::patch;
use crate::command_output::CommandOutput;
use crate::conversation::{ToolResult, ToolStatus};
use crate::reply::ToolCall;
use crate::tool_kind::{COMMAND, PATCH, PATH, PATTERN, ToolKind, is_one_of};

/// The longest quotation of a line, in characters.
const MAX_LINE: usize = 160;
/// The most names in an enumeration.
const MAX_NAMES: usize = 5;

/// Lines that tools write for an empty result, or after a result. They are not output.
const NOTES: [&str; 4] = [
    "(no output)",
    "(the folder is empty)",
    "(the file is empty)",
    "[background processes were stopped; one in a session of its own may still run]",
];
const NO_MATCH: &str = "nothing matches; ";

/// The result of a call in short. The tools that the rules use have sentences of their own.
pub(super) fn summarize(call: &ToolCall, result: &ToolResult) -> String {
    let text = &result.content.text;
    let kind = ToolKind::of_call(call);
    match outcome(call, result) {
        ToolStatus::Failed => {
            return format!("The `{}` tool failed: {}", call.name, quote(text));
        }
        // It is unclear whether a command ran at all, so only the text is certain.
        ToolStatus::Unknown => {
            return format!("The `{}` tool answered: {}", call.name, quote(text));
        }
        ToolStatus::Succeeded if kind == Some(ToolKind::Run) => {
            return summarize_command(call, text);
        }
        ToolStatus::Succeeded => {}
    }
    let text = match kind {
        // Codex puts a header before the answer of its `apply_patch`.
        Some(ToolKind::Patch) => CommandOutput::parse(text).text,
        _ => text,
    };
    let lines = output_lines(text);
    let argument = main_argument(call);
    let Some(kind) = kind else {
        return summarize_unknown(call, &lines);
    };
    match (kind, lines.as_slice()) {
        (ToolKind::List | ToolKind::Glob, []) => format!("There is nothing in `{argument}`."),
        (ToolKind::List | ToolKind::Glob, names) => {
            format!("`{argument}` holds {}.", enumerate(names))
        }
        (ToolKind::Read, _) if result.content.images > 0 => {
            format!("`{argument}` is an image, and I cannot see images.")
        }
        (ToolKind::Read, []) => format!("`{argument}` is empty."),
        (ToolKind::Read, [first, ..]) => {
            let count = count(lines.len(), "line");
            format!(
                "`{argument}` has {count}, not counting blank lines. It begins: {}",
                quote(first)
            )
        }
        (ToolKind::Search, []) => format!("Nothing matches `{argument}`."),
        (ToolKind::Search, [first]) if first.starts_with(NO_MATCH) => {
            format!("Nothing matches `{argument}`.")
        }
        (ToolKind::Search, [first, ..]) => {
            let count = count(lines.len(), "line");
            format!(
                "The search for `{argument}` found {count}. The first: {}",
                quote(first)
            )
        }
        (ToolKind::Write | ToolKind::Edit | ToolKind::Patch, [first, ..]) => {
            format!("`{argument}` is done: {}", quote(first))
        }
        (ToolKind::Write | ToolKind::Edit | ToolKind::Patch, []) => {
            format!("`{argument}` is done.")
        }
        (_, lines) => summarize_unknown(call, lines),
    }
}

/// The result of any other tool.
fn summarize_unknown(call: &ToolCall, lines: &[&str]) -> String {
    match lines {
        [] => format!("The `{}` tool answered nothing.", call.name),
        [first, ..] => format!("The `{}` tool answered: {}", call.name, quote(first)),
    }
}

/// A command in short: what it printed, and its exit code if it was not 0.
fn summarize_command(call: &ToolCall, output: &str) -> String {
    let output = CommandOutput::parse(output);
    let lines = output_lines(output.text);
    let ending = match output.exit_code {
        Some(code) => format!(" It ended with exit code {code}."),
        None => String::new(),
    };
    let printed = match lines.as_slice() {
        [] => "nothing.".to_string(),
        [.., last] => {
            let count = count(lines.len(), "line");
            format!("{count}. The last: {}", quote(last))
        }
    };
    format!(
        "`{}` ran and printed {printed}{ending}",
        main_argument(call)
    )
}

/// The lines of a tool's output that are neither blank nor notes.
fn output_lines(output: &str) -> Vec<&str> {
    let lines = output.lines();
    lines
        .filter(|line| !line.trim().is_empty() && !is_note(line))
        .collect()
}

/// Whether a line is one of the [`NOTES`], or the one about an output without text.
fn is_note(line: &str) -> bool {
    NOTES.contains(&line) || line.starts_with("(no text in ")
}

/// The argument that says most about a call: a command, a pattern or a path.
fn main_argument(call: &ToolCall) -> String {
    if call.is_freeform {
        return first_line(patch::path(&call.arguments).unwrap_or("it"));
    }
    let arguments: Value = serde_json::from_str(&call.arguments).unwrap_or_default();
    let find = |names: &[&str]| {
        let mut arguments = arguments.as_object()?.iter();
        let (_, value) = arguments.find(|(name, _)| is_one_of(name, names))?;
        // Of a command as an array, the last word is the script.
        value
            .as_array()
            .and_then(|it| it.last())
            .unwrap_or(value)
            .as_str()
    };
    let argument = [COMMAND, PATTERN, PATH].into_iter().find_map(find);
    let argument = argument.or_else(|| patch::path(find(PATCH)?));
    first_line(argument.unwrap_or("it"))
}

/// A number with its noun: `1 line`, `2 lines`.
pub(super) fn count(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        count => format!("{count} {noun}s"),
    }
}

fn enumerate(names: &[&str]) -> String {
    let shown = names.iter().take(MAX_NAMES).map(|name| first_line(name));
    let shown: Vec<String> = shown.collect();
    let entries = match names.len() {
        1 => "1 entry".into(),
        count => format!("{count} entries"),
    };
    match names.len() - shown.len() {
        0 => format!("{entries}: {}", shown.join(", ")),
        more => format!("{entries}: {} and {more} more", shown.join(", ")),
    }
}

/// The first line of a text as a sentence.
pub(super) fn quote(text: &str) -> String {
    let line = first_line(text);
    match line.chars().next_back() {
        Some('.' | '!' | '?' | '…') => line,
        _ => format!("{line}."),
    }
}

/// The first line of a text, shortened to [`MAX_LINE`] characters.
fn first_line(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    match line.char_indices().nth(MAX_LINE) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.into(),
    }
}
