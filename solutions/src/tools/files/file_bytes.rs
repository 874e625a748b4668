//! Reads the bytes of a regular file.

use std::fs::{File, FileType, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

use anyhow::Context;

use crate::tools::FileError;

/// The size limit, in bytes, of a file that is read, written or edited. Each tool holds
/// several copies of a file in memory.
pub const MAX_FILE_BYTES: usize = 10 * 1024 * 1024;

/// The bytes of the file at `resolved`, an absolute path. `path` is the path as the
/// model wrote it, for messages.
///
/// Refuses a folder, anything else that is not a regular file, and a file of more than
/// [`MAX_FILE_BYTES`]; the message says which of these it is. An I/O error is
/// [`FileError::Failed`].
///
/// Never blocks on a special file. It does not even open one, since opening a pipe waits
/// for a writer and opening a device may have side effects.
pub fn load_file(resolved: &Path, path: &str) -> Result<Vec<u8>, FileError> {
    let metadata = resolved
        .metadata()
        .with_context(|| format!("cannot open `{path}`"))?;
    if metadata.is_dir() {
        return Err(format!("`{path}` is a folder; `list` shows what is in it").into());
    }
    if !metadata.is_file() {
        let kind = special_file_kind(metadata.file_type());
        return Err(format!("`{path}` is {kind}, not a regular file; leave it alone").into());
    }
    let limit = MAX_FILE_BYTES as u64 + 1;
    let mut bytes = Vec::with_capacity(metadata.len().min(limit) as usize);
    // The size in `metadata` may be outdated: another program may be appending.
    open_nonblocking(resolved)
        .and_then(|file| file.take(limit).read_to_end(&mut bytes))
        .with_context(|| format!("cannot read `{path}`"))?;
    if bytes.len() > MAX_FILE_BYTES {
        // A file that grows may be larger by now than its metadata says.
        let size = metadata.len().max(bytes.len() as u64);
        return Err(too_large_message(path, size).into());
    }
    Ok(bytes)
}

/// Error text for a file of more than [`MAX_FILE_BYTES`].
pub(in crate::tools) fn too_large_message(path: &str, bytes: u64) -> String {
    format!(
        "`{path}` has {bytes} bytes, and the limit is {MAX_FILE_BYTES}; use `grep` to find lines in it, and `bash` to show or change a part of it"
    )
}

/// Opens a file for reading. Does not block or follow a link, even if a pipe or a link has
/// replaced the file since its type was checked.
pub(in crate::tools) fn open_nonblocking(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        &mut options,
        libc::O_NONBLOCK | libc::O_NOFOLLOW,
    );
    options.open(path)
}

/// The noun, with its article, for something that is neither a file nor a folder.
fn special_file_kind(kind: FileType) -> &'static str {
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
    "a special file"
}
