//! Reads a message, and names the field of a broken one.

use std::fmt;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// What is wrong with a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The path of the broken field, such as `content[1]`; empty for the message itself.
    pub field: String,
    /// What is wrong with it.
    pub what: String,
}

impl Problem {
    /// A problem of a message as a whole.
    pub fn of(what: impl ToString) -> Self {
        Self {
            field: String::new(),
            what: what.to_string(),
        }
    }

    /// The names of fields that chapter 15 puts before an error are left out: the path has
    /// them.
    fn in_field(field: Option<String>, what: String) -> Self {
        let Some(field) = field else {
            return Self::of(what);
        };
        let mut what = what.as_str();
        while let Some((_, rest)) = what.strip_prefix('`').and_then(|it| it.split_once("`: ")) {
            what = rest;
        }
        let what = what.to_string();
        Self { field, what }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.field.is_empty() {
            write!(f, "`{}`: ", self.field)?;
        }
        f.write_str(&self.what)
    }
}

/// Reads JSON. An error has the path of its field.
///
/// serde buffers an object whose tag decides its shape, so a path ends at such an object. For a
/// whole message of that kind, the path is the name of the field.
pub fn parse<T: DeserializeOwned>(text: &str) -> Result<T, Problem> {
    let mut json = serde_json::Deserializer::from_str(text);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let what = without_position(error.inner());
        let path = error.path().to_string();
        match path.trim_end_matches('?').trim_matches('.') {
            "" => Problem::in_field(buffered_field::<T>(text, &what), what),
            path => Problem::in_field(Some(path.to_string()), what),
        }
    })?;
    let end = json.end();
    end.map_err(|error| Problem::of(without_position(&error)))?;
    Ok(value)
}

/// The text of an error without its line and column.
pub fn without_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let position = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&position).unwrap_or(&text).to_string()
}

/// The field that causes this error of a message. It is found by parsing each field alone with
/// the tag, until one gives the same error. An error about a missing field names it already.
fn buffered_field<T: DeserializeOwned>(text: &str, error: &str) -> Option<String> {
    if error.contains("missing field") {
        return None;
    }
    let is_tag = |name: &str| ["role", "type"].contains(&name);
    let fields: Map<String, Value> = serde_json::from_str(text).ok()?;
    let gives_error = |name: &&String| {
        let mut alone = fields.clone();
        alone.retain(|other, _| other == *name || is_tag(other));
        T::deserialize(Value::Object(alone)).is_err_and(|alone| alone.to_string() == error)
    };
    let mut names = fields.keys().filter(|name| !is_tag(name));
    names.find(gives_error).cloned()
}
