//! A file's bytes, if it is a file.

use std::fs::{File, FileType, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

use anyhow::Context;

use crate::tools::FileError;

/// How large a file may be that is read, written or edited. It is held in memory whole,
/// several times over.
pub const MAX_FILE_BYTES: usize = 10 * 1024 * 1024;

/// The bytes of the file at `place`, which the model calls `path`.
///
/// Refused, by words that say what it is, are a folder, what is no regular file, and a
/// file of more than [`MAX_FILE_BYTES`]. It never waits for anybody: what is no regular
/// file isn't even opened, since opening a pipe waits for its writer and opening a
/// device may set something off. What can't be read has failed.
pub fn load_file(place: &Path, path: &str) -> Result<Vec<u8>, FileError> {
    let about = place
        .metadata()
        .with_context(|| format!("cannot open `{path}`"))?;
    if about.is_dir() {
        return Err(format!("`{path}` is a folder; `list` shows what is in it").into());
    }
    if !about.is_file() {
        let kind = special(about.file_type());
        return Err(format!("`{path}` is {kind} and no file; leave it alone").into());
    }
    let mut bytes = Vec::new();
    // Not by the size that was told above: the file may be growing.
    open(place)
        .and_then(|file| {
            let most = MAX_FILE_BYTES as u64 + 1;
            file.take(most).read_to_end(&mut bytes)
        })
        .with_context(|| format!("cannot read `{path}`"))?;
    if bytes.len() > MAX_FILE_BYTES {
        return Err(too_large(path, about.len()).into());
    }
    Ok(bytes)
}

/// What the model is told of a file that is larger than [`MAX_FILE_BYTES`].
pub(in crate::tools) fn too_large(path: &str, bytes: u64) -> String {
    format!(
        "`{path}` has {bytes} bytes, more than the {MAX_FILE_BYTES} that fit; `grep` finds lines in such a file, and `bash` can show or change a part of it"
    )
}

/// Opens a file for reading, and does not wait even if it has become a pipe meanwhile.
fn open(place: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    options.open(place)
}

/// What something is that is neither file nor folder.
fn special(kind: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return "a pipe";
        }
        if kind.is_socket() {
            return "a socket";
        }
        if kind.is_char_device() || kind.is_block_device() {
            return "a device";
        }
    }
    let _ = kind;
    "something special"
}
