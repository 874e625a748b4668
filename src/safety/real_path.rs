//! Where a path leads.

use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

/// The most symbolic links that one path may go through, as on Linux.
pub const MAX_LINKS: usize = 40;

/// The path of the file to which an absolute path leads, without symbolic links, `.` and `..`.
///
/// Neither the file nor the folders above it need to exist: a link whose target is missing
/// leads to the target, since a write would create it. `..` after a link is the folder above
/// the link's target.
///
/// More than [`MAX_LINKS`] links are an error, and so is a folder that may not be searched.
pub fn real_path(path: &Path) -> io::Result<PathBuf> {
    todo!("where-a-path-leads: write real_path")
}

/// The components of a path, the last one first, so that `pop` takes them in order.
fn reversed(path: &Path) -> Vec<PathBuf> {
    path.components()
        .rev()
        .map(|it| PathBuf::from(it.as_os_str()))
        .collect()
}
