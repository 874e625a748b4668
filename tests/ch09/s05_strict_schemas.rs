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
        closed_object(
            json!({ "a": { "type": "string", "additionalProperties": true, "required": ["b"] } }),
        ),
        json!({ "type": "object", "properties": { "a": { "type": "string" } },
                "required": ["a", "a"], "additionalProperties": false }),
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
        ("`c` is required instead of `b`", json!(["a", "c"])),
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
    assert_not_strict(
        "`a` is required, but without `properties` it is no property",
        &json!({ "type": "object", "required": ["a"], "additionalProperties": false }),
    );
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
        ("items of any type", json!({ "type": ["array", "null"] })),
        (
            "an open alternative",
            json!({ "anyOf": [{ "type": "string" }, open] }),
        ),
        (
            "an open object that may be null",
            json!({ "type": ["object", "null"] }),
        ),
        (
            "an open object with alternatives",
            json!({ "type": "object", "anyOf": [{ "type": "string" }] }),
        ),
        (
            "an array with alternatives and any items",
            json!({ "type": "array", "anyOf": [{ "type": "string" }] }),
        ),
        (
            "an open object that is no item of an array",
            json!({ "type": "string", "items": open }),
        ),
        (
            "`properties` of something that is no object",
            json!({ "type": "string", "properties": { "a": { "type": "string" } } }),
        ),
        ("`true` as items", json!({ "type": "array", "items": true })),
        ("`properties` without a type", json!({ "properties": {} })),
        ("a schema that allows everything", json!(true)),
        (
            "a list in `properties`",
            json!({ "type": "object", "properties": [], "additionalProperties": false }),
        ),
        ("a list in `items`", json!({ "type": "array", "items": [] })),
        ("a string in `anyOf`", json!({ "anyOf": "none" })),
    ] {
        let schema = closed_object(json!({ "inside": schema, "strict": { "type": "string" } }));
        assert_not_strict(&format!("{part} is not strict"), &schema);
    }
}

#[test]
fn test_ch9_schema_with_another_keyword_is_not_strict() {
    let keywords = "pattern format default const minimum minLength minItems allOf oneOf not if \
                    $ref $defs x-made-up";
    for keyword in keywords.split_whitespace() {
        let reason = format!("`{keyword}` is not an allowed keyword");
        let mut schema = closed_object(json!({ "a": { "type": "string", keyword: [] } }));
        assert_not_strict(&reason, &schema);
        schema = closed_object(json!({}));
        schema[keyword] = json!([]);
        assert_not_strict(&reason, &schema);
    }
}

#[test]
fn test_ch9_schema_without_a_type_is_not_strict() {
    for (reason, untyped) in [
        ("without `type`, `a` may be anything", json!({})),
        (
            "a description does not limit what `a` may be",
            json!({ "description": "Anything." }),
        ),
        ("`a` has only an `enum`", json!({ "enum": ["a", "b"] })),
    ] {
        assert_not_strict(reason, &closed_object(json!({ "a": untyped })));
    }
}

#[test]
fn test_ch9_strict_schema_is_an_object_schema_at_the_top() {
    let mut schema = closed_object(json!({ "a": { "type": "string" } }));
    schema["anyOf"] = json!([{ "type": "string" }]);
    assert_not_strict("`anyOf` is at the top level", &schema);
    schema = closed_object(json!({}));
    schema["type"] = json!(["object"]);
    assert_not_strict("its `type` is a list", &schema);
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
        let inside = (2..depth).fold(innermost, |inside, level| match level % 3 {
            0 => json!({ "anyOf": [inside] }),
            1 => json!({ "type": "array", "items": inside }),
            _ => closed_object(json!({ "inside": inside })),
        });
        closed_object(json!({ "inside": inside }))
    };
    let deepest = nested(MAX_NESTING);
    assert!(
        is_strict(&deepest),
        "{MAX_NESTING} nested schemas, the outermost included, are strict: {deepest}"
    );
    assert_not_strict("it has one level too many", &nested(MAX_NESTING + 1));
}

#[track_caller]
fn assert_not_strict(reason: &str, schema: &Value) {
    assert!(
        !is_strict(schema),
        "{reason}, so the API would reject it in strict mode: {schema}"
    );
}
