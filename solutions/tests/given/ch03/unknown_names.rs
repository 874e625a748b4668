//! Unknown names

use claw_code::tools::*;
use serde_json::{Value, json};

use super::support::*;
use super::value_paths::name;

#[test]
fn closed_schema_refuses_unknown_names() {
    let schema = json!({ "type": "object", "properties": { "path": { "type": "string" } } });
    assert_eq!(
        mismatches(&close_schema(&schema), &json!({ "path": "a", "pth": "b" })),
        Ok(vec![Mismatch {
            path: vec![name("pth")],
            got: json!("b"),
            problem: Problem::Unknown {
                allowed: vec!["path".into()]
            },
        }]),
        "a schema that lists its properties refuses other names once it is closed"
    );
    let no_names = json!({ "type": "object", "properties": {} });
    let refused = count_mismatches(&close_schema(&no_names), &json!({ "path": "a" }));
    assert_eq!(refused, 1, "an empty `properties` lists no name at all");
}

#[test]
fn closed_schema_treats_known_names_as_before() {
    let schema = json!({ "type": "object", "properties": { "path": { "type": "string" } } });
    for (args, count) in [(json!({ "path": "a" }), 0), (json!({ "path": 1 }), 1)] {
        assert_eq!(
            count_mismatches(&schema, &args),
            count,
            "closing a schema changes nothing for the arguments {args}"
        );
    }
}

#[test]
fn schema_with_a_rule_for_other_names_is_unchanged() {
    for schema in [
        json!({ "type": "object", "properties": { "a": {} }, "additionalProperties": true }),
        json!({ "type": "object", "properties": { "a": {} }, "additionalProperties": { "type": "integer" } }),
        json!({ "type": "object", "properties": { "a": {} }, "unevaluatedProperties": { "type": "integer" } }),
        json!({ "type": "object" }),
        json!({ "type": "object", "patternProperties": { "^x-": {} } }),
        json!({ "allOf": [{ "properties": { "a": {} } }] }),
        json!({ "type": "string" }),
        json!(true),
    ] {
        assert_eq!(
            close_schema(&schema),
            schema,
            "a schema with a rule for other names, or without `properties`, stays unchanged"
        );
    }
}

#[test]
fn closed_schema_knows_names_from_references() {
    let schema = json!({
        "properties": { "path": { "type": "string" } },
        "patternProperties": { "^x-": { "type": "string" } },
        "allOf": [{ "properties": { "limit": { "type": "integer" } } }],
        "$ref": "#/$defs/more",
        "$defs": { "more": { "properties": { "mode": { "type": "string" } } } }
    });
    for (args, count) in [
        (
            json!({ "path": "a", "limit": 1, "mode": "b", "x-note": "c" }),
            0,
        ),
        (json!({ "pth": "a" }), 1),
    ] {
        assert_eq!(
            count_mismatches(&schema, &args),
            count,
            "names can also come from `allOf`, `$ref` and patterns, which `additionalProperties` does not see; the arguments are {args}"
        );
    }
}

#[test]
fn closed_schema_leaves_inner_objects_open() {
    let schema = json!({
        "type": "object",
        "properties": { "inner": { "type": "object", "properties": { "a": {} } } }
    });
    assert_eq!(
        count_mismatches(&schema, &json!({ "inner": { "b": 1 } })),
        0,
        "only the arguments themselves are closed, not the objects inside them"
    );
}

/// How many mismatches the arguments have with the closed schema.
#[track_caller]
fn count_mismatches(schema: &Value, args: &Value) -> usize {
    let found = mismatches(&close_schema(schema), args);
    found.expect("the schema is valid").len()
}
