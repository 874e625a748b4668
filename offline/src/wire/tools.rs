//! What the APIs ask of a tool, and refuse the whole request without.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::Api;
use super::fields::Fields;
use crate::request::{BadRequest, Tool};

/// A tool of the caller's own, whose schema stands in this field.
pub(crate) fn tool(api: Api, tool: &Fields, schema: &str) -> Result<Tool, BadRequest> {
    let name = tool.text("name")?;
    let longest = match api {
        Api::ChatCompletions | Api::Responses => 64,
        Api::Messages => 128,
    };
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    if name.is_empty() || name.len() > longest || !name.bytes().all(fits) {
        let pattern = format!("^[a-zA-Z0-9_-]{{1,{longest}}}$");
        return Err(tool.wrong("name", format!("{name:?} does not match {pattern}")));
    }
    if tool.get("description").is_some() {
        tool.text("description")?;
    }
    let is_strict = tool.switch("strict")?;
    let parameters = tool.get(schema);
    if let Some(parameters) = parameters {
        check_top(api, parameters).map_err(|what| tool.wrong(schema, what))?;
        check(parameters, is_strict, "").map_err(|what| tool.wrong(schema, what))?;
    } else if is_strict {
        return Err(tool.wrong(schema, "a strict tool needs a schema"));
    }
    Ok(Tool {
        name: name.into(),
        parameters: parameters.cloned().unwrap_or(Value::Null),
        bytes: tool.bytes(),
    })
}

/// No two tools have one name.
pub(crate) fn check_names(tools: &[Tool]) -> Result<(), BadRequest> {
    let mut names = HashSet::new();
    match tools.iter().find(|tool| !names.insert(&tool.name)) {
        Some(twice) => Err(BadRequest(format!(
            "tools: tool names must be unique, and {:?} comes twice",
            twice.name
        ))),
        None => Ok(()),
    }
}

/// What holds for a tool's schema and not for the schemas in it.
fn check_top(api: Api, schema: &Value) -> Result<(), String> {
    if schema["type"] != "object" {
        return Err("expected a schema with \"type\": \"object\"".into());
    }
    let refused: &[&str] = match api {
        Api::ChatCompletions | Api::Responses => &["oneOf", "anyOf", "allOf", "enum", "not"],
        Api::Messages => &["oneOf", "anyOf", "allOf"],
    };
    match refused.iter().find(|it| schema.get(**it).is_some()) {
        Some(keyword) => Err(format!("`{keyword}` cannot stand at the top level")),
        None => Ok(()),
    }
}

/// A schema and those in it: whether they are schemas, and, for a strict tool, whether
/// every object lists all it can hold. `at` is its place, in keywords.
fn check(schema: &Value, is_strict: bool, at: &str) -> Result<(), String> {
    let Some(keywords) = schema.as_object() else {
        return match schema.is_boolean() && !is_strict {
            true => Ok(()),
            false => Err(format!("{at}: expected a schema")),
        };
    };
    let empty = Map::new();
    let properties = match keywords.get("properties") {
        None => &empty,
        Some(properties) => properties
            .as_object()
            .ok_or_else(|| format!("{at}/properties: expected an object"))?,
    };
    let required = match keywords.get("required") {
        None => Some(Vec::new()),
        Some(required) => required
            .as_array()
            .and_then(|names| names.iter().map(Value::as_str).collect()),
    };
    let required = required.ok_or_else(|| format!("{at}/required: expected names"))?;
    for (name, property) in properties {
        check(property, is_strict, &format!("{at}/properties/{name}"))?;
    }
    if let Some(items) = keywords.get("items") {
        check(items, is_strict, &format!("{at}/items"))?;
    }
    for keyword in ["anyOf", "oneOf", "allOf"] {
        let forms = keywords.get(keyword).map(|forms| {
            let forms = forms.as_array().filter(|forms| !forms.is_empty());
            forms.ok_or_else(|| format!("{at}/{keyword}: expected schemas"))
        });
        for (index, form) in forms.transpose()?.into_iter().flatten().enumerate() {
            check(form, is_strict, &format!("{at}/{keyword}/{index}"))?;
        }
    }
    if !is_strict {
        return Ok(());
    }
    if let Some(keyword) = NOT_STRICT.iter().find(|it| keywords.contains_key(**it)) {
        return Err(format!("{at}/{keyword}: not permitted in a strict tool"));
    }
    let is_object = keywords.contains_key("properties") || schema["type"] == "object";
    if is_object && schema["additionalProperties"] != Value::Bool(false) {
        return Err(format!(
            "{at}/additionalProperties: must be there and false in a strict tool"
        ));
    }
    let is_listed = |name: &String| required.contains(&name.as_str());
    if let Some(name) = properties.keys().find(|name| !is_listed(name)) {
        return Err(format!(
            "{at}/required: must list every property in a strict tool, and {name:?} is missing"
        ));
    }
    match required
        .iter()
        .find(|name| !properties.contains_key(**name))
    {
        Some(extra) => Err(format!("{at}/required: {extra:?} is no property")),
        None => Ok(()),
    }
}

/// What a strict tool's schema has nowhere.
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
