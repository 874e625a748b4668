//! Checks of a tool's JSON Schema.

use serde_json::{Map, Value};

use super::wire_format::WireFormat;

/// The keywords that a strict tool's schema must not use.
const NOT_STRICT: [&str; 8] = [
    "allOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "dependentRequired",
    "dependentSchemas",
];

/// Checks the schema of a tool's arguments. The error message starts with the path of the
/// invalid keyword, such as `/properties/a/items`.
pub(super) fn check_schema(
    format: WireFormat,
    schema: &Value,
    is_strict: bool,
) -> Result<(), String> {
    check_top_level(format, schema)?;
    check_nested(schema, is_strict, "")
}

/// Checks the rules that apply to the schema itself, but not to the schemas in it.
fn check_top_level(format: WireFormat, schema: &Value) -> Result<(), String> {
    if schema["type"] != "object" {
        return Err("expected a schema with \"type\": \"object\"".into());
    }
    let refused: &[&str] = match format {
        WireFormat::ChatCompletions | WireFormat::Responses => {
            &["oneOf", "anyOf", "allOf", "enum", "not"]
        }
        WireFormat::Messages => &["oneOf", "anyOf", "allOf"],
    };
    match refused.iter().find(|it| schema.get(**it).is_some()) {
        Some(keyword) => Err(format!("`{keyword}` is not allowed at the top level")),
        None => Ok(()),
    }
}

/// Checks a schema and the schemas in it. `path` is the schema's own path.
fn check_nested(schema: &Value, is_strict: bool, path: &str) -> Result<(), String> {
    let Some(keywords) = schema.as_object() else {
        return match schema.is_boolean() && !is_strict {
            true => Ok(()),
            false => Err(format!("{path}: expected a schema")),
        };
    };
    let no_properties = Map::new();
    let properties = match keywords.get("properties") {
        None => &no_properties,
        Some(properties) => properties
            .as_object()
            .ok_or_else(|| format!("{path}/properties: expected an object"))?,
    };
    let required = read_required(keywords, path)?;
    for (name, property) in properties {
        check_nested(property, is_strict, &format!("{path}/properties/{name}"))?;
    }
    if let Some(items) = keywords.get("items") {
        check_nested(items, is_strict, &format!("{path}/items"))?;
    }
    for keyword in ["anyOf", "oneOf", "allOf"] {
        let Some(alternatives) = keywords.get(keyword) else {
            continue;
        };
        let alternatives = alternatives.as_array().filter(|it| !it.is_empty());
        let alternatives =
            alternatives.ok_or_else(|| format!("{path}/{keyword}: expected schemas"))?;
        for (index, alternative) in alternatives.iter().enumerate() {
            check_nested(alternative, is_strict, &format!("{path}/{keyword}/{index}"))?;
        }
    }
    match is_strict {
        true => check_strict(keywords, properties, &required, path),
        false => Ok(()),
    }
}

/// The names in `required`, none if it is absent.
fn read_required<'a>(keywords: &'a Map<String, Value>, path: &str) -> Result<Vec<&'a str>, String> {
    let Some(required) = keywords.get("required") else {
        return Ok(Vec::new());
    };
    let names = required
        .as_array()
        .and_then(|names| names.iter().map(Value::as_str).collect());
    names.ok_or_else(|| format!("{path}/required: expected names"))
}

/// Checks that one schema of a strict tool uses only allowed keywords, and that every
/// object lists all its properties.
fn check_strict(
    keywords: &Map<String, Value>,
    properties: &Map<String, Value>,
    required: &[&str],
    path: &str,
) -> Result<(), String> {
    if let Some(keyword) = NOT_STRICT.iter().find(|it| keywords.contains_key(**it)) {
        return Err(format!("{path}/{keyword}: not permitted in a strict tool"));
    }
    let has_type_object = keywords.get("type").is_some_and(|it| it == "object");
    let is_object = keywords.contains_key("properties") || has_type_object;
    if is_object && keywords.get("additionalProperties") != Some(&Value::Bool(false)) {
        return Err(format!(
            "{path}/additionalProperties: must be false in a strict tool"
        ));
    }
    let mut names = properties.keys();
    if let Some(name) = names.find(|name| !required.contains(&name.as_str())) {
        return Err(format!(
            "{path}/required: must list every property in a strict tool, but {name:?} is missing"
        ));
    }
    let mut names = required.iter();
    match names.find(|name| !properties.contains_key(**name)) {
        Some(extra) => Err(format!("{path}/required: {extra:?} is not a property")),
        None => Ok(()),
    }
}
