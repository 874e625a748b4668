//! A folder whose files are written anew by each run.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::repo::{files_below, write_if_changed};

/// A folder that is written anew. A file with the same text as before stays as it is, so that cargo
/// finds it unchanged.
pub struct Folder {
    path: PathBuf,
    written: BTreeSet<PathBuf>,
}

impl Folder {
    /// The folder at `path`.
    pub fn new(path: PathBuf) -> Self {
        let written = BTreeSet::new();
        Self { path, written }
    }

    /// Writes a file. `name` is its path in the folder.
    pub fn write(&mut self, name: &str, text: &str) -> Result<()> {
        let path = self.path.join(name);
        if let Some(dir) = path.parent() {
            let failed = || format!("cannot make {}", dir.display());
            fs::create_dir_all(dir).with_context(failed)?;
        }
        write_if_changed(&path, text.as_bytes())?;
        self.written.insert(path);
        Ok(())
    }

    /// The folder's path, after everything is removed that was not written.
    pub fn without_other_files(self) -> Result<PathBuf> {
        let failed = |path: &Path| format!("cannot remove {}", path.display());
        for file in files_below(&self.path)? {
            if !self.written.contains(&file) {
                fs::remove_file(&file).with_context(|| failed(&file))?;
            }
        }
        for entry in fs::read_dir(&self.path)? {
            let path = entry?.path();
            if self.written.iter().all(|file| !file.starts_with(&path)) {
                fs::remove_dir_all(&path).with_context(|| failed(&path))?;
            }
        }
        Ok(self.path)
    }
}
