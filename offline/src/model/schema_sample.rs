//! Values that fit a JSON Schema, for replies that must be JSON and for calls that a request
//! forces.

use serde_json::{Map, Value, json};

/// From this depth on, arrays are empty and alternatives are null where the schema allows
/// it: a schema may contain itself.
const MAX_DEPTH: usize = 8;

/// A value that fits the schema, the same for equal arguments. Each string that the schema
/// leaves open is `text`. Keywords that relate values to each other, `pattern` and `not` are
/// ignored.
pub(super) fn sample(schema: &Value, text: &str) -> Value {
    Sample { root: schema, text }.value(schema, 0)
}

struct Sample<'a> {
    root: &'a Value,
    text: &'a str,
}

impl Sample<'_> {
    fn value(&self, schema: &Value, depth: usize) -> Value {
        // A schema that requires itself has no finite value.
        if depth > 2 * MAX_DEPTH {
            return Value::Null;
        }
        if let Some(definition) = self.definition(schema) {
            return self.value(definition, depth + 1);
        }
        for keyword in ["const", "default"] {
            if let Some(value) = schema.get(keyword) {
                return value.clone();
            }
        }
        if let Some(first) = schema["enum"].get(0) {
            return first.clone();
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(alternatives) = schema[keyword].as_array() {
                return self.alternative(alternatives, depth);
            }
        }
        if let Some(parts) = schema["allOf"].as_array() {
            return self.merged(parts, depth);
        }
        match type_of(schema, depth) {
            "object" => self.object(schema, depth),
            "array" => self.array(schema, depth),
            "string" => self.string(schema).into(),
            "integer" | "number" => number(schema),
            "boolean" => json!(true),
            _ => Value::Null,
        }
    }

    /// The schema that `$ref` names inside the root.
    fn definition(&self, schema: &Value) -> Option<&Value> {
        let path = schema.get("$ref")?.as_str()?.strip_prefix('#')?;
        self.root.pointer(path)
    }

    fn alternative(&self, alternatives: &[Value], depth: usize) -> Value {
        let is_null = |it: &&Value| it["type"] == "null";
        let null = alternatives.iter().find(is_null);
        match (null, alternatives.first()) {
            (Some(_), _) if depth >= MAX_DEPTH => Value::Null,
            (_, Some(first)) => self.value(first, depth + 1),
            (_, None) => Value::Null,
        }
    }

    /// The fields of the values of all parts.
    fn merged(&self, parts: &[Value], depth: usize) -> Value {
        let values = parts.iter().map(|part| self.value(part, depth + 1));
        let fields = values.filter_map(|value| value.as_object().cloned());
        Value::Object(fields.flatten().collect())
    }

    /// The required properties, or all if the schema has no list of them.
    fn object(&self, schema: &Value, depth: usize) -> Value {
        let required = schema["required"].as_array();
        let is_required = |name: &str| required.is_none_or(|all| all.iter().any(|it| it == name));
        let properties = schema["properties"].as_object().into_iter().flatten();
        let fields = properties
            .filter(|(name, _)| is_required(name))
            .map(|(name, property)| (name.clone(), self.value(property, depth + 1)));
        Value::Object(fields.collect::<Map<_, _>>())
    }

    fn array(&self, schema: &Value, depth: usize) -> Value {
        let min = schema["minItems"].as_u64();
        let count = match depth >= MAX_DEPTH {
            true => min.unwrap_or(0),
            false => min.unwrap_or(1).max(1),
        };
        let count = schema["maxItems"]
            .as_u64()
            .map_or(count, |max| count.min(max));
        let items = (0..count).map(|_| self.value(&schema["items"], depth + 1));
        Value::Array(items.collect())
    }

    fn string(&self, schema: &Value) -> String {
        let example = match schema["format"].as_str() {
            Some("date-time") => "2026-01-01T00:00:00Z",
            Some("date") => "2026-01-01",
            Some("time") => "00:00:00Z",
            Some("email") => "claw@example.com",
            Some("uri") => "https://example.com/",
            Some("uuid") => "00000000-0000-4000-8000-000000000000",
            _ => self.text,
        };
        let min = schema["minLength"].as_u64().unwrap_or(0) as usize;
        let max = schema["maxLength"].as_u64().unwrap_or(u64::MAX) as usize;
        let padding = std::iter::repeat_n('x', min.saturating_sub(example.chars().count()));
        example.chars().chain(padding).take(max).collect()
    }
}

/// The first type of a schema, and null as late as possible.
fn type_of(schema: &Value, depth: usize) -> &str {
    let Some(types) = schema["type"].as_array() else {
        let implied = match schema.get("properties") {
            Some(_) => "object",
            None => "string",
        };
        return schema["type"].as_str().unwrap_or(implied);
    };
    let mut names = types.iter().filter_map(Value::as_str);
    let has_null = types.iter().any(|it| it == "null");
    match has_null && depth >= MAX_DEPTH {
        true => "null",
        false => names.find(|name| *name != "null").unwrap_or("null"),
    }
}

/// The integer nearest to 0 that the bounds of the schema allow. If they allow no integer, the
/// number halfway between them.
fn number(schema: &Value) -> Value {
    let bound = |name: &str, default: f64| schema[name].as_f64().unwrap_or(default);
    let min = bound("minimum", f64::NEG_INFINITY);
    let above = bound("exclusiveMinimum", f64::NEG_INFINITY);
    let max = bound("maximum", f64::INFINITY);
    let below = bound("exclusiveMaximum", f64::INFINITY);
    let first = min.ceil().max(above.floor() + 1.0);
    let last = max.floor().min(below.ceil() - 1.0);
    match first <= last {
        true => json!(0f64.clamp(first, last) as i64),
        false => json!((min.max(above) + max.min(below)) / 2.0),
    }
}
