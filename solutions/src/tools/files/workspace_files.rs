//! The files of a workspace, reached by its [`FolderAccess`](super::FolderAccess).

use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::tools::{FileError, Fingerprint, OpenFolder, Workspace, load_file, replace_file};

impl Workspace {
    /// [Loads](load_file) the file at `resolved`, which the model calls `path`.
    pub fn load(&self, resolved: &Path, path: &str) -> Result<Vec<u8>, FileError> {
        // The root is in no folder that may be opened. `load_file` refuses it, as any folder.
        if self
            .root()
            .canonicalize()
            .is_ok_and(|root| root == resolved)
        {
            return load_file(resolved, path);
        }
        let (folder, file) = self
            .open_folder(resolved, false)
            .with_context(|| format!("cannot open `{path}`"))?;
        let bytes = load_file(&file, path);
        drop(folder);
        bytes
    }

    /// [Replaces](replace_file) the file at `resolved`, which the model calls `path`, and creates
    /// the folders that a new file needs.
    pub fn replace(
        &self,
        resolved: &Path,
        path: &str,
        bytes: &[u8],
        expected: Option<Fingerprint>,
    ) -> Result<(), FileError> {
        let (folder, file) = self
            .open_folder(resolved, expected.is_none())
            .with_context(|| format!("cannot open the folder of `{path}`"))?;
        let replaced = replace_file(&file, path, bytes, expected);
        drop(folder);
        replaced
    }

    /// Opens the folder of a file. The second value is the file's path in it.
    fn open_folder(&self, resolved: &Path, creates: bool) -> io::Result<(OpenFolder, PathBuf)> {
        let (Some(folder), Some(name)) = (resolved.parent(), resolved.file_name()) else {
            return Err(io::Error::other("the path names no file"));
        };
        let folder = self.folders().open(folder, creates)?;
        let file = folder.path.join(name);
        Ok((folder, file))
    }
}
