//! Checks a call's arguments against the tool's schema, with messages that let the model
//! correct them.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use serde_json::Value;

use crate::tools::{CompiledSchema, Mismatch, PathStep, Problem};
use crate::types::{ToolDefinition, ValidationResult};

/// The code for arguments that do not match the schema.
pub const INVALID_ARGUMENTS: u32 = 1;

/// The code for a schema that is not a valid JSON Schema. It accepts no arguments.
pub const INVALID_SCHEMA: u32 = 2;

/// The most problems that one message lists. A model that corrects these understands the
/// rest.
pub const MAX_PROBLEMS: usize = 10;

/// The most characters of a wrong value that a message shows.
pub const MAX_VALUE_CHARS: usize = 60;

/// The path to a value as code would write it, in backticks: `` `edits[2].old` ``. A name
/// with characters other than letters, digits, `_` and `-` is written in brackets, as JSON:
/// `` `headers["a.b"]` ``. The empty path is `the arguments`, without backticks.
pub fn format_path(path: &[PathStep]) -> String {
    let mut text = String::new();
    for step in path {
        text += &match step {
            PathStep::Index(index) => format!("[{index}]"),
            PathStep::Name(name) if !is_bare_name(name) => {
                format!("[{}]", Value::from(name.as_str()))
            }
            PathStep::Name(name) if text.is_empty() => name.clone(),
            PathStep::Name(name) => format!(".{name}"),
        };
    }
    match text.is_empty() {
        true => "the arguments".to_string(),
        false => format!("`{text}`"),
    }
}

/// Whether a name needs no brackets.
fn is_bare_name(name: &str) -> bool {
    let is_bare = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-');
    !name.is_empty() && name.chars().all(is_bare)
}

/// A value as JSON on one line. Longer JSON is cut after [`MAX_VALUE_CHARS`] characters, and
/// `…` follows.
pub fn format_value(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(MAX_VALUE_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// One sentence, without a full stop, that begins with the value's path:
///
/// - ``` `path` is required ```
/// - ``` `pth` is unknown; the known names are `path`, `limit` ```
/// - ``` `limit` must be integer or null, not "ten" ```
/// - ``` `mode` must be "append" or "replace" or null, not "add" ```
/// - ``` `limit` must be at least 1, not 0 ```
/// - ``` `when` matches no allowed form: `when` must be string, not 7; or `when` must be null, not 7 ```
///
/// If there are no known names, the second sentence ends after `unknown`. ` and ` joins the
/// problems of one form. [`format_value`] writes the model's value. Allowed values are
/// written in full, since a model can't send a value that it has seen only in part.
impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", format_path(&self.path))?;
        let got = format_value(&self.got);
        match &self.problem {
            Problem::Missing => write!(f, "is required"),
            Problem::Unknown { allowed } if allowed.is_empty() => write!(f, "is unknown"),
            Problem::Unknown { allowed } => {
                let names = allowed.join("`, `");
                write!(f, "is unknown; the known names are `{names}`")
            }
            Problem::Type { expected } => write!(f, "must be {}, not {got}", expected.join(" or ")),
            Problem::Enum { allowed } => {
                let allowed: Vec<String> = allowed.iter().map(Value::to_string).collect();
                write!(f, "must be {}, not {got}", allowed.join(" or "))
            }
            Problem::Rule(rule) => write!(f, "{rule}, not {got}"),
            Problem::AnyOf(forms) => {
                let join = |form: &Vec<Mismatch>| {
                    let all: Vec<String> = form.iter().map(Mismatch::to_string).collect();
                    all.join(" and ")
                };
                let forms: Vec<String> = forms.iter().map(join).collect();
                write!(f, "matches no allowed form: {}", forms.join("; or "))
            }
        }
    }
}

/// Returns `schema` changed to refuse unknown names, if it lists `properties` and has
/// neither `additionalProperties` nor `unevaluatedProperties`. Any other schema is returned
/// unchanged.
///
/// This applies to the arguments themselves and not to objects inside them. A schema whose
/// `$schema` names a draft before 2019-09 still accepts unknown names, since those drafts
/// have no keyword that sees every name.
pub fn close_schema(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Some(keywords) = schema.as_object_mut()
        && keywords.contains_key("properties")
        && !keywords.contains_key("additionalProperties")
    {
        // Not `additionalProperties`: it does not see the names in `allOf` or `$ref`.
        keywords
            .entry("unevaluatedProperties")
            .or_insert(Value::Bool(false));
    }
    schema
}

/// The schemas of tools, by the tool's name, with the parameters that each was compiled from.
///
/// It needs no limit: each name has one entry, and a `&'static str` stays in memory anyway.
type CompiledByName = HashMap<&'static str, (Value, Arc<CompiledSchema>)>;

static COMPILED: LazyLock<Mutex<CompiledByName>> = LazyLock::new(Mutex::default);

/// The tool's parameters after [`close_schema`], compiled. The error says what is wrong with
/// them.
///
/// Compiling takes several times as long as checking a call's arguments. So each tool's schema
/// is compiled once, and again only if another tool with the same name was asked for meanwhile.
pub fn compiled_schema(definition: &ToolDefinition) -> Result<Arc<CompiledSchema>, String> {
    let lock = || COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((parameters, schema)) = lock().get(definition.name)
        && *parameters == definition.parameters
    {
        return Ok(schema.clone());
    }
    // Without the lock, since a large schema takes milliseconds.
    let schema = Arc::new(CompiledSchema::new(close_schema(&definition.parameters))?);
    let compiled = (definition.parameters.clone(), schema.clone());
    lock().insert(definition.name, compiled);
    Ok(schema)
}

/// Checks a call's arguments against the tool's parameters, after [`close_schema`].
///
/// Arguments that do not match are an error with the code [`INVALID_ARGUMENTS`] and the
/// `mismatch_message` of their mismatches. A schema that is not valid is an error with the code
/// [`INVALID_SCHEMA`], whose message names the tool, says that its schema is invalid, and contains
/// the reason.
pub fn validate(definition: &ToolDefinition, args: &Value) -> ValidationResult {
    todo!("argument-validation: write validate")
}

/// The message for these mismatches, for the model that called the tool `name`.
///
/// The first line is ``the arguments do not fit the tool `edit`:`` with the tool's name. A
/// line for each mismatch follows, `- ` and its sentence. These lines are sorted and without
/// duplicates. After [`MAX_PROBLEMS`] of them a last line counts the rest, as in
/// `- and 3 more`. The message does not end with a line end.
fn mismatch_message(name: &str, found: &[Mismatch]) -> String {
    todo!("argument-validation: write mismatch_message")
}
