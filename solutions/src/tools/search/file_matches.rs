//! The matches found in one file.

/// The matches found in one file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FileMatches {
    /// The number of matches. Without `multiline`, each matching line is one match. With it,
    /// a match may span lines, and the library reports adjacent matches as one.
    pub count: usize,
    /// The lines to show, in file order. Empty unless the call asks for lines.
    pub lines: Vec<OutputLine>,
    /// Whether the file is not text. Then it has no matches.
    pub is_binary: bool,
}

/// One line of a search result.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct OutputLine {
    /// `12:let x = 1;` for a line of a match, `13-}` for a context line,
    /// [`CONTEXT_SEPARATOR`] between two groups of lines that are not adjacent, and
    /// [`CONTEXT_LEFT_OUT`].
    pub text: String,
    /// Whether this is the first line of a match. One such line is one match.
    pub is_match: bool,
}

/// The line between two groups of lines of one file.
pub const CONTEXT_SEPARATOR: &str = "--";

/// The line in place of context lines before the first match that have no room.
pub const CONTEXT_LEFT_OUT: &str = "[earlier context lines have no room: ask for fewer]";
