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
    todo!("6.8: write replace_file")
}

/// Removes from `folder` what killed programs have left in it: files named as temporary
/// ones, unchanged since [`ABANDONED`] before `now`. Whatever can't be looked at or
/// removed stays; the next call will try again.
pub fn clear_abandoned(folder: &Path, now: SystemTime) {
    todo!("6.8: write clear_abandoned")
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
