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
        todo!("8.3: write Filter::admits")
    }
}

/// One glob, as a rule that is ready to use.
///
/// The library reads a line of a `.gitignore`. A model means a path, so `./` at the
/// front is taken off, and `#`, which would begin a comment, is taken as it is. What
/// can never fit is an error: nothing at all, nothing but spaces, or a part `..` of the
/// path.
pub fn globs(folder: &Path, glob: &str) -> Result<Override, String> {
    todo!("8.3: write globs")
}
