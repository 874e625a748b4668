//! Resolves paths that a model wrote.

use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

/// Resolves `path`, relative to the folder `root`, to an absolute path without links.
/// `.` and the empty path are `root` itself.
///
/// It is an error if `path` is absolute, climbs above `root` with `..`, leads out of it
/// through a link, or does not exist. The error is a message for the model that names
/// `path` as it was written. It does not reveal whether a path outside `root` exists,
/// unless a link inside leads there.
///
/// The result is valid only at this moment: another process can change the folder before
/// the path is used. Only the operating system can prevent that (`openat2` on Linux, as in
/// the crate `cap-std`).
pub fn resolve(root: &Path, path: &str) -> Result<PathBuf, String> {
    todo!("path-resolution: write resolve")
}

/// The error message for a path that leads out of the root folder.
fn outside_message(path: &str) -> String {
    format!("`{path}` leads out of the root folder, which is `.`")
}
