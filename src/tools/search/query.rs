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
    todo!("8.1: write compile")
}

/// What can be done about an error of the parser.
pub fn hint(error: &regex_syntax::Error) -> &'static str {
    todo!("8.1: write hint")
}

const LITERAL: &str =
    r"To find a character itself, write a `\` before it, or set `literal` to true.";
