//! The check whether a schema qualifies for strict mode.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// How many schemas may be nested, the outermost included.
pub const MAX_NESTING: usize = 5;

/// Whether the Responses API accepts this schema in strict mode. In strict mode, the model
/// can only write arguments that fit the schema.
///
/// Strict mode allows only this part of JSON Schema:
///
/// - The top level is an object schema without `anyOf`. Every schema that has `properties`
///   or allows objects has `additionalProperties: false`, and its `required` lists exactly
///   the names in `properties`.
/// - Every schema has a `type` or, below the top level, `anyOf`: without either, any value
///   fits, even an open object.
/// - Every schema that allows arrays has `items`: without it, any items fit.
/// - The only other keywords are `title`, `description` and `enum`.
/// - Schemas are nested at most [`MAX_NESTING`] deep, the outermost included.
///
/// The API accepts more than this. But a schema that is wrongly called strict makes the
/// request fail, so the function returns `false` in doubt.
pub fn is_strict(schema: &Value) -> bool {
    schema["type"] == "object" && schema.get("anyOf").is_none() && is_strict_at(schema, 1)
}

/// Whether a schema at this depth follows the rules of [`is_strict`] for all levels. The
/// outermost schema has depth 1.
fn is_strict_at(schema: &Value, depth: usize) -> bool {
    let Some(keywords) = schema.as_object() else {
        return false;
    };
    let below = |schema: &Value| is_strict_at(schema, depth + 1);
    let all_allowed = keywords
        .iter()
        .all(|(keyword, value)| match keyword.as_str() {
            "properties" => value
                .as_object()
                .is_some_and(|each| each.values().all(below)),
            "anyOf" => value.as_array().is_some_and(|each| each.iter().all(below)),
            "items" => below(value),
            "type" | "title" | "description" | "enum" => true,
            "required" | "additionalProperties" => true,
            _ => false,
        });
    let is_typed = keywords.contains_key("type") || keywords.contains_key("anyOf");
    let is_closed = !allows_objects(keywords) || is_closed_object(keywords);
    let has_items = !has_type(keywords, "array") || keywords.contains_key("items");
    depth <= MAX_NESTING && all_allowed && is_typed && is_closed && has_items
}

/// Whether objects may fit the schema: it has `properties`, or `object` among its types.
fn allows_objects(keywords: &Map<String, Value>) -> bool {
    keywords.contains_key("properties") || has_type(keywords, "object")
}

/// Whether `type` is this name or a list that contains it.
fn has_type(keywords: &Map<String, Value>, name: &str) -> bool {
    match keywords.get("type") {
        Some(Value::Array(types)) => types.iter().any(|each| each == name),
        Some(only) => only == name,
        None => false,
    }
}

/// Whether an object schema requires all its properties and allows no others.
fn is_closed_object(keywords: &Map<String, Value>) -> bool {
    let properties = keywords.get("properties").and_then(Value::as_object);
    let known: BTreeSet<&str> = properties
        .into_iter()
        .flat_map(Map::keys)
        .map(String::as_str)
        .collect();
    let required = keywords.get("required").and_then(Value::as_array);
    let required: BTreeSet<&str> = required
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    keywords.get("additionalProperties") == Some(&Value::Bool(false)) && required == known
}
