//! The parallel walk over the files of a scope.

use std::path::{Path, PathBuf};

use ignore::{DirEntry, WalkBuilder, WalkState};
use tokio_util::sync::CancellationToken;

use super::{FileFilter, Scope, display_path};
use crate::tools::resolve;

/// A parallel walk over the files of a [`Scope`].
pub struct FileWalk {
    /// The root folder, without symbolic links. Results show paths relative to it.
    root: PathBuf,
    /// The folder or file where the walk starts: absolute, without symbolic links.
    start: PathBuf,
    builder: WalkBuilder,
}

impl FileWalk {
    /// Prepares the walk over the files of `scope`, below the folder `root`. The error is a
    /// message for the model.
    ///
    /// In a folder, the walk visits all files below it, in no particular order. It leaves
    /// out hidden and ignored files, files that the filter excludes, and everything named
    /// `.git`. It does not follow links. If the scope's path is a single file, the walk
    /// visits that file, whatever the glob and the type are. Invalid ones are still errors.
    pub fn new(root: &Path, scope: &Scope) -> Result<Self, String> {
        todo!("parallel-file-walk: write FileWalk::new")
    }

    /// Whether the walk starts at a folder, rather than at a single file.
    pub fn is_folder(&self) -> bool {
        self.start.is_dir()
    }

    /// The absolute `path` as results show it: relative to the root folder.
    pub fn relative<'a>(&self, path: &'a Path) -> &'a Path {
        path.strip_prefix(&self.root).unwrap_or(path)
    }

    /// Visits every file once, on several threads, and returns when all threads are done.
    /// The walk calls `make_visitor` once for each thread, and once more for its own start. Only one
    /// thread uses a visitor, which receives a file's absolute path, or the reason why a path
    /// could not be read.
    ///
    /// Once `stop` is cancelled, no thread visits another file.
    pub fn visit<V>(&self, stop: &CancellationToken, mut make_visitor: impl FnMut() -> V)
    where
        V: FnMut(Result<&Path, String>) + Send,
    {
        todo!("parallel-file-walk: write FileWalk::visit")
    }

    /// The message of a walk error. It shows the path relative to the root folder.
    fn error_message(&self, error: &ignore::Error) -> String {
        match error {
            ignore::Error::WithPath { path, err } => {
                format!("{}: {err}", display_path(self.relative(path)))
            }
            ignore::Error::WithDepth { err, .. } => self.error_message(err),
            other => other.to_string(),
        }
    }
}

/// Whether the walk visits or enters `entry`. It is not asked about the walk's start.
fn is_included(filter: &FileFilter, entry: &DirEntry) -> bool {
    todo!("parallel-file-walk: write is_included")
}

/// Whether `entry` is a regular file: no folder, link or device.
fn is_file(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_file())
}
