//! The scope of a search: which files to search.

use serde_json::Value;

/// Which files to search.
#[derive(Debug, Clone, PartialEq)]
pub struct Scope {
    /// A folder, which is searched with everything below it, or a single file. Relative to
    /// the root folder.
    pub path: String,
    /// A glob that files must match, relative to `path`.
    pub glob: Option<String>,
    /// A type that files must have, such as `rust`.
    pub file_type: Option<String>,
    /// Whether to include names that begin with a `.`.
    pub hidden: bool,
    /// Whether to include files that `.gitignore` and similar files exclude.
    pub ignored: bool,
}

impl Scope {
    /// The scope in a call's arguments. A missing argument has its default value.
    pub fn from_args(args: &Value) -> Self {
        let text = |name: &str| args[name].as_str().map(str::to_string);
        Self {
            path: text("path").unwrap_or_else(|| ".".to_string()),
            glob: text("glob"),
            file_type: text("type"),
            hidden: args["hidden"].as_bool().unwrap_or(false),
            ignored: args["ignored"].as_bool().unwrap_or(false),
        }
    }

    /// Describes the files, as the end of a sentence: ``in `src` that match the glob `*.rs`
    /// (relative to `src`), excluding hidden and ignored files``.
    pub fn description(&self) -> String {
        let mut text = format!("in `{}`", self.path);
        if let Some(glob) = &self.glob {
            text += &format!(
                " that match the glob `{glob}` (relative to `{}`)",
                self.path
            );
        }
        if let Some(file_type) = &self.file_type {
            text += &format!(", of the type `{file_type}`");
        }
        text += match (self.hidden, self.ignored) {
            (false, false) => ", excluding hidden and ignored files",
            (false, true) => ", excluding hidden files",
            (true, false) => ", excluding ignored files",
            (true, true) => "",
        };
        text
    }
}

impl Default for Scope {
    /// The whole root folder, without hidden and ignored files.
    fn default() -> Self {
        Self::from_args(&Value::Null)
    }
}
