//! Where a file is, or where a new one would go.

use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use crate::tools::resolve;

/// The place that `path` names below `root`, whether or not anything is there yet:
/// absolute, and free of links. What is there is found as by [`resolve`].
///
/// Of a new file, folders may be missing as well. The deepest folder that exists is
/// resolved, and the names behind it are added. The error is for the model to read. It
/// is an error, besides those of [`resolve`], when
///
/// - one of the names is that of a link which leads to nothing: what is written there
///   would come to be where the link points;
/// - `..` stands behind a folder that is missing, where it climbs from nowhere;
/// - the path ends in `/` or `/.`, and so names a folder, and nothing is there.
pub fn destination(root: &Path, path: &str) -> Result<PathBuf, String> {
    todo!("6.1: write destination")
}

/// The place of a file or folder that `path` names and that is there. A link to nothing
/// is the same error as in [`destination`], and tells more than that there is no such file.
pub fn existing(root: &Path, path: &str) -> Result<PathBuf, String> {
    todo!("6.1: write existing")
}

/// Why the way to a new file ends at `path`, where something is that [`resolve`] does
/// not follow: a link to nothing or out of the root folder, or a loop of links.
fn blocked(root: &Path, path: PathBuf, message: &str) -> String {
    let shown = path.display().to_string();
    let leads = root.join(&path).canonicalize();
    match leads {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            format!("`{shown}` is a link that leads to nothing")
        }
        _ => resolve(root, &shown).err().unwrap_or(message.to_string()),
    }
}

/// Whether a path can only mean a folder.
fn names_folder(path: &str) -> bool {
    path.ends_with('/') || path.ends_with("/.")
}
