//! A file replaced in one step.
//!
//! The new content is written to a file beside the old one and then renamed over it.
//! Whoever opens the file, and whenever the program or the machine stops, finds the old
//! content whole or the new.
//!
//! Kept are the content's neighbours in the folder, the name and the permission bits. Not
//! kept is what belongs to the old file itself: its owner, where that is somebody else;
//! extended attributes and access lists; and its other names, which are hard links and
//! go on showing the old content.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::time::{Duration, SystemTime};

use anyhow::Context;
use tempfile::{Builder, NamedTempFile, PersistError};

use crate::tools::{FileError, Fingerprint, changed, load_file};

/// How the file beside the file is called: this, some letters, and [`TEMPORARY_END`].
pub const TEMPORARY_START: &str = ".claw-";

/// See [`TEMPORARY_START`].
pub const TEMPORARY_END: &str = ".tmp";

/// After what time a temporary file is taken for one that a killed program has left.
pub const ABANDONED: Duration = Duration::from_secs(60 * 60);

/// Makes `bytes` the content of the file at `place`, which the model calls `path`. The
/// folder must be there.
///
/// `before` is what the file has to hold until then; `None` if there must be no such
/// file. That is looked at again when the new content is safe on the disk, directly
/// before the rename: a file that has changed, or has come to be, is refused and stays
/// as it is. So is one that is write-protected, which a rename would not care about.
///
/// A new file has the permissions that the system gives to any new file. A failure
/// leaves no temporary file behind; a kill may, and such files are cleared away by a
/// later call for the same folder.
pub fn replace_file(
    place: &Path,
    path: &str,
    bytes: &[u8],
    before: Option<Fingerprint>,
) -> Result<(), FileError> {
    let failed = || format!("cannot write `{path}`");
    let folder = place.parent().with_context(failed)?;
    clear_abandoned(folder, SystemTime::now());
    let mut file = beside(folder, before.is_some()).with_context(failed)?;
    file.write_all(bytes).with_context(failed)?;
    if before.is_some() {
        let permissions = place.metadata().with_context(failed)?.permissions();
        if permissions.readonly() {
            return Err(format!("`{path}` is write-protected; ask the user about it").into());
        }
        let changed = file.as_file().set_permissions(permissions);
        changed.with_context(failed)?;
    }
    // First the content, then the name: in the other order, a power cut can leave the
    // name on an empty file.
    file.as_file().sync_all().with_context(failed)?;
    let renamed = match before {
        Some(before) if before != Fingerprint::of(&load_file(place, path)?) => {
            return Err(changed(path).into());
        }
        Some(_) => file.persist(place),
        None => file.persist_noclobber(place),
    };
    if let Err(PersistError { error, .. }) = renamed {
        return Err(match error.kind() {
            ErrorKind::AlreadyExists => {
                FileError::Refused(format!("`{path}` has come to be meanwhile; read it first"))
            }
            _ => FileError::Failed(anyhow::Error::new(error).context(failed())),
        });
    }
    sync(folder).with_context(failed)?;
    Ok(())
}

/// Removes from `folder` what killed programs have left in it: files named as temporary
/// ones, unchanged since [`ABANDONED`] before `now`. Whatever can't be looked at or
/// removed stays; the next call will try again.
pub fn clear_abandoned(folder: &Path, now: SystemTime) {
    let Ok(entries) = folder.read_dir() else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if !name.starts_with(TEMPORARY_START) || !name.ends_with(TEMPORARY_END) {
            continue;
        }
        let Ok(about) = entry.metadata() else {
            continue;
        };
        let age = about.modified().map(|time| now.duration_since(time));
        if about.is_file() && matches!(age, Ok(Ok(age)) if age > ABANDONED) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// A new, empty file in `folder`, removed when the value is dropped. One that `is_private`
/// nobody else can open until it is given other permissions: what goes into it may be the
/// new content of a file that only its owner reads.
fn beside(folder: &Path, is_private: bool) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(TEMPORARY_START).suffix(TEMPORARY_END);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // 666 is what any program asks for; the system takes off what the user's mask
        // forbids.
        let mode = if is_private { 0o600 } else { 0o666 };
        builder.permissions(fs::Permissions::from_mode(mode));
    }
    builder.tempfile_in(folder)
}

/// Has the disk keep the names in `folder` as they are now. Windows can't be asked to.
fn sync(folder: &Path) -> io::Result<()> {
    match cfg!(unix) {
        true => File::open(folder)?.sync_all(),
        false => Ok(()),
    }
}
