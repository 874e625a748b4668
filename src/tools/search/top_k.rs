//! Order out of disorder: the first files in path order, whatever order they come in.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::Hits;
use crate::tools::RESULT_LIMIT;

/// What several threads have found: all of it counted, and of the files as many kept as
/// an answer has room for.
///
/// The files kept are always the first in path order of those that came: just enough of
/// them to fill the answer, or all if they do not. So the answer is the same whatever
/// thread was faster, and memory does not grow with what is found.
#[derive(Debug, Clone, PartialEq)]
pub struct Kept {
    /// How many matches fill the answer; where no lines are shown, how many files.
    pub limit: usize,
    /// How many matches and how many bytes are kept.
    matches: usize,
    bytes: usize,
    /// What is kept, by path. Paths are compared name by name: `a/z` comes before `a-b`.
    pub files: BTreeMap<PathBuf, Hits>,
    /// How much there is in all.
    pub tally: Tally,
}

/// Everything counted.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tally {
    /// Files that were looked into.
    pub searched: usize,
    /// Those of them that are not text.
    pub binary: usize,
    /// Those with a match.
    pub files: usize,
    /// Matches in all of them.
    pub matches: usize,
    /// Files and folders that could not be read.
    pub unread: usize,
    /// Why one of those could not: of all reasons the first in the order of text.
    pub reason: Option<String>,
}

impl Kept {
    /// Nothing yet, with room for `limit` matches.
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            matches: 0,
            bytes: 0,
            files: BTreeMap::new(),
            tally: Tally::default(),
        }
    }

    /// Whether what is found at `path` could still be part of the answer.
    pub fn wants(&self, path: &Path) -> bool {
        todo!("8.5: write Kept::wants")
    }

    /// Counts a file that was searched, and keeps what was found in it if it is wanted.
    /// Files at the end that the answer no longer needs are let go.
    pub fn add(&mut self, path: &Path, hits: Hits) {
        todo!("8.5: write Kept::add")
    }

    /// Counts something that could not be read.
    pub fn add_unread(&mut self, reason: String) {
        todo!("8.5: write Kept::add_unread")
    }
}

/// Whether so much fills an answer of `limit` matches.
fn fills(matches: usize, bytes: usize, limit: usize) -> bool {
    matches >= limit || bytes >= RESULT_LIMIT
}

/// How many matches of an answer a file takes up, and how many bytes. A file of which
/// no lines are shown counts as one match.
fn weight(path: &Path, hits: &Hits) -> (usize, usize) {
    let lines = hits.lines.iter();
    let matches = lines.clone().filter(|line| line.is_match).count();
    let bytes: usize = lines.map(|line| line.text.len() + 1).sum();
    (matches.max(1), path.as_os_str().len() + 2 + bytes)
}
