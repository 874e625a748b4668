//! The files below a folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The text of the file at `path` with `\n` at the end of each line. Git may have checked the file
/// out with other line ends.
pub fn read_text(path: &Path) -> io::Result<String> {
    Ok(fs::read_to_string(path)?.replace("\r\n", "\n"))
}

/// Every `.rs` file below `dir`, sorted.
pub fn rust_files(dir: &Path) -> Result<Vec<PathBuf>> {
    let mut files = files_below(dir)?;
    files.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    files.sort();
    Ok(files)
}

/// Every file below `dir`, in no order. A folder `.cargo` is left out, since the runner writes one
/// (see [`subfolder_alias`](crate::subfolder_alias)).
pub fn files_below(dir: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut pending = vec![dir.to_path_buf()];
    while let Some(dir) = pending.pop() {
        let unreadable = || format!("cannot read {}", dir.display());
        for entry in fs::read_dir(&dir).with_context(unreadable)? {
            let path = entry.with_context(unreadable)?.path();
            match path.is_dir() {
                true if path.ends_with(".cargo") => {}
                true => pending.push(path),
                false => files.push(path),
            }
        }
    }
    Ok(files)
}

/// `path` relative to `root`, with `/` on every system.
pub fn relative_name(root: &Path, path: &Path) -> String {
    let inside = path.strip_prefix(root).unwrap_or(path);
    inside.to_string_lossy().replace('\\', "/")
}
