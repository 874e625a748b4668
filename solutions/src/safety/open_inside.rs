//! Opening a file that is certainly in a folder.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Component, Path};

use rustix::fs::{CWD, Mode, OFlags, openat};

/// Opens a file or folder below `folder` for reading. `path` is relative to `folder`, and has
/// only names.
///
/// No symbolic link is followed below `folder`, so the file is in it, whatever other programs
/// do meanwhile. A path that was resolved with [`real_path`](super::real_path) has no links:
/// if one is met, it was put there since, and the file is not opened.
///
/// An empty path, or one with anything but names, is an error of the kind
/// [`ErrorKind::InvalidInput`], before anything is opened. Opening does not wait for the writer of
/// a pipe.
pub fn open_inside(folder: &Path, path: &Path) -> io::Result<File> {
    let names: Option<Vec<_>> = path
        .components()
        .map(|part| match part {
            Component::Normal(name) => Some(name),
            _ => None,
        })
        .collect();
    let Some((file, folders)) = names.as_deref().and_then(<[_]>::split_last) else {
        return Err(io::Error::new(
            ErrorKind::InvalidInput,
            "the path must have only names",
        ));
    };
    let flags = OFlags::CLOEXEC | OFlags::RDONLY;
    let mut parent = openat(CWD, folder, flags | OFlags::DIRECTORY, Mode::empty())?;
    let below = flags | OFlags::NOFOLLOW;
    for name in folders {
        parent = openat(&parent, *name, below | OFlags::DIRECTORY, Mode::empty())?;
    }
    let opened = openat(&parent, *file, below | OFlags::NONBLOCK, Mode::empty())?;
    Ok(File::from(opened))
}
