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
/// - The only other keywords are `title`, `description`, `enum` and `items`.
/// - Schemas are nested at most [`MAX_NESTING`] deep, the outermost included.
///
/// The API accepts more than this. But a schema that is wrongly called strict makes the
/// request fail, so a schema in doubt is not strict.
pub fn is_strict(schema: &Value) -> bool {
    todo!("strict-schemas: write is_strict")
}

/// Whether a schema at this depth follows the rules of [`is_strict`] for all levels. The
/// outermost schema has depth 1.
fn is_strict_at(schema: &Value, depth: usize) -> bool {
    todo!("strict-schemas: write is_strict_at")
}

/// Whether objects may fit the schema: it has `properties`, or `object` among its types.
fn allows_objects(keywords: &Map<String, Value>) -> bool {
    let object = Value::from("object");
    let contains = |types: &Value| types.as_array().is_some_and(|all| all.contains(&object));
    let types = keywords.get("type");
    keywords.contains_key("properties") || types.is_some_and(|it| *it == object || contains(it))
}

/// Whether an object schema requires all its properties and allows no others.
fn is_closed_object(keywords: &Map<String, Value>) -> bool {
    todo!("strict-schemas: write is_closed_object")
}
