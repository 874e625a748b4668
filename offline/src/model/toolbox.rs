//! What the model can do, and which of the tools it was offered do it.

use serde_json::{Map, Value};

use crate::request::Tool;

/// One thing to be done with one tool.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Action {
    List {
        path: String,
    },
    Read {
        path: String,
    },
    Search {
        pattern: String,
        path: String,
    },
    Create {
        path: String,
        text: String,
    },
    Replace {
        path: String,
        from: String,
        to: String,
    },
    Run {
        command: String,
    },
}

/// A tool that would do, and what to call it with: each argument's names, as tools differ
/// in them, and its value.
struct Way {
    tool: &'static str,
    arguments: Vec<(&'static [&'static str], String)>,
}

const PATH: &[&str] = &["path", "file_path", "file", "directory", "dir"];
const PATTERN: &[&str] = &["pattern", "query", "regex"];
const COMMAND: &[&str] = &["command", "cmd"];
const CONTENT: &[&str] = &["content", "contents", "text"];
const OLD: &[&str] = &["old_string", "old", "old_text", "from"];
const NEW: &[&str] = &["new_string", "new", "new_text", "to"];

impl Action {
    /// What the model says before it calls the tool.
    pub(crate) fn announcement(&self) -> String {
        match self {
            Self::List { path } => format!("I will list `{path}`."),
            Self::Read { path } => format!("I will read `{path}`."),
            Self::Search { pattern, path } => {
                format!("I will search for `{pattern}` in `{path}`.")
            }
            Self::Create { path, .. } => format!("I will write `{path}`."),
            Self::Replace { path, .. } => format!("I will edit `{path}`."),
            Self::Run { command } => format!("I will run `{command}`."),
        }
    }

    /// The tools that would do, best first.
    fn ways(&self) -> Vec<Way> {
        match self {
            Self::List { path } => vec![
                way("list", [(PATH, path)]),
                way("glob", [(PATTERN, &pattern_below(path))]),
                way("bash", [(COMMAND, &format!("ls {}", shell_word(path)))]),
            ],
            Self::Read { path } => vec![
                way("read", [(PATH, path)]),
                way("bash", [(COMMAND, &format!("cat {}", shell_word(path)))]),
            ],
            Self::Search { pattern, path } => {
                let (what, place) = (shell_word(pattern), shell_word(path));
                vec![
                    way("grep", [(PATTERN, pattern), (PATH, path)]),
                    way(
                        "bash",
                        [(COMMAND, &format!("grep -rnIE -e {what} {place}"))],
                    ),
                ]
            }
            Self::Create { path, text } => vec![way("write", [(PATH, path), (CONTENT, text)])],
            Self::Replace { path, from, to } => {
                vec![way("edit", [(PATH, path), (OLD, from), (NEW, to)])]
            }
            Self::Run { command } => vec![way("bash", [(COMMAND, command)])],
        }
    }
}

fn way<const N: usize>(
    tool: &'static str,
    arguments: [(&'static [&'static str], &String); N],
) -> Way {
    let arguments = arguments.into_iter();
    Way {
        tool,
        arguments: arguments.map(|(names, it)| (names, it.clone())).collect(),
    }
}

fn pattern_below(path: &str) -> String {
    match path {
        "." => "*".into(),
        path => format!("{}/*", path.trim_end_matches('/')),
    }
}

/// A word as a shell must be given it.
fn shell_word(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_./-+,:@%".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.into()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// The tools that a request offers.
pub(crate) struct Toolbox<'a> {
    tools: &'a [Tool],
}

impl<'a> Toolbox<'a> {
    pub(crate) fn new(tools: &'a [Tool]) -> Self {
        Self { tools }
    }

    /// The tool's name and the arguments for an action, or what is missing, in words.
    pub(crate) fn call(&self, action: &Action) -> Result<(String, Value), String> {
        let ways = action.ways();
        for way in &ways {
            let mut tools = self.tools.iter();
            if let Some(tool) = tools.find(|tool| tool.name.eq_ignore_ascii_case(way.tool)) {
                return Ok((tool.name.clone(), arguments(way, &tool.parameters)));
            }
        }
        let lacking: Vec<String> = ways.iter().map(|way| format!("`{}`", way.tool)).collect();
        let offered: Vec<String> = self
            .tools
            .iter()
            .map(|it| format!("`{}`", it.name))
            .collect();
        Err(format!(
            "I lack the tool for that: {}. {}",
            lacking.join(" or "),
            match offered.as_slice() {
                [] => "No tools are offered to me.".into(),
                names => format!("What I am offered is {}.", names.join(", ")),
            }
        ))
    }
}

/// Each argument under the first of its names that the tool's schema knows.
fn arguments(way: &Way, schema: &Value) -> Value {
    let known = |name: &&&str| schema["properties"].get(**name).is_some();
    let named = way.arguments.iter().map(|(names, value)| {
        let name = names.iter().find(known).unwrap_or(&names[0]);
        (name.to_string(), Value::from(value.as_str()))
    });
    Value::Object(named.collect::<Map<_, _>>())
}
