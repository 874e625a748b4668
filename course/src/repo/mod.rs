//! The paths of the repository, and how files in it are found and written.

mod atomic_write;
mod files;

pub use atomic_write::{
    change, remove_temporary_files, write_atomically, write_cache, write_if_changed,
};
pub use files::{files_below, read_text, relative_name, rust_files};

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// The file that identifies the course's repository.
const MARK: &str = "book/src/course.toml";

/// A checkout of the course.
#[derive(Debug, Clone)]
pub struct Repo {
    root: PathBuf,
}

impl Repo {
    /// The repository that contains `start`.
    pub fn find(start: &Path) -> Result<Self> {
        match start.ancestors().find(|dir| dir.join(MARK).is_file()) {
            Some(root) => Ok(Self {
                root: root.to_path_buf(),
            }),
            None => bail!(
                "{} is not inside the claw-code repository (no {MARK} above it); `cd` into the repository and try again",
                start.display()
            ),
        }
    }

    /// The repository's top folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The learner's sources.
    pub fn src(&self) -> PathBuf {
        self.root.join("src")
    }

    /// The reference's sources, which mirror [`src`](Self::src) file by file.
    pub fn solutions(&self) -> PathBuf {
        self.root.join("solutions/src")
    }

    /// Whether the reference is there. A learner may have deleted it, or left it out of a sparse
    /// clone.
    pub fn has_solutions(&self) -> bool {
        self.solutions().is_dir() && self.root.join("solutions/Cargo.toml").is_file()
    }

    /// The chapters' tests.
    pub fn tests(&self) -> PathBuf {
        self.root.join("tests")
    }

    /// The book's pages and manifests.
    pub fn book(&self) -> PathBuf {
        self.root.join("book/src")
    }

    /// The table of contents.
    pub fn course_toml(&self) -> PathBuf {
        self.book().join("course.toml")
    }

    /// The recorded runs that the book's pages show.
    pub fn traces(&self) -> PathBuf {
        self.book().join("traces")
    }

    /// The learner's `Cargo.toml`, in which chapters are opened.
    pub fn cargo_toml(&self) -> PathBuf {
        self.root.join("Cargo.toml")
    }

    /// The runner's own files: backups and cached verdicts.
    pub fn state(&self) -> PathBuf {
        self.root.join(".course")
    }

    /// Waits until no other command changes files of the learner's, and keeps others waiting until
    /// the returned file is dropped.
    pub fn lock(&self) -> Result<File> {
        let path = self.state().join("lock");
        let locked = || -> io::Result<File> {
            fs::create_dir_all(self.state())?;
            let file = File::create(&path)?;
            match file.lock() {
                // Some network file systems have no locks.
                Err(error) if error.kind() != io::ErrorKind::Unsupported => Err(error),
                _ => Ok(file),
            }
        };
        locked().with_context(|| format!("cannot lock {}", path.display()))
    }

    /// `path` relative to the repository, with `/` on every system.
    pub fn relative(&self, path: &Path) -> String {
        relative_name(&self.root, path)
    }
}
