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
        let last = self.files.last_key_value();
        !fills(self.matches, self.bytes, self.limit)
            || last.is_some_and(|(last, _)| path < last.as_path())
    }

    /// Counts a file that was searched, and keeps what was found in it if it is wanted.
    /// Files at the end that the answer no longer needs are let go.
    pub fn add(&mut self, path: &Path, hits: Hits) {
        self.tally.searched += 1;
        self.tally.binary += usize::from(hits.is_binary);
        if hits.matches == 0 {
            return;
        }
        self.tally.files += 1;
        self.tally.matches += hits.matches;
        if !self.wants(path) {
            return;
        }
        let (matches, bytes) = weight(path, &hits);
        self.matches += matches;
        self.bytes += bytes;
        self.files.insert(path.to_path_buf(), hits);
        while let Some(last) = self.files.last_entry() {
            let (matches, bytes) = weight(last.key(), last.get());
            if !fills(self.matches - matches, self.bytes - bytes, self.limit) {
                break;
            }
            last.remove();
            self.matches -= matches;
            self.bytes -= bytes;
        }
    }

    /// Counts something that could not be read.
    pub fn add_unread(&mut self, reason: String) {
        self.tally.unread += 1;
        let first = self.tally.reason.take().unwrap_or_else(|| reason.clone());
        self.tally.reason = Some(first.min(reason));
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
