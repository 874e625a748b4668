//! Reading one message, and finding where a broken one is broken.

use std::fmt;

use serde_json::Value;

use super::Spoken;

/// What is wrong with a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The line in the text of the message, from 1.
    pub line: usize,
    /// The field, as a path; empty for the message itself.
    pub field: String,
    /// What is wrong with it.
    pub what: String,
}

impl Problem {
    /// Something that is wrong with a message as a whole.
    pub(super) fn of(what: String) -> Self {
        Self {
            line: 1,
            field: String::new(),
            what,
        }
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

/// A message of one vocabulary, from its text, and beside it all that stands there, in
/// whatever vocabulary.
pub fn read<T: Spoken>(text: &str) -> Result<(Value, T), Problem> {
    let problem = |error: serde_json::Error| {
        let value = serde_json::from_str(text).unwrap_or_default();
        Problem {
            line: error.line().max(1),
            field: place::<T>(&value),
            what: without_names(&without_place(&error)).to_string(),
        }
    };
    // The text, not the value, is what the message is read from: of a name that stands
    // twice in an object, the value has one.
    let message = serde_json::from_str(text).map_err(problem)?;
    let value = serde_json::from_str(text).map_err(problem)?;
    Ok((value, message))
}

/// What is wrong with a text, without the line and the column.
pub fn without_place(error: &serde_json::Error) -> String {
    let said = error.to_string();
    let what = said.rsplit_once(" at line ").map(|(what, _)| what.into());
    what.unwrap_or(said)
}

/// An error without the names of fields in front; the path says more.
fn without_names(mut what: &str) -> &str {
    while let Some((_, rest)) = what
        .strip_prefix('`')
        .and_then(|rest| rest.split_once("`: "))
    {
        what = rest;
    }
    what
}

/// Where a value is broken, as a path.
///
/// serde says what is wrong and not where: of an object whose tag decides its shape it has
/// forgotten the way by then. So the value is changed, a piece at a time, until the error
/// is another one.
fn place<T: Spoken>(whole: &Value) -> String {
    let complaint = |value: &Value| T::deserialize(value).err().map(|error| error.to_string());
    let Some(said) = complaint(whole) else {
        return String::new();
    };
    let is_other = |value: &Value| complaint(value).as_ref() != Some(&said);
    let missing = said.split_once("missing field `");
    let missing = missing.and_then(|(_, rest)| rest.split_once('`'));
    match missing {
        Some((name, _)) => without(whole, name, &is_other),
        None => guilty(whole, &is_other),
    }
}

/// A step into a value: a field or an element.
fn steps(value: &Value) -> Vec<String> {
    match value {
        Value::Object(fields) => {
            // The tags come last: without one, everything else is wrong as well.
            let (tags, others): (Vec<_>, Vec<_>) = fields
                .keys()
                .cloned()
                .partition(|name| ["role", "type"].contains(&&**name));
            [others, tags].concat()
        }
        Value::Array(elements) => (0..elements.len()).map(|at| at.to_string()).collect(),
        _ => Vec::new(),
    }
}

/// The object that lacks a field: with it, the error is another one.
fn without(whole: &Value, name: &str, is_other: &dyn Fn(&Value) -> bool) -> String {
    let mut waiting = vec![String::new()];
    while let Some(pointer) = waiting.pop() {
        let Some(here) = whole.pointer(&pointer) else {
            continue;
        };
        let mut tried = whole.clone();
        if let Some(Value::Object(fields)) = tried.pointer_mut(&pointer)
            && !fields.contains_key(name)
        {
            fields.insert(name.to_string(), Value::Null);
            if is_other(&tried) {
                return path(whole, &pointer);
            }
        }
        waiting.extend(steps(here).iter().map(|step| deeper(&pointer, step)));
    }
    String::new()
}

/// The innermost value without which, and without its neighbors before it, the error is
/// another one.
fn guilty(whole: &Value, is_other: &dyn Fn(&Value) -> bool) -> String {
    let mut pointer = String::new();
    while let Some(here) = whole.pointer(&pointer) {
        let mut tried = whole.clone();
        let found = steps(here).into_iter().find(|step| {
            match tried.pointer_mut(&pointer) {
                Some(Value::Object(fields)) => drop(fields.remove(step)),
                Some(Value::Array(elements)) => drop(elements.remove(0)),
                _ => {}
            }
            is_other(&tried)
        });
        match found {
            Some(step) => pointer = deeper(&pointer, &step),
            None => break,
        }
    }
    path(whole, &pointer)
}

/// One step further, as a JSON pointer writes it.
fn deeper(pointer: &str, step: &str) -> String {
    format!("{pointer}/{}", step.replace('~', "~0").replace('/', "~1"))
}

/// A JSON pointer as people write it: `content[1].text`.
fn path(whole: &Value, pointer: &str) -> String {
    let mut path = String::new();
    let mut here = Some(whole);
    for step in pointer.split('/').skip(1) {
        let name = step.replace("~1", "/").replace("~0", "~");
        let is_element = here.is_some_and(Value::is_array);
        path += &match (is_element, path.is_empty()) {
            (true, _) => format!("[{name}]"),
            (false, true) => name,
            (false, false) => format!(".{name}"),
        };
        here = here.and_then(|value| value.pointer(&format!("/{step}")));
    }
    path
}
