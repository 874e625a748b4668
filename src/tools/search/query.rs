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
    todo!("search-pattern: write compile")
}

/// Tells the model how to fix a pattern that the parser refused.
pub fn hint(error: &regex_syntax::Error) -> &'static str {
    todo!("search-pattern: write hint")
}

/// The hint for all other mistakes.
const ESCAPE_HINT: &str =
    r"To match a special character literally, write a `\` before it, or set `literal` to true.";
