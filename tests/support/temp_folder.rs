//! A temporary folder for one test.

use std::fs;
use std::path::{Path, PathBuf};

/// A new folder among the system's temporary files. It is removed when the value is dropped.
pub struct TempFolder(PathBuf);

impl TempFolder {
    /// An empty folder.
    pub fn new() -> Self {
        let path = std::env::temp_dir().join(format!("claw-test-{}", uuid::Uuid::new_v4()));
        fs::create_dir_all(&path).expect("the system's folder for temporary files is writable");
        Self(path)
    }

    /// A folder with these files: path and content of each. Parent folders are created.
    pub fn with_files(files: &[(&str, &str)]) -> Self {
        let folder = Self::new();
        for (path, content) in files {
            folder.write(path, content);
        }
        folder
    }

    /// The folder's path. A symbolic link may be part of it.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The folder's path without symbolic links.
    pub fn canonical(&self) -> PathBuf {
        self.0.canonicalize().expect("the folder exists")
    }

    /// Creates or replaces a file, and the folders above it.
    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let file = self.0.join(path);
        let parent = file.parent().expect("the path lies in the folder");
        fs::create_dir_all(parent).expect("folders can be created here");
        fs::write(file, content).expect("files can be created here");
    }

    /// The content of a text file.
    #[track_caller]
    pub fn read(&self, path: &str) -> String {
        let content = fs::read_to_string(self.0.join(path));
        content.unwrap_or_else(|error| panic!("`{path}` should be a text file: {error}"))
    }
}

impl Drop for TempFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
