//! Digests of several inputs.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use sha2::{Digest, Sha256};

use crate::repo::{Repo, files_below};

/// Adds `bytes` and their length, so that no two lists of inputs look the same.
pub fn add(digest: &mut Sha256, bytes: &[u8]) {
    digest.update((bytes.len() as u64).to_le_bytes());
    digest.update(bytes);
}

/// Adds the path and the content of a file, or of every file in a folder. A path that does not
/// exist adds nothing.
pub fn add_files(digest: &mut Sha256, repo: &Repo, path: &Path) -> Result<()> {
    for file in sorted_files(path)? {
        add(digest, repo.relative(&file).as_bytes());
        let content = fs::read(&file);
        add(
            digest,
            &content.with_context(|| format!("cannot read {}", repo.relative(&file)))?,
        );
    }
    Ok(())
}

/// The file at `path`, or every file below the folder, in a fixed order.
pub fn sorted_files(path: &Path) -> Result<Vec<PathBuf>> {
    let mut files = match path.is_dir() {
        true => files_below(path)?,
        false => vec![path.to_path_buf()],
    };
    files.retain(|file| file.is_file());
    files.sort();
    Ok(files)
}

/// The version, commit and host of the compiler that the program `rustc` is in the repository.
pub fn compiler(repo: &Repo, rustc: &OsStr) -> Result<Vec<u8>> {
    let output = Command::new(rustc)
        .arg("-vV")
        .current_dir(repo.root())
        .output()
        .with_context(|| format!("cannot run {}", rustc.display()))?;
    ensure!(output.status.success(), "{} -vV failed", rustc.display());
    Ok(output.stdout)
}

/// The digest as text.
pub fn hex(digest: Sha256) -> String {
    let bytes = digest.finalize();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
