//! The file `.course/unfinished`.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::repo::{Repo, remove_temporary_files};

/// Notes that no command is at work on the runner's sources, and removes the temporary files of one
/// that was killed.
pub(super) fn finished(repo: &Repo) -> Result<()> {
    if !path(repo).exists() {
        return Ok(());
    }
    for folder in ["book", "course", "offline", "solutions", "src", "tests"] {
        let folder = repo.root().join(folder);
        if folder.is_dir() {
            remove_temporary_files(&folder)?;
        }
    }
    fs::remove_file(path(repo)).context("cannot remove .course/unfinished")
}

/// Its path.
pub(super) fn path(repo: &Repo) -> PathBuf {
    repo.state().join("unfinished")
}
