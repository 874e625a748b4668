//! Which tool was meant by a name that no tool has.

use crate::tools::search::distance;

/// What is compared of a name: its letters and digits, in lower case, behind the last
/// `.`, `:` or `/`. So `functions.Multi-Edit` is `multiedit`.
pub fn folded(name: &str) -> String {
    todo!("9.7: write folded")
}

/// How many slips of the keyboard make one folded name into the other: a letter too many
/// or too few, a wrong one, two that changed places. `None` if they are more than a third
/// of the letters of the longer name; it is then most likely another word.
pub fn slips(one: &str, other: &str) -> Option<usize> {
    todo!("9.7: write slips")
}

/// The known name that was most likely meant by `name`, if any comes near.
///
/// What is equal once folded comes first, then what `name` is an alias of
/// ([`ALIASES`]), then the fewest [`slips`]. Among equals the first by name is taken,
/// in whatever order they are known.
pub fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    todo!("9.7: write nearest")
}

/// The known tool that a folded name is an alias of.
fn aliased<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let is_alias = |aliases: &[&str]| aliases.iter().any(|alias| folded(alias) == name);
    let (tool, _) = ALIASES.iter().find(|(_, aliases)| is_alias(aliases))?;
    known.iter().copied().find(|one| one == tool)
}

/// What the standard tools are called elsewhere.
pub const ALIASES: [(&str, &[&str]); 7] = [
    (
        "bash",
        &[
            "cmd",
            "command",
            "exec",
            "execute",
            "execute_command",
            "run",
            "run_command",
            "run_shell_command",
            "run_terminal_cmd",
            "sh",
            "shell",
            "terminal",
        ],
    ),
    (
        "edit",
        &[
            "apply_patch",
            "edit_file",
            "replace",
            "search_replace",
            "str_replace",
            "update",
        ],
    ),
    ("glob", &["find", "find_files", "file_search"]),
    (
        "grep",
        &[
            "grep_search",
            "rg",
            "ripgrep",
            "search",
            "search_code",
            "search_files",
        ],
    ),
    (
        "list",
        &["dir", "list_dir", "list_directory", "list_files", "ls"],
    ),
    (
        "read",
        &["cat", "open", "open_file", "read_file", "view", "view_file"],
    ),
    (
        "write",
        &["create", "create_file", "new_file", "save", "write_file"],
    ),
];
