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
    let message = match resolve(root, path) {
        Ok(place) => return Ok(place),
        Err(message) => message,
    };
    for above in Path::new(path).ancestors().skip(1) {
        let (Some(text), Ok(rest)) = (above.to_str(), Path::new(path).strip_prefix(above)) else {
            continue;
        };
        let Ok(base) = resolve(root, text) else {
            continue;
        };
        let names: Vec<Component> = rest.components().collect();
        if !names.iter().all(|it| matches!(it, Component::Normal(_))) {
            return Err(format!("{message}; a path to a new file has no `..` in it"));
        }
        let Some(first) = names.first() else {
            continue;
        };
        return match base.join(first).symlink_metadata() {
            Err(error) if error.kind() == ErrorKind::NotFound => match names_folder(path) {
                true => Err(format!("`{path}` names a folder, not a file")),
                false => Ok(base.join(rest)),
            },
            Err(error) => Err(format!("`{path}` cannot be opened: {error}")),
            Ok(_) => Err(blocked(root, above.join(first), &message)),
        };
    }
    Err(message)
}

/// The place of a file or folder that `path` names and that is there. A link to nothing
/// is the same error as in [`destination`], and tells more than that there is no such file.
pub fn existing(root: &Path, path: &str) -> Result<PathBuf, String> {
    let place = destination(root, path)?;
    match place.exists() {
        true => Ok(place),
        false => Err(format!("there is no `{path}` in the root folder")),
    }
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
