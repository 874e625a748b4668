//! Where a path that a model wrote leads.

use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

/// The place that `path` names below the folder `root`: absolute, and free of links.
///
/// `path` is relative; `.` and the empty path are `root` itself. The error is for the
/// model to read, and names `path` as it was written. It is an error when `path` is
/// absolute, climbs above `root` by `..`, leads out of it through a link, or names
/// nothing. Of what lies outside, not even its existence can be told from the error,
/// as long as no link inside leads to it.
///
/// The answer holds for the moment: whoever can change the folder can change it before
/// it is used. Against such a neighbour only the operating system helps (`openat2` on
/// Linux, as in the crate `cap-std`).
pub fn resolve(root: &Path, path: &str) -> Result<PathBuf, String> {
    let mut depth = 0;
    for part in Path::new(path).components() {
        match part {
            Component::Normal(_) => depth += 1,
            Component::CurDir => {}
            Component::ParentDir if depth > 0 => depth -= 1,
            Component::ParentDir => return Err(outside(path)),
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
        Ok(place) if place.starts_with(&root) => Ok(place),
        Ok(_) => Err(outside(path)),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Err(format!("there is no `{path}` in the root folder"))
        }
        Err(error) => Err(format!("`{path}` cannot be opened: {error}")),
    }
}

/// What the model is told of a path that leads out of the root folder.
fn outside(path: &str) -> String {
    format!("`{path}` leads out of the root folder, which is `.`")
}
