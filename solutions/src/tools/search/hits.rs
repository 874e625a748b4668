//! What is found in one file.

use std::io;

use grep_matcher::Matcher;
use grep_regex::RegexMatcher;
use grep_searcher::{Searcher, Sink, SinkContext, SinkMatch};

use super::{MAX_LINE, Mode, excerpt};
use crate::tools::RESULT_LIMIT;

/// What was found in one file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Hits {
    /// How many matches there are: lines, unless a match may span several. Those that
    /// touch are then one, as the library reports them.
    pub matches: usize,
    /// What is shown of them, in order; nothing unless lines are asked for.
    pub lines: Vec<Line>,
    /// Whether the file turned out not to be text. Nothing in it counts.
    pub is_binary: bool,
}

/// One line of an answer.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Line {
    /// `12:let x = 1;` for each line of a match, `13-` and so on for a line near one, and
    /// `--` between two groups of lines that do not touch.
    pub text: String,
    /// Whether it is the first line of a match: so many lines, so many matches.
    pub is_match: bool,
}

/// What stands between two groups of lines of one file.
pub const GAP: &str = "--";

/// Takes what the library finds in one file, and makes [`Hits`] of it.
pub struct Collector<'a> {
    matcher: &'a RegexMatcher,
    mode: Mode,
    /// How many matches are shown at most.
    limit: usize,
    /// How many bytes of lines are stored so far.
    bytes: usize,
    /// What was found so far.
    pub hits: Hits,
}

impl<'a> Collector<'a> {
    /// One for a new file.
    pub fn new(matcher: &'a RegexMatcher, mode: Mode, limit: usize) -> Self {
        Self {
            matcher,
            mode,
            limit,
            bytes: 0,
            hits: Hits::default(),
        }
    }

    /// Whether more lines can be of use: an answer has at most `limit` matches and
    /// [`RESULT_LIMIT`] bytes, however many there are in the file.
    fn has_room(&self) -> bool {
        self.hits.matches <= self.limit && self.bytes <= RESULT_LIMIT
    }

    fn store(&mut self, text: String, is_match: bool) {
        self.bytes += text.len() + 1;
        self.hits.lines.push(Line { text, is_match });
    }
}

impl Sink for Collector<'_> {
    type Error = io::Error;

    /// Counts a match and stores its lines. The answer is whether the search goes on:
    /// where only files are asked for, one match is enough.
    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
        self.hits.matches += 1;
        let first = found.line_number().unwrap_or(0);
        for (number, line) in (first..).zip(found.lines()) {
            if self.mode != Mode::Content || !self.has_room() {
                break;
            }
            // Only in a long line does it matter where the match is.
            let at = match line.len() > MAX_LINE {
                true => self.matcher.find(line)?.map_or(0, |at| at.start()),
                false => 0,
            };
            self.store(format!("{number}:{}", excerpt(line, at)), number == first);
        }
        Ok(self.mode != Mode::Files)
    }

    /// Stores a line near a match.
    fn context(&mut self, _: &Searcher, line: &SinkContext<'_>) -> io::Result<bool> {
        if self.has_room() {
            let number = line.line_number().unwrap_or(0);
            self.store(format!("{number}-{}", excerpt(line.bytes(), 0)), false);
        }
        Ok(true)
    }

    /// Stores the mark between two groups.
    fn context_break(&mut self, _: &Searcher) -> io::Result<bool> {
        if self.has_room() {
            self.store(GAP.to_string(), false);
        }
        Ok(true)
    }

    /// The file is not text: the search of it ends, and what was found is not counted.
    fn binary_data(&mut self, _: &Searcher, _offset: u64) -> io::Result<bool> {
        self.hits = Hits {
            is_binary: true,
            ..Hits::default()
        };
        Ok(false)
    }
}
