//! The absolute path of a file that exists or is to be created.

use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use crate::tools::resolve;

/// The absolute path of the file `path` below `root`, without symbolic links. The file
/// may be missing. One that exists is found as by [`resolve`].
///
/// The folders of a new file may be missing too: the deepest folder that exists is
/// resolved, and the remaining names are appended. The error is text for the model.
/// Besides the errors of [`resolve`], it is an error when
///
/// - one of the names is a symbolic link whose target does not exist: a write would
///   create the target;
/// - `..` follows a missing folder;
/// - the path ends in `/` or `/.`, which names a folder, and nothing exists there.
pub fn destination(root: &Path, path: &str) -> Result<PathBuf, String> {
    todo!("path-of-new-file: write destination")
}

/// The absolute path of a file or folder that exists. For a dangling link the error is
/// that of [`destination`], which tells more than that the file does not exist.
pub fn existing_path(root: &Path, path: &str) -> Result<PathBuf, String> {
    todo!("path-of-new-file: write existing_path")
}

/// Error text for a new file below `path`, which exists but cannot be resolved: a link
/// to a missing target, a link out of the root folder, or a loop of links. `message` is
/// the text for any other case.
fn blocked_message(root: &Path, path: PathBuf, message: &str) -> String {
    let shown = path.display().to_string();
    match root.join(&path).canonicalize() {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            format!("`{shown}` is a symbolic link whose target does not exist")
        }
        _ => resolve(root, &shown).err().unwrap_or(message.to_string()),
    }
}

/// Whether a path can only name a folder.
fn names_folder(path: &str) -> bool {
    path.ends_with('/') || path.ends_with("/.")
}
