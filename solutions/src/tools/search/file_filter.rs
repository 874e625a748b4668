//! A filter for files: a glob, a file type, or both.

use std::path::Path;

use ignore::overrides::{Override, OverrideBuilder};
use ignore::types::Types;

use super::select_type;

/// A glob, a file type, both or neither. A file must match all that are given.
///
/// A filter only excludes. Hidden and ignored files stay out even if the filter names them.
/// (In ripgrep a matching glob overrides the ignore rules: `rg -g '**/*'` searches
/// `target` and `.git`. A model that writes `**/*` means its project.)
#[derive(Debug, Clone)]
pub struct FileFilter {
    glob: Override,
    types: Types,
}

impl FileFilter {
    /// A filter for files below `folder`. The error is a message for the model.
    ///
    /// Globs work as in `.gitignore`: without `/`, a glob matches names at any depth; with
    /// `/`, it matches paths relative to `folder`. A `!` in front inverts it.
    pub fn new(folder: &Path, glob: Option<&str>, file_type: Option<&str>) -> Result<Self, String> {
        let glob = match glob {
            Some(glob) => parse_glob(folder, glob)?,
            None => Override::empty(),
        };
        let types = match file_type {
            Some(name) => select_type(name)?,
            None => Types::empty(),
        };
        Ok(Self { glob, types })
    }

    /// Whether the filter includes the file or folder at `path`. It excludes a folder only
    /// if a glob with `!` matches it: in a folder that matches no glob, files may still
    /// match.
    pub fn includes(&self, path: &Path, is_folder: bool) -> bool {
        !self.glob.matched(path, is_folder).is_ignore()
            && !self.types.matched(path, is_folder).is_ignore()
    }
}

/// Parses one glob for files below `folder`. The error is a message for the model.
///
/// The library parses a line of a `.gitignore`, but a model writes a path. So a leading `./`
/// is removed, and then a leading `#` or `!` is escaped, since it would begin a comment or
/// exclude files. A `!` in front of all this stays in front. What is left without it must be able
/// to match: an empty text, only spaces, and a path with a `..` part are errors.
pub fn parse_glob(folder: &Path, glob: &str) -> Result<Override, String> {
    let (not, path) = match glob.strip_prefix('!') {
        Some(path) => ("!", path),
        None => ("", glob),
    };
    let path = path.strip_prefix("./").unwrap_or(path);
    if path.trim().is_empty() {
        return Err("the glob is empty; to match all files, leave it out or use `**`".to_string());
    }
    if path.split('/').any(|part| part == "..") {
        return Err(format!(
            "the glob `{glob}` contains `..` and can't match anything; pass the folder as `path` and write the glob relative to it"
        ));
    }
    let is_special = path.starts_with(['#', '!']);
    let escape = if is_special { "\\" } else { "" };
    let mut builder = OverrideBuilder::new(folder);
    builder
        .add(&format!("{not}{escape}{path}"))
        .and_then(|builder| builder.build())
        .map_err(|error| {
            format!(
                "the glob is invalid: {error}. `[`, `{{`, `*` and `?` are special in a glob; to match one of them literally, write a `\\` before it"
            )
        })
}
