//! Replaces a file in one step.
//!
//! The new content is written to a temporary file in the same folder, which is then
//! renamed over the old file. A reader finds either the old content or the new content,
//! complete, even if the program or the machine stops in between.
//!
//! The file's name and its permission bits are kept. Lost is what belongs to the old file
//! itself: its owner, if that is another user; extended attributes and access lists; and
//! its other hard links, which keep the old content.

use std::fs::{self, File};
use std::io::{self, BufReader, ErrorKind, Write};
use std::path::Path;
use std::time::{Duration, SystemTime};

use anyhow::Context;
use tempfile::{Builder, NamedTempFile};

use crate::tools::{FileError, Fingerprint, changed_message, open_nonblocking};

/// A temporary file's name is this, some letters, and [`TEMPORARY_SUFFIX`].
pub const TEMPORARY_PREFIX: &str = ".claw-";

/// See [`TEMPORARY_PREFIX`].
pub const TEMPORARY_SUFFIX: &str = ".tmp";

/// The age beyond which a temporary file counts as left over from a killed program.
pub const ABANDONED_AFTER: Duration = Duration::from_secs(60 * 60);

/// The bytes of a file that are read at once. They stay in the cache of the CPU.
pub const PIECE_BYTES: usize = 256 * 1024;

/// Writes `bytes` to the file at `resolved`, which the model calls `path`. Its folder must
/// exist.
///
/// `expected` is the fingerprint that the old file must have; `None` if there must be no
/// such file. This is checked directly before the rename, when the new content is safe
/// on the disk: a file that has changed, or was created meanwhile, is refused and stays as
/// it is. A write-protected file is refused too, since a rename would ignore the
/// protection.
///
/// A new file has the permissions that the system gives to any new file. A failure
/// leaves no temporary file. A kill may leave one, which a later call for the same folder
/// removes.
pub fn replace_file(
    resolved: &Path,
    path: &str,
    bytes: &[u8],
    expected: Option<Fingerprint>,
) -> Result<(), FileError> {
    let failed = || format!("cannot write `{path}`");
    let folder = resolved.parent().with_context(failed)?;
    remove_abandoned(folder, SystemTime::now());
    let mut temporary = create_temporary(folder, expected.is_some()).with_context(failed)?;
    temporary.write_all(bytes).with_context(failed)?;
    if expected.is_some() {
        copy_permissions(resolved, path, &temporary)?;
    }
    // First the content, then the name: in the other order, a power cut can leave the
    // name on an empty file.
    temporary.as_file().sync_all().with_context(failed)?;
    if let Some(expected) = expected {
        let file = open_nonblocking(resolved).with_context(failed)?;
        let old = Fingerprint::of_reader(BufReader::with_capacity(PIECE_BYTES, file));
        if old.with_context(failed)? != expected {
            return Err(changed_message(path).into());
        }
    }
    let renamed = match expected {
        Some(_) => temporary.persist(resolved),
        None => temporary.persist_noclobber(resolved),
    };
    renamed.map_err(|failure| rename_error(path, failure.error))?;
    sync_folder(folder);
    Ok(())
}

/// Removes the temporary files in `folder` that were last modified more than
/// [`ABANDONED_AFTER`] before `now`. A file that can't be inspected or removed stays; the
/// next call tries again.
pub fn remove_abandoned(folder: &Path, now: SystemTime) {
    let Ok(entries) = folder.read_dir() else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if !name.starts_with(TEMPORARY_PREFIX) || !name.ends_with(TEMPORARY_SUFFIX) {
            continue;
        }
        let Ok(metadata) = entry.metadata() else {
            continue;
        };
        let age = metadata.modified().map(|time| now.duration_since(time));
        if metadata.is_file() && matches!(age, Ok(Ok(age)) if age > ABANDONED_AFTER) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Creates an empty file in `folder`, which is removed when the value is dropped. If it
/// `is_private`, no other user can open it until its permissions are changed: the new
/// content may belong to a file that only its owner can read.
fn create_temporary(folder: &Path, is_private: bool) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(TEMPORARY_PREFIX).suffix(TEMPORARY_SUFFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Programs ask for 666, and the system removes what the user's umask forbids.
        let mode = if is_private { 0o600 } else { 0o666 };
        builder.permissions(fs::Permissions::from_mode(mode));
    }
    #[cfg(not(unix))]
    let _ = is_private;
    builder.tempfile_in(folder)
}

/// Gives `temporary` the permissions of the old file at `resolved`. Refuses an old file that
/// is write-protected.
fn copy_permissions(
    resolved: &Path,
    path: &str,
    temporary: &NamedTempFile,
) -> Result<(), FileError> {
    let failed = || format!("cannot write `{path}`");
    let permissions = resolved.metadata().with_context(failed)?.permissions();
    if permissions.readonly() {
        return Err(format!("`{path}` is write-protected; ask the user about it").into());
    }
    let copied = temporary.as_file().set_permissions(permissions);
    Ok(copied.with_context(failed)?)
}

/// The error of a rename that failed: a refusal if a file has this name by now.
fn rename_error(path: &str, error: io::Error) -> FileError {
    match error.kind() {
        ErrorKind::AlreadyExists => {
            FileError::Refused(format!("`{path}` was created meanwhile; read it first"))
        }
        _ => FileError::Failed(anyhow::Error::new(error).context(format!("cannot write `{path}`"))),
    }
}

/// Syncs the names in `folder` to the disk, if the system can. Windows has no call for it, and some
/// file systems refuse it, such as the shared folders of virtual machines. Errors are ignored: the
/// rename has succeeded, so the file has its new content.
fn sync_folder(folder: &Path) {
    if cfg!(unix) {
        let _ = File::open(folder).and_then(|it| it.sync_all());
    }
}
