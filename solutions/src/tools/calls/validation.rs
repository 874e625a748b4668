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
    let mut text = String::new();
    for step in path {
        text += &match step {
            Step::Index(index) => format!("[{index}]"),
            Step::Name(name) if !is_plain(name) => format!("[{}]", Value::from(name.as_str())),
            Step::Name(name) if text.is_empty() => name.clone(),
            Step::Name(name) => format!(".{name}"),
        };
    }
    match text.is_empty() {
        true => "the arguments".to_string(),
        false => format!("`{text}`"),
    }
}

fn is_plain(name: &str) -> bool {
    let fits = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-');
    !name.is_empty() && name.chars().all(fits)
}

/// A value as JSON on one line. Of a longer one, the first [`MAX_SHOWN`] characters
/// are shown and then `…`.
pub fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
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
        write!(f, "{} ", path_text(&self.path))?;
        let got = shown(&self.got);
        match &self.problem {
            Problem::Missing => write!(f, "is required"),
            Problem::Unknown { allowed } if allowed.is_empty() => write!(f, "is not known"),
            Problem::Unknown { allowed } => {
                write!(f, "is not known; known are `{}`", allowed.join("`, `"))
            }
            Problem::Type { expected } => write!(f, "must be {}, not {got}", expected.join(" or ")),
            Problem::Choice { allowed } => {
                let allowed: Vec<String> = allowed.iter().map(Value::to_string).collect();
                write!(f, "must be {}, not {got}", allowed.join(" or "))
            }
            Problem::Rule(rule) => write!(f, "{rule}, not {got}"),
            Problem::Forms(forms) => {
                let join = |form: &Vec<Mismatch>| {
                    let all: Vec<String> = form.iter().map(Mismatch::to_string).collect();
                    all.join(" and ")
                };
                let forms: Vec<String> = forms.iter().map(join).collect();
                write!(f, "fits no form: {}", forms.join("; or "))
            }
        }
    }
}

/// `schema` as the agent reads it: an object schema that lists `properties` and does not
/// say what becomes of other names admits no other names. Any other schema is unchanged.
///
/// Only the arguments themselves are closed so, not the objects inside them. A schema that
/// asks for a draft before 2019-09 by `$schema` stays open: those have no keyword that sees
/// every name.
pub fn closed(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Some(keywords) = schema.as_object_mut()
        && keywords.contains_key("properties")
        && !keywords.contains_key("additionalProperties")
    {
        // Not `additionalProperties`: that is blind to names which `allOf` or `$ref` bring in.
        keywords
            .entry("unevaluatedProperties")
            .or_insert(Value::Bool(false));
    }
    schema
}

/// Checks the arguments of a call against the tool's parameters, read as [`closed`].
///
/// The message names the tool and has a line for each problem, `- ` and the sentence:
/// sorted, none twice, at most [`MAX_PROBLEMS`], and then a line that counts the rest, as
/// in `- and 3 more`.
pub fn validate(definition: &ToolDefinition, args: &Value) -> ValidationResult {
    let name = definition.name;
    let found = match mismatches(&closed(&definition.parameters), args) {
        Ok(found) => found,
        Err(error) => {
            return ValidationResult::Error {
                message: format!(
                    "the tool `{name}` cannot be called, whatever the arguments: its schema is broken ({error})"
                ),
                code: BROKEN_SCHEMA,
            };
        }
    };
    if found.is_empty() {
        return ValidationResult::Ok;
    }
    let mut lines: Vec<String> = found.iter().map(|one| format!("- {one}")).collect();
    lines.sort();
    lines.dedup();
    let more = lines.len().saturating_sub(MAX_PROBLEMS);
    lines.truncate(MAX_PROBLEMS);
    if more > 0 {
        lines.push(format!("- and {more} more"));
    }
    ValidationResult::Error {
        message: format!(
            "the arguments do not fit the tool `{name}`:\n{}",
            lines.join("\n")
        ),
        code: BAD_ARGUMENTS,
    }
}
