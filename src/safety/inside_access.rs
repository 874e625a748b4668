//! File tools that can't be led out of the workspace.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, mkdirat};
use rustix::io::Errno;

use super::open_inside;
use crate::tools::{FolderAccess, OpenFolder};

/// Opens folders with [`open_inside`], so that no link below the root is followed.
///
/// On Linux, the path of an [`OpenFolder`] leads through its handle: whatever other programs do
/// to the folder's name, the file tools work in the folder that was opened. On other systems it
/// is the folder's own path again, which a link may have replaced since.
pub struct InsideAccess {
    root: PathBuf,
}

impl InsideAccess {
    /// An access to the folders in `root`, and to `root` itself.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// Opens a folder that exists. It is an error if the folder is not in the root.
    fn handle(&self, folder: &Path) -> io::Result<File> {
        let root = self.root.canonicalize()?;
        match folder.strip_prefix(&root).map_err(io::Error::other)? {
            below if below.as_os_str().is_empty() => File::open(&root),
            below => open_inside(&root, below),
        }
    }

    /// Creates a folder, in the folder above it. One that exists is no error.
    fn create(&self, folder: &Path) -> io::Result<()> {
        let (Some(parent), Some(name)) = (folder.parent(), folder.file_name()) else {
            return Err(ErrorKind::NotFound.into());
        };
        let parent = self.open(parent, true)?;
        let handle = parent.handle.as_ref().ok_or(ErrorKind::NotFound)?;
        match mkdirat(handle, name, Mode::from_raw_mode(0o777)) {
            Ok(()) | Err(Errno::EXIST) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

impl FolderAccess for InsideAccess {
    fn open(&self, folder: &Path, creates: bool) -> io::Result<OpenFolder> {
        let handle = match self.handle(folder) {
            Err(error) if creates && error.kind() == ErrorKind::NotFound => {
                self.create(folder)?;
                self.handle(folder)?
            }
            opened => opened?,
        };
        Ok(OpenFolder {
            path: path_through(&handle, folder),
            handle: Some(handle),
        })
    }
}

/// The path that leads through the handle of a folder, where the system has such paths;
/// otherwise the folder's own.
fn path_through(handle: &File, folder: &Path) -> PathBuf {
    #[cfg(target_os = "linux")]
    {
        use std::os::fd::AsRawFd;
        let _ = folder;
        PathBuf::from(format!("/proc/self/fd/{}", handle.as_raw_fd()))
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = handle;
        folder.to_path_buf()
    }
}
