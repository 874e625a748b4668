//! Chooses a tool for an action, among the tools that a request offers.

use serde_json::{Map, Value, json};

use super::action::Action;
use crate::conversation::SHELL_TOOL;
use crate::model_request::ToolDefinition;

/// A call that does an action.
struct Candidate {
    tool: &'static str,
    /// For each argument the names that tools use for it, and its value.
    arguments: Vec<(&'static [&'static str], Value)>,
}

const PATH: &[&str] = &["path", "file_path", "file", "directory", "dir"];
const PATTERN: &[&str] = &["pattern", "query", "regex"];
const COMMAND: &[&str] = &["command", "cmd"];
const CONTENT: &[&str] = &["content", "contents", "text"];
const OLD: &[&str] = &["old_string", "old", "old_text", "from"];
const NEW: &[&str] = &["new_string", "new", "new_text", "to"];
const PLAN: &[&str] = &["plan"];
const ITEMS: &[&str] = &["items", "todos"];

/// The name of the tool for an action and the arguments to call it with, or a message that
/// names the missing tool.
pub(super) fn choose_call(
    action: &Action,
    tools: &[&ToolDefinition],
) -> Result<(String, Value), String> {
    let candidates = candidates(action);
    for candidate in &candidates {
        let mut tools = tools.iter();
        let is_candidate = |tool: &&&ToolDefinition| tool.name.eq_ignore_ascii_case(candidate.tool);
        if let Some(tool) = tools.find(is_candidate) {
            return Ok((tool.name.clone(), arguments(candidate, &tool.parameters)));
        }
    }
    let needed: Vec<String> = (candidates.iter())
        .map(|it| format!("`{}`", it.tool))
        .collect();
    let offered: Vec<String> = tools.iter().map(|it| format!("`{}`", it.name)).collect();
    Err(format!(
        "I lack the tool for that: {}. {}",
        needed.join(" or "),
        match offered.as_slice() {
            [] => "I have no tools.".into(),
            names => format!("I have {}.", names.join(", ")),
        }
    ))
}

/// The calls that do an action, best first.
fn candidates(action: &Action) -> Vec<Candidate> {
    match action {
        Action::List { path } => vec![
            candidate("list", [(PATH, path)]),
            candidate("glob", [(PATTERN, &glob_below(path))]),
            shell(&format!("ls {}", shell_word(path))),
        ],
        Action::Read { path } => vec![
            candidate("read", [(PATH, path)]),
            shell(&format!("cat {}", shell_word(path))),
        ],
        Action::Search { pattern, path } => {
            let (pattern_word, path_word) = (shell_word(pattern), shell_word(path));
            vec![
                candidate("grep", [(PATTERN, pattern), (PATH, path)]),
                shell(&format!("grep -rnIE -e {pattern_word} {path_word}")),
            ]
        }
        Action::Create { path, text } => {
            vec![candidate("write", [(PATH, path), (CONTENT, text)])]
        }
        Action::Replace { path, from, to } => {
            vec![candidate("edit", [(PATH, path), (OLD, from), (NEW, to)])]
        }
        Action::Run { command } => vec![shell(command)],
        Action::Propose { steps } => {
            let steps = (1..).zip(steps);
            let lines: Vec<String> = steps
                .map(|(number, it)| format!("{number}. {it}"))
                .collect();
            vec![candidate("exit_plan", [(PLAN, &lines.join("\n"))])]
        }
        Action::WriteTodos { items } => {
            let item = |(content, status): &(String, &str)| json!({ "content": content, "status": status });
            let items = items.iter().map(item).collect();
            vec![Candidate {
                tool: "todo",
                arguments: vec![(ITEMS, Value::Array(items))],
            }]
        }
    }
}

fn shell(command: &str) -> Candidate {
    candidate(SHELL_TOOL, [(COMMAND, command)])
}

fn candidate<const N: usize>(
    tool: &'static str,
    arguments: [(&'static [&'static str], &str); N],
) -> Candidate {
    let arguments = arguments.into_iter();
    Candidate {
        tool,
        arguments: arguments
            .map(|(names, value)| (names, Value::from(value)))
            .collect(),
    }
}

fn glob_below(path: &str) -> String {
    match path {
        "." => "*".into(),
        path => format!("{}/*", path.trim_end_matches('/')),
    }
}

/// A word, quoted for the shell if it has to be.
fn shell_word(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_./-+,:@%".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.into()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Each argument under the first of its names that the tool's schema has.
fn arguments(candidate: &Candidate, schema: &Value) -> Value {
    let is_known = |name: &&&str| schema["properties"].get(**name).is_some();
    let named = candidate.arguments.iter().map(|(names, value)| {
        let name = names.iter().find(is_known).unwrap_or(&names[0]);
        (name.to_string(), value.clone())
    });
    Value::Object(named.collect::<Map<_, _>>())
}
