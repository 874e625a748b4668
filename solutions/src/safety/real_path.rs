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
    let mut real = PathBuf::new();
    let mut rest = reversed(path);
    let mut links = 0;
    while let Some(part) = rest.pop() {
        match Path::new(&part).components().next() {
            Some(Component::RootDir) => real = PathBuf::from("/"),
            Some(Component::ParentDir) => drop(real.pop()),
            Some(Component::Normal(name)) => match real.join(name).read_link() {
                Ok(_) if links == MAX_LINKS => {
                    return Err(io::Error::other("too many symbolic links"));
                }
                Ok(target) => {
                    links += 1;
                    rest.extend(reversed(&target));
                }
                Err(error) if error.kind() == ErrorKind::PermissionDenied => return Err(error),
                // It is not a link, or it does not exist.
                Err(_) => real.push(name),
            },
            _ => {}
        }
    }
    Ok(real)
}

/// The components of a path, the last one first, so that `pop` takes them in order.
fn reversed(path: &Path) -> Vec<PathBuf> {
    path.components()
        .rev()
        .map(|it| PathBuf::from(it.as_os_str()))
        .collect()
}
