//! JSON for readers: short lines, and the fields that say what an object is come first.

use serde_json::{Map, Value};

/// The longest line of a value that could be written in several lines.
const WIDTH: usize = 76;

/// These fields come first. The others follow in the order of the alphabet.
const FIRST: [&str; 9] = [
    "type",
    "role",
    "model",
    "index",
    "id",
    "call_id",
    "tool_call_id",
    "tool_use_id",
    "name",
];

/// The lines of a value. Objects and lists that fit are written on one line.
pub fn lines(value: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    add(value, "", "", 0, &mut lines);
    lines
}

/// Replaces the value at each of these JSON pointers by `…`.
pub fn shortened(mut value: Value, pointers: &[&str]) -> Value {
    for pointer in pointers {
        let part = value.pointer_mut(pointer);
        *part.unwrap_or_else(|| panic!("the value has no {pointer}")) = Value::from("…");
    }
    value
}

/// Removes the fields with these names, at every level.
pub fn without(value: Value, names: &[&str]) -> Value {
    match value {
        Value::Object(fields) => {
            let fields = fields.into_iter();
            let kept = fields.filter(|(name, _)| !names.contains(&name.as_str()));
            Value::Object(kept.map(|(name, it)| (name, without(it, names))).collect())
        }
        Value::Array(values) => values.into_iter().map(|it| without(it, names)).collect(),
        value => value,
    }
}

/// Adds a value with the text before and after it. A list of one value adds no level.
fn add(value: &Value, before: &str, after: &str, indent: usize, lines: &mut Vec<String>) {
    let line = format!("{:indent$}{before}{}{after}", "", flat(value));
    let parts: Vec<(String, &Value)> = match value {
        _ if line.chars().count() <= WIDTH => Vec::new(),
        Value::Array(values) if values.len() == 1 => {
            let (before, after) = (format!("{before}["), format!("]{after}"));
            return add(&values[0], &before, &after, indent, lines);
        }
        Value::Object(fields) => ordered(fields)
            .map(|(name, value)| (format!("{}: ", Value::from(name.as_str())), value))
            .collect(),
        Value::Array(values) => values.iter().map(|value| (String::new(), value)).collect(),
        _ => Vec::new(),
    };
    if parts.is_empty() {
        lines.push(line);
        return;
    }
    let [open, close] = if value.is_object() {
        ["{", "}"]
    } else {
        ["[", "]"]
    };
    lines.push(format!("{:indent$}{before}{open}", ""));
    let last = parts.len() - 1;
    for (at, (before, part)) in parts.iter().enumerate() {
        let comma = if at == last { "" } else { "," };
        add(part, before, comma, indent + 2, lines);
    }
    lines.push(format!("{:indent$}{close}{after}", ""));
}

/// A value on one line.
fn flat(value: &Value) -> String {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            let fields = ordered(fields)
                .map(|(name, value)| format!("{}: {}", Value::from(name.as_str()), flat(value)));
            format!("{{ {} }}", fields.collect::<Vec<_>>().join(", "))
        }
        Value::Array(values) => {
            let values: Vec<String> = values.iter().map(flat).collect();
            format!("[{}]", values.join(", "))
        }
        value => value.to_string(),
    }
}

/// The fields of an object, those of [`FIRST`] before the others.
fn ordered(fields: &Map<String, Value>) -> impl Iterator<Item = (&String, &Value)> {
    let first = FIRST.iter().filter_map(|name| fields.get_key_value(*name));
    let others = fields
        .iter()
        .filter(|(name, _)| !FIRST.contains(&name.as_str()));
    first.chain(others)
}
