//! The search pattern and its error messages.

use grep_regex::{ErrorKind, RegexMatcher, RegexMatcherBuilder};
use regex_syntax::ParserBuilder;
use serde_json::Value;

/// What to search for in a line.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Query {
    /// A regular expression in the syntax of the crate `regex` or, if `literal` is set,
    /// plain text.
    pub pattern: String,
    /// Whether the pattern is plain text without special characters.
    pub literal: bool,
    /// Whether to ignore the difference between upper and lower case.
    pub ignore_case: bool,
    /// Whether a match may span several lines.
    pub multiline: bool,
}

impl Query {
    /// The query in a call's arguments. A missing argument is empty or `false`.
    pub fn from_args(args: &Value) -> Self {
        let is_set = |name: &str| args[name].as_bool().unwrap_or(false);
        Self {
            pattern: args["pattern"].as_str().unwrap_or_default().to_string(),
            literal: is_set("literal"),
            ignore_case: is_set("ignore_case"),
            multiline: is_set("multiline"),
        }
    }
}

/// The largest size of a compiled pattern in bytes, and of the cache that each thread
/// fills while it searches.
pub const MAX_PATTERN: usize = 10 * 1024 * 1024;

/// Compiles the query. `^` and `$` match at the beginning and the end of a line, and a line
/// may end in `\n` or in `\r\n`.
///
/// The error is a message for the model. An invalid regular expression is shown with the
/// position of the mistake, and the [`hint`] on the last line. An empty pattern is an error
/// too, since it would match every line. Its message names `glob`, for a model that looks
/// for file names.
pub fn compile(query: &Query) -> Result<RegexMatcher, String> {
    if query.pattern.is_empty() {
        return Err(EMPTY_PATTERN.to_string());
    }
    if !query.literal {
        // The matcher's builder wraps the pattern in a group before it parses it. Its errors
        // would show that group, and it would accept `a)|(b`.
        let mut parser = ParserBuilder::new().utf8(false).build();
        let parsed = parser.parse(&query.pattern);
        parsed.map_err(|error| syntax_message(&error))?;
    }
    let mut builder = RegexMatcherBuilder::new();
    builder
        .multi_line(true)
        .crlf(true)
        .size_limit(MAX_PATTERN)
        .dfa_size_limit(MAX_PATTERN)
        .case_insensitive(query.ignore_case)
        .fixed_strings(query.literal);
    if query.multiline {
        // By default, the matcher keeps line endings out of every match.
        builder.line_terminator(None);
    }
    let built = builder.build(&query.pattern);
    built.map_err(|error| build_message(&error))
}

const EMPTY_PATTERN: &str =
    "the pattern is empty and would match every line; to find files by name, call glob";

/// Error text for a pattern that the parser refused: the parser's message, and the [`hint`]
/// on the last line.
fn syntax_message(error: &regex_syntax::Error) -> String {
    format!(
        "the pattern is not a valid regular expression: {error}\n{}",
        hint(error)
    )
}

/// Error text for a pattern that the matcher's builder refused.
fn build_message(error: &grep_regex::Error) -> String {
    match error.kind() {
        ErrorKind::NotAllowed(_) => format!(
            "the pattern can't match: {error}. Lines are searched one at a time, without their line endings. Use `$` for the end of a line, or set `multiline` to true to search across lines"
        ),
        _ => format!("the pattern can't be compiled: {error}"),
    }
}

/// Tells the model how to fix a pattern that the parser refused.
pub fn hint(error: &regex_syntax::Error) -> &'static str {
    use regex_syntax::ast::ErrorKind::*;
    let regex_syntax::Error::Parse(error) = error else {
        return ESCAPE_HINT;
    };
    match error.kind() {
        GroupUnclosed | GroupUnopened => {
            r"To match a parenthesis literally, write `\(` or `\)`, or set `literal` to true."
        }
        ClassUnclosed | ClassRangeInvalid | ClassRangeLiteral => {
            r"To match a bracket literally, write `\[`, or set `literal` to true."
        }
        RepetitionMissing
        | RepetitionCountUnclosed
        | RepetitionCountDecimalEmpty
        | RepetitionCountInvalid
        | DecimalEmpty
        | DecimalInvalid => {
            r"To match `{`, `*`, `+` or `?` literally, write a `\` before it, or set `literal` to true."
        }
        UnsupportedLookAround | UnsupportedBackreference => {
            "Search for a wider pattern without this construct, and select from the matches."
        }
        EscapeUnexpectedEof | EscapeUnrecognized | EscapeHexInvalidDigit => {
            r"To match a `\` literally, write `\\`, or set `literal` to true."
        }
        _ => ESCAPE_HINT,
    }
}

/// The hint for all other mistakes.
const ESCAPE_HINT: &str =
    r"To match a special character literally, write a `\` before it, or set `literal` to true.";
