//! How the file tools reach the folders of their files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Opens folders for the file tools of a [`Workspace`](super::Workspace).
pub trait FolderAccess: Send + Sync {
    /// Opens the folder at `folder`, an absolute path without symbolic links. If `creates`, it
    /// is created with the folders above it, where they are missing.
    fn open(&self, folder: &Path, creates: bool) -> io::Result<OpenFolder>;
}

/// A folder in which a tool works.
#[derive(Debug)]
pub struct OpenFolder {
    /// A path that leads to the folder until this value is dropped.
    pub path: PathBuf,
    /// The open folder, if `path` leads through it.
    pub handle: Option<fs::File>,
}

/// Reaches each folder by its path, which another program may change at any time. Chapter 11
/// has an access that holds the folder open.
pub struct ByPath;

impl FolderAccess for ByPath {
    fn open(&self, folder: &Path, creates: bool) -> io::Result<OpenFolder> {
        if creates {
            fs::create_dir_all(folder)?;
        }
        Ok(OpenFolder {
            path: folder.to_path_buf(),
            handle: None,
        })
    }
}
