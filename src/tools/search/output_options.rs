//! The parameters of a search that shape its result.

use serde_json::Value;

/// How many matches or files a result shows unless the call has a `limit`.
pub const DEFAULT_LIMIT: usize = 200;

/// What a result lists.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum OutputMode {
    /// Matching lines with their numbers.
    #[default]
    Content,
    /// Files with at least one match.
    Files,
    /// Files with at least one match, and the number of matches in each.
    Count,
}

/// How to present the matches.
#[derive(Debug, Clone, PartialEq)]
pub struct OutputOptions {
    /// Lines, files or counts.
    pub mode: OutputMode,
    /// How many lines to show before each match.
    pub before: usize,
    /// How many lines to show after each match.
    pub after: usize,
    /// The largest number of matches to show. In the modes without lines: of files.
    pub limit: usize,
}

impl OutputOptions {
    /// The options in a call's arguments. `context` sets both `before` and `after`, and
    /// each of those overrides it.
    pub fn from_args(args: &Value) -> Self {
        // Not `as_u64`: to JSON Schema, 3.0 is an integer too.
        let number = |name: &str| args[name].as_f64().map(|number| number as usize);
        let context = number("context").unwrap_or(0);
        Self {
            mode: match args["output_mode"].as_str() {
                Some("files") => OutputMode::Files,
                Some("count") => OutputMode::Count,
                _ => OutputMode::Content,
            },
            before: number("before").unwrap_or(context),
            after: number("after").unwrap_or(context),
            limit: number("limit").unwrap_or(DEFAULT_LIMIT),
        }
    }
}

impl Default for OutputOptions {
    /// Lines without context, at most [`DEFAULT_LIMIT`] matches.
    fn default() -> Self {
        Self::from_args(&Value::Null)
    }
}
