//! The lines that are meant: a pattern, and what is wrong with it.

use grep_regex::{ErrorKind, RegexMatcher, RegexMatcherBuilder};
use regex_syntax::ParserBuilder;
use serde_json::Value;

/// What a line must have in it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Query {
    /// A regular expression in the syntax of the crate `regex`, or, if `literal`, the text
    /// itself.
    pub pattern: String,
    /// Whether the pattern is plain text in which no character is special.
    pub literal: bool,
    /// Whether upper and lower case are the same.
    pub ignore_case: bool,
    /// Whether a match may go on behind the end of a line.
    pub multiline: bool,
}

impl Query {
    /// The query in a call's arguments. What is left out is empty or `false`.
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

/// How many bytes a compiled pattern may take up, and again what each thread remembers of
/// it while it searches.
pub const MAX_PATTERN: usize = 10 * 1024 * 1024;

/// The query as something that finds. `^` and `$` mean the beginning and the end of a
/// line, and a line may end in `\n` or in `\r\n`.
///
/// The error is for the model to read: what is wrong, and for a pattern that is no
/// regular expression also where, and the [`hint`] on a last line. An empty pattern is
/// an error too, as it would match every line there is; whoever writes it may want the
/// names of files, and is told of `glob`.
pub fn compile(query: &Query) -> Result<RegexMatcher, String> {
    if query.pattern.is_empty() {
        return Err(
            "the pattern is empty and would match every line; to find files by name, call glob"
                .to_string(),
        );
    }
    if !query.literal {
        // The matcher's builder parses it again, inside a group: its errors would show a
        // pattern that nobody wrote, and `a)(b` would be none.
        let mut parser = ParserBuilder::new().utf8(false).build();
        parser.parse(&query.pattern).map_err(|error| {
            format!(
                "the pattern is not a regular expression: {error}\n{}",
                hint(&error)
            )
        })?;
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
        // Unless told otherwise, the matcher keeps the ends of lines out of every match.
        builder.line_terminator(None);
    }
    builder
        .build(&query.pattern)
        .map_err(|error| match error.kind() {
            ErrorKind::NotAllowed(_) => format!(
                "the pattern cannot match: {error}. Lines are searched one by one and without their ends; `$` means an end, and `multiline` searches across them"
            ),
            _ => format!("the pattern cannot be searched for: {error}"),
        })
}

/// What can be done about an error of the parser.
pub fn hint(error: &regex_syntax::Error) -> &'static str {
    use regex_syntax::ast::ErrorKind::*;
    let regex_syntax::Error::Parse(error) = error else {
        return LITERAL;
    };
    match error.kind() {
        GroupUnclosed | GroupUnopened => {
            r"To find a parenthesis itself, write `\(` or `\)`, or set `literal` to true."
        }
        ClassUnclosed | ClassRangeInvalid | ClassRangeLiteral => {
            r"To find a bracket itself, write `\[`, or set `literal` to true."
        }
        RepetitionMissing
        | RepetitionCountUnclosed
        | RepetitionCountDecimalEmpty
        | RepetitionCountInvalid
        | DecimalEmpty
        | DecimalInvalid => {
            r"To find `{`, `*`, `+` or `?` itself, write a `\` before it, or set `literal` to true."
        }
        UnsupportedLookAround | UnsupportedBackreference => {
            "Search for a wider pattern without it, and pick from what is found."
        }
        EscapeUnexpectedEof | EscapeUnrecognized | EscapeHexInvalidDigit => {
            r"To find a `\` itself, write `\\`, or set `literal` to true."
        }
        _ => LITERAL,
    }
}

const LITERAL: &str =
    r"To find a character itself, write a `\` before it, or set `literal` to true.";
