//! The output of a hook, in a bounded amount of memory.

use tokio::io::{AsyncRead, AsyncReadExt};

/// The number of bytes kept of a hook's standard output, and of its standard error: 1 MiB.
/// Rewritten arguments may hold the whole text of a file.
pub const MAX_OUTPUT_BYTES: usize = 1024 * 1024;

/// The size of the read buffer, in bytes: the capacity of a pipe on Linux.
const READ_BUFFER_BYTES: usize = 64 * 1024;

/// The beginning of what a process wrote.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Captured {
    /// The first bytes, at most [`MAX_OUTPUT_BYTES`].
    pub bytes: Vec<u8>,
    /// Whether more was written.
    pub is_truncated: bool,
}

/// What a hook wrote.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct HookOutput {
    /// Its standard output.
    pub stdout: Captured,
    /// Its standard error.
    pub stderr: Captured,
}

impl Captured {
    /// The text without spaces and line ends around it, and without a byte order mark. Invalid bytes
    /// become U+FFFD.
    pub fn text(&self) -> String {
        let text = String::from_utf8_lossy(&self.bytes);
        text.trim_start_matches('\u{feff}').trim().to_string()
    }
}

/// Reads a pipe to its end. The first [`MAX_OUTPUT_BYTES`] are added to `captured` as they
/// arrive, and the rest is read and dropped, so that the process that writes never waits. An error
/// counts as the end.
pub async fn read_bounded(mut pipe: impl AsyncRead + Unpin, captured: &mut Captured) {
    let mut buffer = vec![0; READ_BUFFER_BYTES];
    while let Ok(read) = pipe.read(&mut buffer).await
        && read > 0
    {
        let room = MAX_OUTPUT_BYTES - captured.bytes.len();
        captured.bytes.extend_from_slice(&buffer[..read.min(room)]);
        captured.is_truncated |= read > room;
    }
}
