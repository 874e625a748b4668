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
    let mut depth = 0;
    for part in Path::new(path).components() {
        match part {
            Component::Normal(_) => depth += 1,
            Component::CurDir => {}
            Component::ParentDir if depth > 0 => depth -= 1,
            Component::ParentDir => return Err(outside_message(path)),
            Component::RootDir | Component::Prefix(_) => {
                return Err(format!(
                    "`{path}` is absolute; write it relative to the root folder, which is `.`"
                ));
            }
        }
    }
    let root = root
        .canonicalize()
        .map_err(|error| format!("the root folder cannot be opened: {error}"))?;
    match root.join(path).canonicalize() {
        Ok(resolved) if resolved.starts_with(&root) => Ok(resolved),
        Ok(_) => Err(outside_message(path)),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Err(format!("there is no `{path}` in the root folder"))
        }
        Err(error) => Err(format!("`{path}` cannot be opened: {error}")),
    }
}

/// The error message for a path that leads out of the root folder.
fn outside_message(path: &str) -> String {
    format!("`{path}` leads out of the root folder, which is `.`")
}
