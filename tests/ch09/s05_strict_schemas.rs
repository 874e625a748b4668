//! Section 9.5: Strict schemas

use claw_code::tools::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch9_closed_object_schemas_are_strict() {
    for schema in [
        closed_object(json!({})),
        json!({ "type": "object", "additionalProperties": false }),
        closed_object(json!({ "path": { "type": "string", "description": "A path." } })),
        closed_object(json!({
            "mode": { "type": ["string", "null"], "enum": ["a", "b", null], "title": "Mode" },
            "edits": { "type": "array", "items": closed_object(json!({ "old": { "type": "string" } })) },
            "when": { "anyOf": [{ "type": "string" }, closed_object(json!({ "n": { "type": "integer" } }))] },
        })),
        // A property may have the name of a keyword.
        closed_object(json!({ "pattern": { "type": "string" }, "anyOf": { "type": "string" } })),
    ] {
        assert!(
            is_strict(&schema),
            "the API accepts this schema in strict mode: {schema}"
        );
    }
}

#[test]
fn test_ch9_schema_that_does_not_require_exactly_its_properties_is_not_strict() {
    let mut schema = closed_object(json!({ "a": { "type": "string" }, "b": { "type": "string" } }));
    for (reason, required) in [
        ("`b` is optional", json!(["a"])),
        ("both properties are optional", json!([])),
        (
            "`required` has two names, but `b` is optional",
            json!(["a", "a"]),
        ),
        ("`c` is required, but no property", json!(["a", "b", "c"])),
        (
            "without a list in `required`, all properties are optional",
            json!(null),
        ),
    ] {
        schema["required"] = required;
        assert_not_strict(reason, &schema);
    }
    let keywords = schema.as_object_mut().expect("an object");
    keywords.remove("required");
    assert_not_strict("without `required`, all properties are optional", &schema);
}

#[test]
fn test_ch9_schema_with_additional_properties_is_not_strict() {
    let mut schema = closed_object(json!({ "a": { "type": "string" } }));
    for open in [json!(true), json!({ "type": "string" }), json!(null)] {
        schema["additionalProperties"] = open.clone();
        assert_not_strict(&format!("`additionalProperties` is {open}"), &schema);
    }
    assert_not_strict(
        "without `additionalProperties`, any other name is allowed",
        &object(json!({ "a": { "type": "string" } })),
    );
}

#[test]
fn test_ch9_strict_rules_apply_at_every_level() {
    let open = object(json!({ "a": { "type": "string" } }));
    for (part, schema) in [
        ("an open object", open.clone()),
        ("an open item", json!({ "type": "array", "items": open })),
        (
            "an open alternative",
            json!({ "anyOf": [{ "type": "string" }, open] }),
        ),
        (
            "an open object that may be null",
            json!({ "type": ["object", "null"] }),
        ),
        ("`properties` without a type", json!({ "properties": {} })),
        ("a schema that allows everything", json!(true)),
        ("a list in `items`", json!({ "type": "array", "items": [] })),
        ("a string in `anyOf`", json!({ "anyOf": "none" })),
    ] {
        let schema = closed_object(json!({ "inside": schema }));
        assert_not_strict(&format!("{part} is not strict"), &schema);
    }
}

#[test]
fn test_ch9_schema_with_another_keyword_is_not_strict() {
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
        assert_not_strict(&format!("`{keyword}` is not an allowed keyword"), &schema);
    }
}

#[test]
fn test_ch9_schema_without_a_type_is_not_strict() {
    for anything in [json!({}), json!({ "description": "Anything." })] {
        let schema = closed_object(json!({ "a": anything }));
        assert_not_strict("without `type`, `a` may be anything", &schema);
    }
}

#[test]
fn test_ch9_strict_schema_is_an_object_schema_at_the_top() {
    let mut schema = closed_object(json!({ "a": { "type": "string" } }));
    schema["anyOf"] = json!([]);
    assert_not_strict("`anyOf` is at the top level", &schema);
    for other in [
        json!({ "type": "string" }),
        json!(true),
        json!(null),
        json!({}),
    ] {
        assert_not_strict("it is not an object schema", &other);
    }
}

#[test]
fn test_ch9_deep_schema_is_not_strict() {
    let nested = |depth: usize| {
        let innermost = json!({ "type": "string" });
        (1..depth).fold(innermost, |inside, _| {
            closed_object(json!({ "inside": inside }))
        })
    };
    assert!(
        is_strict(&nested(MAX_NESTING)),
        "{MAX_NESTING} nested schemas, the outermost included, are strict"
    );
    assert_not_strict("it has one level too many", &nested(MAX_NESTING + 1));
    assert_not_strict("it has a hundred levels", &nested(100));
}

#[track_caller]
fn assert_not_strict(reason: &str, schema: &Value) {
    assert!(
        !is_strict(schema),
        "{reason}, so the API would reject it in strict mode: {schema}"
    );
}
