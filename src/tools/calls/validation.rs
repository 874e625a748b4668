//! A call's arguments against the tool's schema, in words that let a model mend them.

use std::fmt;

use serde_json::Value;

use crate::tools::{Mismatch, Problem, Step, mismatches};
use crate::types::{ToolDefinition, ValidationResult};

/// The code of arguments that do not fit the schema.
pub const BAD_ARGUMENTS: u32 = 1;

/// The code of a schema that is no valid JSON Schema. No arguments will do.
pub const BROKEN_SCHEMA: u32 = 2;

/// How many problems of one call are told. Whoever mends these has understood the rest.
pub const MAX_PROBLEMS: usize = 10;

/// How many characters of a wrong value are shown.
pub const MAX_SHOWN: usize = 60;

/// The way to a value as a model would write it, in backticks: `` `edits[2].old` ``. A
/// name that is not made of letters, digits, `_` and `-` alone stands in brackets, as
/// JSON: `` `headers["a.b"]` ``. The empty path is `the arguments`, without backticks.
pub fn path_text(path: &[Step]) -> String {
    todo!("3.5: write path_text")
}

fn is_plain(name: &str) -> bool {
    let fits = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-');
    !name.is_empty() && name.chars().all(fits)
}

/// A value as JSON on one line. Of a longer one, the first [`MAX_SHOWN`] characters
/// are shown and then `…`.
pub fn shown(value: &Value) -> String {
    todo!("3.5: write shown")
}

/// One sentence, without a full stop, that begins with the value's path:
///
/// - ``` `path` is required ```
/// - ``` `pth` is not known; known are `path`, `limit` ```
/// - ``` `limit` must be integer or null, not "ten" ```
/// - ``` `mode` must be "append" or "replace" or null, not "add" ```
/// - ``` `limit` must be at least 1, not 0 ```
/// - ``` `when` fits no form: `when` must be string, not 7; or `when` must be null, not 7 ```
///
/// Where nothing is known, the second ends after `not known`. The problems inside one
/// form are joined by ` and `. The value that came is [`shown`]; values to choose from
/// are written whole, since a model can't send one that it has only read in part.
impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        todo!("3.6: write Mismatch::fmt")
    }
}

/// `schema` as the agent reads it: an object schema that lists `properties` and does not
/// say what becomes of other names admits no other names. Any other schema is unchanged.
///
/// Only the arguments themselves are closed so, not the objects inside them. A schema that
/// asks for a draft before 2019-09 by `$schema` stays open: those have no keyword that sees
/// every name.
pub fn closed(schema: &Value) -> Value {
    todo!("3.7: write closed")
}

/// Checks the arguments of a call against the tool's parameters, read as [`closed`].
///
/// The message names the tool and has a line for each problem, `- ` and the sentence:
/// sorted, none twice, at most [`MAX_PROBLEMS`], and then a line that counts the rest, as
/// in `- and 3 more`.
pub fn validate(definition: &ToolDefinition, args: &Value) -> ValidationResult {
    todo!("3.8: write validate")
}
