//! The kinds of tools that the rules use. Agents have many names for the same kind of tool,
//! and for the same argument.

use serde_json::Value;

use crate::reply::ToolCall;

/// What a tool does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum ToolKind {
    /// Runs a shell command.
    Run,
    /// Lists a folder.
    List,
    /// Finds the paths that match a pattern.
    Glob,
    /// Reads a file.
    Read,
    /// Searches files for a pattern.
    Search,
    /// Writes a file.
    Write,
    /// Replaces a text in a file.
    Edit,
    /// Applies a patch in the format that starts with `*** Begin Patch`.
    Patch,
    /// Proposes a plan.
    ProposePlan,
    /// Writes a todo list.
    WriteTodos,
}

use ToolKind::*;

/// The names of each kind in lower case, without `_` and `-`. The first is its name in the
/// course.
const NAMES: [(ToolKind, &[&str]); 10] = [
    (
        Run,
        &[
            "bash",
            "shell",
            "execcommand",
            "runcommand",
            "executecommand",
            "shellcommand",
            "runshellcommand",
            "runterminalcmd",
            "runinterminal",
        ],
    ),
    (
        List,
        &["list", "ls", "listdir", "listdirectory", "listfiles"],
    ),
    (Glob, &["glob", "findfiles"]),
    (
        Read,
        &["read", "readfile", "view", "viewfile", "openfile", "cat"],
    ),
    (
        Search,
        &[
            "grep",
            "grepsearch",
            "grepfiles",
            "searchfiles",
            "searchfilecontent",
            "search",
        ],
    ),
    (Write, &["write", "writefile", "writetofile", "createfile"]),
    (
        Edit,
        &["edit", "editfile", "replace", "strreplace", "searchreplace"],
    ),
    (Patch, &["applypatch", "patch"]),
    (ProposePlan, &["exitplan"]),
    (WriteTodos, &["todo"]),
];

/// The names of an argument, without upper case, `_` and `-`. The first is its name in the
/// course.
pub(crate) type ArgumentNames = &'static [&'static str];

pub(crate) const PATH: ArgumentNames = &[
    "path",
    "filepath",
    "file",
    "directory",
    "dir",
    "dirpath",
    "absolutepath",
    "targetfile",
    "folder",
    "filename",
];
pub(crate) const PATTERN: ArgumentNames = &["pattern", "query", "regex"];
pub(crate) const COMMAND: ArgumentNames = &["command", "cmd"];
pub(crate) const CONTENT: ArgumentNames = &["content", "contents", "text"];
pub(crate) const OLD: ArgumentNames = &[
    "old_string",
    "oldstring",
    "oldstr",
    "old",
    "oldtext",
    "from",
];
pub(crate) const NEW: ArgumentNames =
    &["new_string", "newstring", "newstr", "new", "newtext", "to"];
pub(crate) const PATCH: ArgumentNames = &["input", "patch"];
pub(crate) const PLAN: ArgumentNames = &["plan"];
pub(crate) const ITEMS: ArgumentNames = &["items", "todos"];

/// The kinds that a tool with an unknown name may have, each with the arguments that show it.
const SIGNATURES: [(ToolKind, &[ArgumentNames]); 4] = [
    (Edit, &[PATH, OLD, NEW]),
    (Write, &[PATH, CONTENT]),
    (Search, &[PATH, PATTERN]),
    (Run, &[COMMAND]),
];

impl ToolKind {
    /// The kind of a tool, by its name or else by the names of its arguments. `None` if the
    /// rules have no use for it.
    pub(crate) fn of<'a>(
        name: &str,
        arguments: impl Iterator<Item = &'a str> + Clone,
    ) -> Option<Self> {
        // An agent may put the name of a server before the name: `mcp__files__read_file`.
        let name = name.rsplit("__").next().unwrap_or(name);
        let name = normalized(name);
        let by_name = NAMES
            .iter()
            .find(|(_, names)| names.contains(&name.as_str()));
        let has = |names: &ArgumentNames| arguments.clone().any(|it| is_one_of(it, names));
        let mut signatures = SIGNATURES.iter();
        let mut by_arguments = || signatures.find(|(_, all)| all.iter().all(has));
        let kind = by_name.map(|(kind, _)| *kind);
        kind.or_else(|| by_arguments().map(|(kind, _)| *kind))
    }

    /// The kind of the tool that a call is for.
    pub(crate) fn of_call(call: &ToolCall) -> Option<Self> {
        let arguments: Value = serde_json::from_str(&call.arguments).unwrap_or_default();
        let names = arguments.as_object().into_iter().flat_map(|it| it.keys());
        Self::of(&call.name, names.map(String::as_str))
    }

    /// The name of the tool in the course.
    pub(crate) fn course_name(self) -> &'static str {
        match self {
            ProposePlan => "exit_plan",
            Patch => "apply_patch",
            _ => (NAMES.iter().find(|(kind, _)| *kind == self)).map_or("", |(_, names)| names[0]),
        }
    }
}

/// Whether an argument has one of these names.
pub(crate) fn is_one_of(argument: &str, names: &[&str]) -> bool {
    names.contains(&normalized(argument).as_str())
}

fn normalized(name: &str) -> String {
    let letters = name.chars().filter(|it| !matches!(it, '_' | '-'));
    letters.flat_map(char::to_lowercase).collect()
}
