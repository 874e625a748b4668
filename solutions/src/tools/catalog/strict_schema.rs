//! Schemas that a provider can hold a model to.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// How many schemas may stand inside one another.
pub const MAX_NESTING: usize = 5;

/// Whether the Responses API takes this schema in strict mode, in which the model can
/// write nothing that does not fit.
///
/// Of all JSON Schema, only this will do:
///
/// - The schema is an object schema, without `anyOf`, and so are all in it that list
///   `properties` or may be objects. Each of these has `additionalProperties: false`,
///   and its `required` lists the names under `properties`, all and no others.
/// - Each has a `type`, or below the top `anyOf` of several: one with neither may be
///   anything, an open object too.
/// - Beside these it has `type`, `title`, `description`, `enum` and `items` alone.
/// - Schemas are nested at most [`MAX_NESTING`] deep, the outermost counted.
///
/// The API takes more. What it would refuse must not pass here, and what passes here in
/// vain costs a failed request, so whatever is in doubt is not strict.
pub fn is_strict(schema: &Value) -> bool {
    schema["type"] == "object" && schema.get("anyOf").is_none() && fits(schema, 1)
}

/// Whether the schema, so deep inside of others, is one of the above.
fn fits(schema: &Value, depth: usize) -> bool {
    let Some(keywords) = schema.as_object() else {
        return false;
    };
    let below = |schema: &Value| fits(schema, depth + 1);
    let known = keywords
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
    let says_what = keywords.contains_key("type") || keywords.contains_key("anyOf");
    depth <= MAX_NESTING && known && says_what && (!is_object(keywords) || is_closed(keywords))
}

/// Whether the schema is for objects, perhaps among others.
fn is_object(keywords: &Map<String, Value>) -> bool {
    let object = Value::from("object");
    let among = |kinds: &Value| kinds.as_array().is_some_and(|all| all.contains(&object));
    let kinds = keywords.get("type");
    keywords.contains_key("properties") || kinds.is_some_and(|it| *it == object || among(it))
}

/// Whether an object schema requires every name that it knows, and admits no other.
fn is_closed(keywords: &Map<String, Value>) -> bool {
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
