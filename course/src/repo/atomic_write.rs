//! Writing a file in one step.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result};

use super::files::files_below;

/// Replaces or creates `path` in one step. A reader sees the whole old content or the whole
/// new one, even after an interruption. A symbolic link stays, and its target is replaced.
pub fn write_atomically(path: &Path, content: &[u8]) -> Result<()> {
    replace_with(path, |target| temporary_file(target, content))
}

/// Does the same for a file that can be made again. It does not wait for the disk, so the file may be
/// empty after a power failure.
pub fn write_cache(path: &Path, content: &[u8]) -> Result<()> {
    replace_with(path, |target| unsynced_file(target, content))
}

/// Moves the file that `make` makes for a target to `path`, or to the target of that symbolic link.
fn replace_with(
    path: &Path,
    make: impl FnOnce(&Path) -> io::Result<tempfile::NamedTempFile>,
) -> Result<()> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let write = || -> io::Result<()> {
        make(&target)?.persist(&target)?;
        Ok(())
    };
    write().with_context(|| format!("cannot write {} (it is unchanged)", path.display()))
}

/// [Writes](write_atomically) a file unless it has this content already. Returns whether it wrote it.
pub fn write_if_changed(path: &Path, content: &[u8]) -> Result<bool> {
    let is_same = fs::read(path).is_ok_and(|old| old == content);
    if !is_same {
        write_atomically(path, content)?;
    }
    Ok(!is_same)
}

/// Changes the file at `path` from the content `old` to `new` in one step; `None` stands for no
/// file. Returns `false`, and leaves the file as it is, if another program has changed it.
///
/// The file is looked at once more after the change, so that a save that came just before it is
/// put back. The replaced file is moved to `keep`, over a copy of it. A program that opened the
/// file before the change and writes afterwards therefore writes into `keep`.
pub fn change(
    path: &Path,
    old: Option<&[u8]>,
    new: Option<&[u8]>,
    keep: Option<&Path>,
) -> Result<bool> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let change = || -> io::Result<bool> {
        match (old, new) {
            (Some(old), Some(new)) => exchange(&target, old, new, keep),
            (Some(old), None) => {
                let aside = temporary_file(&target, b"")?.into_temp_path();
                fs::rename(&target, &aside)?;
                let unchanged = fs::read(&aside)? == old;
                if unchanged {
                    keep_replaced(aside, keep);
                } else {
                    aside.persist(&target)?;
                }
                Ok(unchanged)
            }
            (None, Some(new)) => match temporary_file(&target, new)?.persist_noclobber(&target) {
                Ok(_) => Ok(true),
                Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
                Err(error) => Err(error.error),
            },
            (None, None) => Ok(!target.exists()),
        }
    };
    change().with_context(|| format!("cannot write {} (it is unchanged)", path.display()))
}

/// Puts `new` in place of `old`. Content that is neither goes back to its place.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn exchange(target: &Path, old: &[u8], new: &[u8], keep: Option<&Path>) -> io::Result<bool> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    let aside = temporary_file(target, new)?.into_temp_path();
    let (mut expected, mut placed) = (old.to_vec(), new.to_vec());
    let mut unchanged = true;
    loop {
        let flags = RenameFlags::EXCHANGE;
        if renameat_with(CWD, &*aside, CWD, target, flags).is_err() {
            return replace(target, &expected, aside).map(|replaced| replaced && unchanged);
        }
        let found = fs::read(&aside)?;
        if found == expected {
            keep_replaced(aside, keep.filter(|_| unchanged));
            return Ok(unchanged);
        }
        unchanged = false;
        (expected, placed) = (placed, found);
    }
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn exchange(target: &Path, old: &[u8], new: &[u8], _: Option<&Path>) -> io::Result<bool> {
    replace(target, old, temporary_file(target, new)?.into_temp_path())
}

/// Moves a replaced file to `keep`, which has the same content. On another file system it is removed
/// instead.
fn keep_replaced(replaced: tempfile::TempPath, keep: Option<&Path>) {
    if let Some(keep) = keep {
        let _ = replaced.persist(keep);
    }
}

/// Moves the file `from` to `target` if that still has the content `old`. A save between the look
/// and the move is lost, so this is for file systems that cannot exchange two files.
fn replace(target: &Path, old: &[u8], from: tempfile::TempPath) -> io::Result<bool> {
    let unchanged = fs::read(target)? == old;
    if unchanged {
        from.persist(target)?;
    }
    Ok(unchanged)
}

/// A file beside `target`, with its permissions, and with `content` that is on disk.
fn temporary_file(target: &Path, content: &[u8]) -> io::Result<tempfile::NamedTempFile> {
    let file = unsynced_file(target, content)?;
    file.as_file().sync_all()?;
    Ok(file)
}

/// A file beside `target`, with its permissions and with `content`.
fn unsynced_file(target: &Path, content: &[u8]) -> io::Result<tempfile::NamedTempFile> {
    let dir = target.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(dir)?;
    let mut file = tempfile::Builder::new()
        .prefix(TEMPORARY)
        .tempfile_in(dir)?;
    file.write_all(content)?;
    let permissions = match fs::metadata(target) {
        Ok(old) => Some(old.permissions()),
        Err(_) => default_permissions(),
    };
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    Ok(file)
}

#[cfg(unix)]
fn default_permissions() -> Option<fs::Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn default_permissions() -> Option<fs::Permissions> {
    None
}

/// Removes the temporary files below `dir` that [`write_atomically`] leaves when the process is
/// killed.
pub fn remove_temporary_files(dir: &Path) -> Result<()> {
    for path in files_below(dir)? {
        let name = path.file_name().and_then(|name| name.to_str());
        if name.is_some_and(|name| name.starts_with(TEMPORARY)) {
            fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
        }
    }
    Ok(())
}

/// The prefix of the names of temporary files.
const TEMPORARY: &str = ".course-";
