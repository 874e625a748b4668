//! Where `claw` saves its sessions and the history of its prompt.

use std::env;
use std::fs::DirBuilder;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// The file with the prompts that were sent.
pub fn history_file() -> Result<PathBuf> {
    Ok(data_dir()?.join("history"))
}

/// The database with the sessions of `folder`. Each folder has its own, so that the latest
/// session, the list and the search concern that folder only, and damage to one database does
/// not affect the others.
#[cfg(feature = "ch20")]
pub fn database_for(folder: &Path) -> Result<PathBuf> {
    let name = folder.file_name().unwrap_or("root".as_ref());
    let hash = fnv1a(folder.as_os_str().as_encoded_bytes());
    let file = format!("{}-{hash:016x}.db", name.to_string_lossy());
    Ok(data_dir()?.join("sessions").join(file))
}

/// The folder for the files of `claw`: `CLAW_HOME`, or else `claw` in the user's data folder
/// as the XDG Base Directory Specification defines it.
fn data_dir() -> Result<PathBuf> {
    let variable = |name| env::var_os(name).filter(|it| !it.is_empty());
    let folder = |name| variable(name).map(PathBuf::from);
    if let Some(home) = folder("CLAW_HOME") {
        return Ok(home);
    }
    // The specification says to ignore a relative path.
    if let Some(data) = folder("XDG_DATA_HOME").filter(|it| it.is_absolute()) {
        return Ok(data.join("claw"));
    }
    match env::home_dir().filter(|home| home.is_absolute()) {
        Some(home) => Ok(home.join(".local/share/claw")),
        None => bail!("no home folder is known; set CLAW_HOME to a folder for claw"),
    }
}

/// Creates the parent folder of `file`. Only its owner has access, since conversations are
/// private.
pub fn create_parent(file: &Path) -> Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    let created = builder.create(folder);
    created.with_context(|| format!("cannot create the folder {}", folder.display()))
}

/// FNV-1a, which is the same on every machine and in every version of Rust; std's hashers do
/// not promise that. It need not resist attacks: a collision only mixes one user's sessions.
#[cfg(feature = "ch20")]
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
