//! Which of the files of a folder are meant: globs and types.

use std::path::Path;

use ignore::overrides::{Override, OverrideBuilder};
use ignore::types::Types;

use super::of_type;

/// A glob, a type, both or neither. A file has to fit all there is.
///
/// A filter narrows: what is hidden or ignored stays out, even if the filter names it.
/// (In ripgrep a glob that fits overrules the ignore rules: `rg -g '**/*'` searches
/// `target` and `.git`. A model writes `**/*` and means its project.)
#[derive(Debug, Clone)]
pub struct Filter {
    globs: Override,
    types: Types,
}

impl Filter {
    /// A filter for what lies below `folder`. The error is for the model to read.
    ///
    /// Globs are those of `.gitignore`: one without `/` is about names, at any depth; one
    /// with `/` is about paths, from `folder` on. A `!` before it turns it around.
    pub fn new(folder: &Path, glob: Option<&str>, file_type: Option<&str>) -> Result<Self, String> {
        let globs = match glob {
            Some(glob) => globs(folder, glob)?,
            None => Override::empty(),
        };
        let types = match file_type {
            Some(name) => of_type(name)?,
            None => Types::empty(),
        };
        Ok(Self { globs, types })
    }

    /// Whether the file or folder at `path` is meant. A folder is unless a glob with `!`
    /// fits it: that no glob fits a folder says nothing of the files in it.
    pub fn admits(&self, path: &Path, is_folder: bool) -> bool {
        !self.globs.matched(path, is_folder).is_ignore()
            && !self.types.matched(path, is_folder).is_ignore()
    }
}

/// One glob, as a rule that is ready to use.
///
/// The library reads a line of a `.gitignore`. A model means a path, so `./` at the
/// front is taken off, and `#`, which would begin a comment, is taken as it is. What
/// can never fit is an error: nothing at all, nothing but spaces, or a part `..` of the
/// path.
pub fn globs(folder: &Path, glob: &str) -> Result<Override, String> {
    let (not, path) = match glob.strip_prefix('!') {
        Some(path) => ("!", path),
        None => ("", glob),
    };
    let path = path.strip_prefix("./").unwrap_or(path);
    if path.trim().is_empty() {
        return Err("the glob is empty; to mean all files, leave it out or write `**`".to_string());
    }
    if path.split('/').any(|part| part == "..") {
        return Err(format!(
            "the glob `{glob}` has `..` in it and fits nothing; give the folder as `path` and the glob from there"
        ));
    }
    let escape = if path.starts_with('#') { "\\" } else { "" };
    let mut builder = OverrideBuilder::new(folder);
    builder
        .add(&format!("{not}{escape}{path}"))
        .and_then(|builder| builder.build())
        .map_err(|error| {
            format!(
                "the glob cannot be used: {error}. In a glob `[`, `{{`, `*` and `?` are special; to mean one of them itself, write a `\\` before it"
            )
        })
}
