//! One file, searched.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use grep_matcher::LineTerminator;
use grep_regex::RegexMatcher;
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::{Collector, Hits, Query};

/// How many bytes of a file are in memory at once: of a longer line, or of a longer file
/// where a match may span lines, nothing is found.
pub const MAX_MEMORY: usize = 32 * 1024 * 1024;

/// How many matches or files an answer has unless the call says otherwise.
pub const LIMIT: usize = 200;

/// What an answer consists of.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Mode {
    /// The lines that match, with their numbers.
    #[default]
    Content,
    /// The files with a match in them.
    Files,
    /// The files with a match in them, and how many matches each has.
    Count,
}

/// What is to be told of the matches.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// Lines, files or counts.
    pub mode: Mode,
    /// How many lines before a match are shown with it.
    pub before: usize,
    /// How many lines after a match are shown with it.
    pub after: usize,
    /// How many matches, or where none are shown, how many files.
    pub limit: usize,
}

impl Shape {
    /// The shape in a call's arguments. `before` and `after` each win over `context`,
    /// which stands for both.
    pub fn from_args(args: &Value) -> Self {
        // Not `as_u64`: by its schema, 3.0 is an integer as well.
        let number = |name: &str| args[name].as_f64().map(|number| number as usize);
        let context = number("context").unwrap_or(0);
        Self {
            mode: match args["output_mode"].as_str() {
                Some("files") => Mode::Files,
                Some("count") => Mode::Count,
                _ => Mode::Content,
            },
            before: number("before").unwrap_or(context),
            after: number("after").unwrap_or(context),
            limit: number("limit").unwrap_or(LIMIT),
        }
    }
}

impl Default for Shape {
    /// Lines, none around them, and [`LIMIT`] of them.
    fn default() -> Self {
        Self::from_args(&Value::Null)
    }
}

/// Searches one file after another. Each thread has its own, which reuses its buffers.
pub struct Search<'a> {
    matcher: &'a RegexMatcher,
    shape: &'a Shape,
    stop: &'a CancellationToken,
    searcher: Searcher,
}

impl<'a> Search<'a> {
    /// A search for what `matcher` finds; it was made of `query`.
    pub fn new(
        matcher: &'a RegexMatcher,
        query: &Query,
        shape: &'a Shape,
        stop: &'a CancellationToken,
    ) -> Self {
        let is_content = shape.mode == Mode::Content;
        // No memory maps, which ripgrep uses for single files: reading is as fast, and a
        // file that shrinks while it is mapped would end the program.
        let searcher = SearcherBuilder::new()
            .line_terminator(LineTerminator::crlf())
            .line_number(is_content)
            .before_context(if is_content { shape.before } else { 0 })
            .after_context(if is_content { shape.after } else { 0 })
            .multi_line(query.multiline)
            .binary_detection(BinaryDetection::quit(0))
            .heap_limit(Some(MAX_MEMORY))
            .build();
        Self {
            matcher,
            shape,
            stop,
            searcher,
        }
    }

    /// What is found in the file at `path`. Where `is_shown` is false, matches are
    /// counted and no lines stored.
    ///
    /// A file with a NUL in it is binary. One that begins with a byte order mark is read
    /// as UTF-8 or UTF-16, as the mark says. Once the search is cancelled, this is an
    /// error, within one read of the file.
    pub fn file(&mut self, path: &Path, is_shown: bool) -> io::Result<Hits> {
        todo!("8.9: write Search::file")
    }
}

/// A file that can be read until somebody says stop.
struct Stoppable<'a> {
    file: File,
    stop: &'a CancellationToken,
}

impl Read for Stoppable<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.stop.is_cancelled() {
            true => Err(io::Error::other("the search was cancelled")),
            false => self.file.read(buffer),
        }
    }
}
