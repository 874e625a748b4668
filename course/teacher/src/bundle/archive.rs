//! Writes the archive.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result};
use flate2::Compression;
use flate2::write::GzEncoder;
use tar::{Builder, HeaderMode};

/// Writes `folder` to the archive `file`, as the folder `name`. The names and numbers of users are
/// left out, and so are the times of the files. The archive has its name only once it is complete.
pub(super) fn write(folder: &Path, name: &str, file: &Path) -> Result<()> {
    let write = || -> std::io::Result<()> {
        if let Some(parent) = file.parent() {
            fs::create_dir_all(parent)?;
        }
        let mut part = file.as_os_str().to_os_string();
        part.push(".part");
        let encoder = GzEncoder::new(BufWriter::new(File::create(&part)?), Compression::default());
        let mut archive = Builder::new(encoder);
        archive.mode(HeaderMode::Deterministic);
        archive.follow_symlinks(false);
        archive.append_dir_all(name, folder)?;
        archive.into_inner()?.finish()?.flush()?;
        fs::rename(part, file)
    };
    write().with_context(|| format!("cannot write {}", file.display()))
}
