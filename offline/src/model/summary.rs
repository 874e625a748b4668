//! What came of a tool call, in a sentence or two.

use serde_json::Value;

use super::is_error;
use super::picture::set_aside;
use crate::script::Call;

/// How much of a line is quoted, and how many names are.
const LINE: usize = 160;
const NAMES: usize = 5;

/// What tools say in place of a result that is empty, or behind one.
const NOTHING: [&str; 4] = [
    "(no output)",
    "(the folder is empty)",
    "(the file is empty)",
    "[what it had left running was stopped]",
];
const NO_MATCH: &str = "nothing matches; ";
const EXIT: &str = "[exit code ";

/// A call's result in short. The tools that the rules use have words of their own.
pub(crate) fn summary(call: &Call, output: &str) -> String {
    if is_error(output) {
        let error = output.trim_start_matches("error: ");
        return format!("The `{}` tool failed: {}", call.name, quoted(error));
    }
    let lines: Vec<&str> = output
        .lines()
        .filter(|line| !line.trim().is_empty() && !NOTHING.contains(line))
        .collect();
    let argument = main_argument(call);
    match (call.name.to_lowercase().as_str(), lines.as_slice()) {
        ("list" | "glob", []) => format!("There is nothing in `{argument}`."),
        ("list" | "glob", names) => format!("`{argument}` holds {}.", enumerated(names)),
        ("read", _) if set_aside(output).1 > 0 => {
            format!("`{argument}` is a picture, and I cannot see pictures.")
        }
        ("read", []) => format!("`{argument}` is empty."),
        ("read", [first, ..]) => {
            let count = counted(lines.len(), "line");
            format!(
                "`{argument}` has {count}, blank ones aside. It begins: {}",
                quoted(first)
            )
        }
        ("grep", []) => format!("Nothing matches `{argument}`."),
        ("grep", [first]) if first.starts_with(NO_MATCH) => {
            format!("Nothing matches `{argument}`.")
        }
        ("grep", [first, ..]) => {
            let count = counted(lines.len(), "line");
            format!(
                "Searching for `{argument}` gave {count}. The first: {}",
                quoted(first)
            )
        }
        ("write" | "edit", [first, ..]) => format!("`{argument}` is done: {}", quoted(first)),
        ("write" | "edit", []) => format!("`{argument}` is done."),
        ("bash", lines) => ran(&argument, lines),
        (_, []) => format!("The `{}` tool answered nothing.", call.name),
        (_, [first, ..]) => format!("The `{}` tool answered: {}", call.name, quoted(first)),
    }
}

/// What came of a command: what it printed, and how it ended unless all went well.
fn ran(command: &str, lines: &[&str]) -> String {
    let code = lines.last().and_then(|last| last.strip_prefix(EXIT));
    let (lines, ending) = match code.and_then(|it| it.strip_suffix(']')) {
        Some(code) => (
            &lines[..lines.len() - 1],
            format!(" It ended with exit code {code}."),
        ),
        None => (lines, String::new()),
    };
    let printed = match lines {
        [] => "nothing.".to_string(),
        [.., last] => {
            let count = counted(lines.len(), "line");
            format!("{count}. The last: {}", quoted(last))
        }
    };
    format!("`{command}` ran and printed {printed}{ending}")
}

/// The argument that says most about a call: a command, a pattern or a path.
fn main_argument(call: &Call) -> String {
    let arguments: Value = serde_json::from_str(&call.arguments).unwrap_or_default();
    let names = [
        "command",
        "cmd",
        "pattern",
        "query",
        "regex",
        "path",
        "file_path",
        "file",
    ];
    let argument = names.iter().find_map(|name| arguments.get(name)?.as_str());
    shortened(argument.unwrap_or("it"))
}

pub(super) fn counted(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        count => format!("{count} {what}s"),
    }
}

fn enumerated(names: &[&str]) -> String {
    let shown: Vec<String> = names
        .iter()
        .take(NAMES)
        .map(|name| shortened(name))
        .collect();
    let more = names.len() - shown.len();
    let count = match names.len() {
        1 => "1 entry".into(),
        count => format!("{count} entries"),
    };
    match more {
        0 => format!("{count}: {}", shown.join(", ")),
        more => format!("{count}: {} and {more} more", shown.join(", ")),
    }
}

/// The start of a text as a sentence of its own.
pub(super) fn quoted(text: &str) -> String {
    let line = shortened(text);
    match line.chars().next_back() {
        Some('.' | '!' | '?' | '…') => line,
        _ => format!("{line}."),
    }
}

/// The first line of a text, cut between characters where it is too long.
fn shortened(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    match line.char_indices().nth(LINE) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.into(),
    }
}
