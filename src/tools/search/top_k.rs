//! The first files in path order, collected from several threads.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::FileMatches;
use crate::tools::RESULT_LIMIT;

/// Collects the matches of all threads. It counts all of them, and keeps as many files as a
/// result has room for.
///
/// The kept files are always the first in path order of those added so far: just enough
/// to fill a result, or all of them if they don't fill it. So the result does not depend on
/// which thread is faster, and memory does not grow with the number of matches.
#[derive(Debug, Clone, PartialEq)]
pub struct TopK {
    /// How many matches fill a result. In the modes without lines: how many files.
    pub limit: usize,
    /// The matches and the bytes of the kept files, as counted by [`weight`].
    matches: usize,
    bytes: usize,
    /// The kept files by path. Paths compare name by name: `a/z` comes before `a-b`.
    pub files: BTreeMap<PathBuf, FileMatches>,
    /// The totals over all files, kept or not.
    pub totals: Totals,
}

/// The totals of a search.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Totals {
    /// Files searched, the binary ones included.
    pub searched: usize,
    /// Binary files.
    pub binary: usize,
    /// Files with a match.
    pub files: usize,
    /// Matches in all files.
    pub matches: usize,
    /// Files and folders that could not be read.
    pub unread: usize,
    /// Why one of those could not be read: the alphabetically first reason.
    pub reason: Option<String>,
}

impl TopK {
    /// An empty collection with room for `limit` matches.
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            matches: 0,
            bytes: 0,
            files: BTreeMap::new(),
            totals: Totals::default(),
        }
    }

    /// Whether a file at `path` would be kept: the result has room for it, or it comes
    /// before the last kept file.
    pub fn accepts(&self, path: &Path) -> bool {
        todo!("first-files-in-path-order: write TopK::accepts")
    }

    /// Counts a searched file, and keeps its matches if the file is
    /// [accepted](Self::accepts). Removes the last files while the result is full without
    /// them.
    pub fn add(&mut self, path: &Path, found: FileMatches) {
        todo!("first-files-in-path-order: write TopK::add")
    }

    /// Counts a file or folder that could not be read.
    pub fn add_unread(&mut self, reason: String) {
        todo!("first-files-in-path-order: write TopK::add_unread")
    }
}

/// Whether so many matches and bytes fill a result of `limit` matches.
fn is_full(matches: usize, bytes: usize, limit: usize) -> bool {
    matches >= limit || bytes >= RESULT_LIMIT
}

/// How many matches and bytes of a result a file takes. A file without lines takes one
/// match.
fn weight(path: &Path, found: &FileMatches) -> (usize, usize) {
    let lines = found.lines.iter();
    let matches = lines.clone().filter(|line| line.is_match).count();
    let bytes: usize = lines.map(|line| line.text.len() + 1).sum();
    (matches.max(1), path.as_os_str().len() + 2 + bytes)
}
