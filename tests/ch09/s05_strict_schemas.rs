//! Section 9.5: Held to the schema

use claw_code::tools::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch9_strict_schemas() {
    for schema in [
        closed_object(json!({})),
        json!({ "type": "object", "additionalProperties": false }),
        closed_object(json!({ "path": { "type": "string", "description": "A path." } })),
        closed_object(json!({
            "mode": { "type": ["string", "null"], "enum": ["a", "b", null], "title": "Mode" },
            "edits": { "type": "array", "items": closed_object(json!({ "old": { "type": "string" } })) },
            "when": { "anyOf": [{ "type": "string" }, closed_object(json!({ "n": { "type": "integer" } }))] },
        })),
        // Names of properties are no keywords.
        closed_object(json!({ "pattern": { "type": "string" }, "anyOf": { "type": "string" } })),
    ] {
        assert!(
            is_strict(&schema),
            "the API holds a model to this: {schema}"
        );
    }
}

#[test]
fn test_ch9_an_optional_parameter_is_not_strict() {
    let mut schema = closed_object(json!({ "a": { "type": "string" }, "b": { "type": "string" } }));
    schema["required"] = json!(["a"]);
    assert_not_strict(&schema, "`b` may be left out");
    schema["required"] = json!([]);
    assert_not_strict(&schema, "both may be left out");
    schema["required"] = json!(["a", "a"]);
    assert_not_strict(&schema, "two names are required, and `b` is not among them");
    schema["required"] = json!(["a", "b", "c"]);
    assert_not_strict(&schema, "`c` is required and unknown");
    schema
        .as_object_mut()
        .expect("an object")
        .remove("required");
    assert_not_strict(&schema, "without `required`, everything may be left out");
}

#[test]
fn test_ch9_an_open_object_is_not_strict() {
    let mut schema = closed_object(json!({ "a": { "type": "string" } }));
    for open in [json!(true), json!({ "type": "string" }), json!(null)] {
        schema["additionalProperties"] = open.clone();
        assert_not_strict(&schema, &format!("`additionalProperties` is {open}"));
    }
    assert_not_strict(
        &object(json!({ "a": { "type": "string" } })),
        "other names are welcome unless it is said that they are not",
    );
}

#[test]
fn test_ch9_strict_all_the_way_down() {
    let open = object(json!({ "a": { "type": "string" } }));
    for (place, inside) in [
        ("a property", open.clone()),
        ("an item", json!({ "type": "array", "items": open.clone() })),
        (
            "a form",
            json!({ "anyOf": [{ "type": "string" }, open.clone()] }),
        ),
        (
            "one that may be null",
            json!({ "type": ["object", "null"] }),
        ),
        (
            "one that only lists properties",
            json!({ "properties": {} }),
        ),
        ("a schema that fits all", json!(true)),
        (
            "an array whose items are a list",
            json!({ "type": "array", "items": [] }),
        ),
        ("no schema", json!({ "anyOf": "none" })),
    ] {
        let schema = closed_object(json!({ "inside": inside }));
        assert_not_strict(&schema, &format!("{place} is not strict"));
    }
}

#[test]
fn test_ch9_what_is_in_doubt_is_not_strict() {
    for keyword in [
        "pattern",
        "format",
        "allOf",
        "not",
        "if",
        "minLength",
        "$ref",
        "x-made-up",
    ] {
        let schema = closed_object(json!({ "a": { "type": "string", keyword: [] } }));
        assert_not_strict(&schema, &format!("`{keyword}` is not on the list"));
    }
    for anything in [json!({}), json!({ "description": "Anything." })] {
        let schema = closed_object(json!({ "a": anything }));
        assert_not_strict(&schema, "without `type`, `a` may be anything");
    }
    let mut schema = closed_object(json!({ "a": { "type": "string" } }));
    schema["anyOf"] = json!([]);
    assert_not_strict(&schema, "`anyOf` stands at the top");
    for other in [
        json!({ "type": "string" }),
        json!(true),
        json!(null),
        json!({}),
    ] {
        assert_not_strict(&other, "it is no object schema");
    }
}

#[test]
fn test_ch9_strict_schemas_are_not_deep() {
    let nested = |depth: usize| {
        let innermost = json!({ "type": "string" });
        (1..depth).fold(innermost, |inside, _| {
            closed_object(json!({ "inside": inside }))
        })
    };
    assert!(
        is_strict(&nested(MAX_NESTING)),
        "{MAX_NESTING} schemas inside one another, the outermost counted, are fine"
    );
    assert_not_strict(&nested(MAX_NESTING + 1), "one more is one too many");
    // A strict schema of a tool of tomorrow must not end the program of today.
    assert_not_strict(&nested(100), "and a hundred are");
}

fn assert_not_strict(schema: &Value, because: &str) {
    assert!(
        !is_strict(schema),
        "{because}, so the API would refuse to hold a model to it: {schema}"
    );
}
