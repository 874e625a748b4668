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
    todo!("9.5: write is_strict")
}

/// Whether the schema, so deep inside of others, is one of the above.
fn fits(schema: &Value, depth: usize) -> bool {
    todo!("9.5: write fits")
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
    todo!("9.5: write is_closed")
}
