//! The search of one file.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use grep_matcher::LineTerminator;
use grep_regex::RegexMatcher;
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};
use tokio_util::sync::CancellationToken;

use super::{Collector, FileMatches, OutputMode, OutputOptions, Query};
use crate::tools::open_nonblocking;

/// How many bytes of a file are in memory at once. The search finds nothing in a longer
/// line or, with `multiline`, in a longer file.
pub const MAX_MEMORY: usize = 32 * 1024 * 1024;

/// Searches files, one after another. Each thread has its own, which reuses its buffers.
pub struct FileSearcher<'a> {
    matcher: &'a RegexMatcher,
    options: &'a OutputOptions,
    stop: &'a CancellationToken,
    searcher: Searcher,
}

impl<'a> FileSearcher<'a> {
    /// A searcher for `matcher`, which was compiled from `query`.
    pub fn new(
        matcher: &'a RegexMatcher,
        query: &Query,
        options: &'a OutputOptions,
        stop: &'a CancellationToken,
    ) -> Self {
        let is_content = options.mode == OutputMode::Content;
        // Without memory maps, which ripgrep uses for single files: reading is as fast, and
        // a mapped file that shrinks would crash the program.
        let searcher = SearcherBuilder::new()
            .line_terminator(LineTerminator::crlf())
            .line_number(is_content)
            .before_context(if is_content { options.before } else { 0 })
            .after_context(if is_content { options.after } else { 0 })
            .multi_line(query.multiline)
            .binary_detection(BinaryDetection::quit(0))
            .heap_limit(Some(MAX_MEMORY))
            .build();
        Self {
            matcher,
            options,
            stop,
            searcher,
        }
    }

    /// Searches the file at `path`, which has no symbolic links. Without `needs_lines`, it
    /// counts matches and stores no lines.
    ///
    /// A file with a NUL byte is binary. A byte order mark selects UTF-8 or UTF-16. Once
    /// the search is cancelled, this fails within one read of the file.
    pub fn search(&mut self, path: &Path, needs_lines: bool) -> io::Result<FileMatches> {
        todo!("matches-in-one-file: write FileSearcher::search")
    }
}

/// Opens the file at `path`, which has no symbolic links. On Linux, it is an error if another
/// program has put one there since.
fn open_itself(path: &Path) -> io::Result<File> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat2};
        use rustix::io::Errno;
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        match openat2(CWD, path, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS) {
            // Linux before 5.6 does not have this call, and some containers forbid it.
            Err(Errno::NOSYS | Errno::PERM) => open_and_compare(path),
            Err(Errno::LOOP) => Err(io::Error::other("a link has replaced it")),
            opened => Ok(File::from(opened?)),
        }
    }
    #[cfg(not(target_os = "linux"))]
    open_nonblocking(path)
}

/// Like [`open_itself`], by comparing the path of the file that was opened. It works on every
/// Linux, but takes as long as opening the file twice.
#[cfg(target_os = "linux")]
fn open_and_compare(path: &Path) -> io::Result<File> {
    use std::os::fd::AsRawFd;
    let file = open_nonblocking(path)?;
    let opened = std::fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd()))?;
    match opened == path {
        true => Ok(file),
        false => Err(io::Error::other("a link has replaced it")),
    }
}

/// A file whose reads fail once the search is cancelled.
struct CancellableFile<'a> {
    file: File,
    stop: &'a CancellationToken,
}

impl Read for CancellableFile<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.stop.is_cancelled() {
            true => Err(io::Error::other("the search was cancelled")),
            false => self.file.read(buffer),
        }
    }
}
