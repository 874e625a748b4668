//! The known tool name that is most similar to an unknown one.

use strsim::osa_distance;

/// The part of a name that is compared: the letters and digits after the last `.`, `:` or
/// `/`, in lower case. `functions.Multi-Edit` becomes `multiedit`.
pub fn normalize_name(name: &str) -> String {
    todo!("name-suggestions: write normalize_name")
}

/// The number of typos between two normalized names, by [`osa_distance`]: inserted, deleted
/// and replaced letters, and swapped neighbors. `None` if there are more typos than a third
/// of the letters of the longer name, because then the name is probably another word.
pub fn name_distance(a: &str, b: &str) -> Option<usize> {
    todo!("name-suggestions: write name_distance")
}

/// The known name that is most similar to `name`, if any is similar enough.
///
/// A known name that is equal after [`normalize_name`] comes first, then the tool that has
/// `name` as an alias ([`ALIASES`]), then the name with the smallest [`name_distance`].
/// Among equal distances, the alphabetically first name wins. The order of `known` does not
/// matter.
pub fn similar_name<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    todo!("name-suggestions: write similar_name")
}

/// The known tool that has a normalized name as an alias.
fn tool_with_alias<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let is_alias = |aliases: &[&str]| aliases.iter().any(|alias| normalize_name(alias) == name);
    let (tool, _) = ALIASES.iter().find(|(_, aliases)| is_alias(aliases))?;
    known.iter().copied().find(|one| one == tool)
}

/// Names that other agents use for the standard tools.
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
