//! Where `claw` keeps its conversations.

use std::env;
use std::fs::DirBuilder;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// The database with the sessions of a folder: one for each folder, so that the latest
/// session, the list and the search are the folder's own, and that nothing is the matter
/// with the others when one is damaged.
pub fn database_of(folder: &Path) -> Result<PathBuf> {
    let name = folder.file_name().unwrap_or("root".as_ref());
    let mark = fingerprint(folder.as_os_str().as_encoded_bytes());
    let file = format!("{}-{mark:016x}.db", name.to_string_lossy());
    Ok(home(|name| env::var(name).ok())?
        .join("sessions")
        .join(file))
}

/// The folder of all that `claw` keeps: `CLAW_HOME`, or `claw` in the user's data folder.
pub fn home(env: impl Fn(&str) -> Option<String>) -> Result<PathBuf> {
    let folder = |name: &str| env(name).filter(|it| !it.is_empty()).map(PathBuf::from);
    if let Some(home) = folder("CLAW_HOME") {
        return Ok(home);
    }
    // The standard has it that one which is not absolute is to be ignored.
    if let Some(data) = folder("XDG_DATA_HOME").filter(|it| it.is_absolute()) {
        return Ok(data.join("claw"));
    }
    match env::home_dir().filter(|home| home.is_absolute()) {
        Some(home) => Ok(home.join(".local/share/claw")),
        None => bail!("there is no home folder; name one for claw in CLAW_HOME"),
    }
}

/// Makes the folder of a file, for its owner alone: what is said in a conversation is
/// nobody else's business.
pub fn make_room(file: &Path) -> Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    let made = builder.create(folder);
    made.with_context(|| format!("cannot make the folder {}", folder.display()))
}

/// FNV-1a. It is the same on every machine and in every version, which std's hashers do not
/// promise; nobody gains anything by two folders of one fingerprint.
fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
