//! The receiver of what the search library finds in one file.

use std::io;

use grep_matcher::Matcher;
use grep_regex::RegexMatcher;
use grep_searcher::{Searcher, Sink, SinkContext, SinkContextKind, SinkMatch};

use super::{
    CONTEXT_LEFT_OUT, CONTEXT_SEPARATOR, FileMatches, MAX_LINE, OutputLine, OutputMode, excerpt,
};
use crate::tools::RESULT_LIMIT;

/// Receives what the library finds in one file, and collects it as [`FileMatches`].
pub struct Collector<'a> {
    matcher: &'a RegexMatcher,
    mode: OutputMode,
    /// The largest number of matches that a result shows.
    limit: usize,
    /// The bytes of the lines stored so far.
    bytes: usize,
    /// The matches found so far.
    pub matches: FileMatches,
}

impl<'a> Collector<'a> {
    /// A collector for a new file.
    pub fn new(matcher: &'a RegexMatcher, mode: OutputMode, limit: usize) -> Self {
        Self {
            matcher,
            mode,
            limit,
            bytes: 0,
            matches: FileMatches::default(),
        }
    }

    /// Whether the result has room for more lines of this file. A result has at most
    /// `limit` matches and [`RESULT_LIMIT`] bytes, and lines only in the mode `Content`.
    fn has_room(&self) -> bool {
        self.mode == OutputMode::Content
            && self.matches.count <= self.limit
            && self.bytes <= RESULT_LIMIT
    }

    /// Whether the result also has room for another match of this file.
    fn has_room_for_next(&self) -> bool {
        self.has_room() && self.matches.count < self.limit
    }

    /// Appends a line. Before the first match, removes the earlier half of the context lines
    /// when they fill three quarters of a result, so that the match always has room.
    fn store(&mut self, text: String, is_match: bool) {
        self.bytes += text.len() + 1;
        let lines = &mut self.matches.lines;
        lines.push(OutputLine { text, is_match });
        if self.matches.count == 0 && self.bytes > RESULT_LIMIT / 4 * 3 {
            let note = OutputLine {
                text: CONTEXT_LEFT_OUT.to_string(),
                is_match: false,
            };
            lines.splice(..lines.len().div_ceil(2), [note]);
            self.bytes = lines.iter().map(|line| line.text.len() + 1).sum();
        }
    }
}

impl Sink for Collector<'_> {
    type Error = io::Error;

    /// Counts a match and stores its lines while there is room. Returns whether to continue
    /// the search: one match is enough to name a file ([`OutputMode::Files`]).
    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
        todo!("matches-in-one-file: write Collector::matched")
    }

    /// Stores a context line while there is room. A line before a match is useless without
    /// the match, so it needs room for the next one.
    fn context(&mut self, _: &Searcher, line: &SinkContext<'_>) -> io::Result<bool> {
        todo!("matches-in-one-file: write Collector::context")
    }

    /// Stores the separator between two groups of lines while there is room for the next
    /// match.
    fn context_break(&mut self, _: &Searcher) -> io::Result<bool> {
        todo!("matches-in-one-file: write Collector::context_break")
    }

    /// The file is binary: discards its matches and ends the search of it.
    fn binary_data(&mut self, _: &Searcher, _offset: u64) -> io::Result<bool> {
        todo!("matches-in-one-file: write Collector::binary_data")
    }
}
