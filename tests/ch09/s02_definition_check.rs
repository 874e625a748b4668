//! Section 9.2: Definitions that every API accepts

use claw_code::tools::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch9_valid_names_are_accepted() {
    let longest = "x".repeat(MAX_NAME_LENGTH);
    for name in [
        "a",
        "-",
        "multi_edit",
        "mcp__git__log-2",
        "2D-ToList",
        &longest,
    ] {
        assert_accepted(name, object(json!({})));
    }
}

#[test]
fn test_ch9_valid_schemas_are_accepted() {
    for schema in [
        json!({ "type": "object" }),
        object(json!({ "path": { "type": "string" } })),
        // `{}` does not fit this schema, but there is nothing wrong with the schema.
        closed_object(json!({ "path": { "type": "string" } })),
        // Below the top level, every keyword is allowed.
        object(json!({ "when": { "anyOf": [{ "type": "string" }, { "type": "null" }] } })),
        object(json!({ "anyOf": { "type": "string" }, "not": { "enum": [1, 2] } })),
        json!({ "type": "object", "$defs": { "one": { "allOf": [true] } } }),
    ] {
        assert_accepted("tool", schema);
    }
}

#[test]
fn test_ch9_invalid_name_is_an_error() {
    let too_long = "x".repeat(MAX_NAME_LENGTH + 1);
    for (mistake, name) in [
        ("empty", ""),
        ("a space", "web search"),
        ("a dot", "fs.read"),
        ("a slash", "git/log"),
        ("a punctuation mark", "run!"),
        ("letters outside ASCII", "größe"),
        ("a line ending", "list\n"),
        ("too long", &too_long),
    ] {
        // The first problem of the list decides: `{}` is not of type object.
        for schema in [object(json!({})), json!({})] {
            let error = definition_error(name, schema.clone());
            assert!(
                error.contains(&format!("{name:?}"))
                    && error.contains("64")
                    && error.contains("`_` and `-`"),
                "{mistake}: whether or not the schema {schema} is valid, the error should name the tool {name:?} and say which names are valid; it is: {error}"
            );
        }
    }
}

#[test]
fn test_ch9_schema_must_be_an_object_schema() {
    for schema in [
        json!({}),
        json!(true),
        json!(null),
        json!({ "type": "string" }),
        json!({ "type": ["object", "null"] }),
        json!({ "properties": { "path": { "type": "string" } } }),
        // The first problem of the list decides.
        json!({ "anyOf": [] }),
    ] {
        let error = definition_error("odd", schema.clone());
        assert!(
            error.contains("odd") && error.contains("type") && error.contains("object"),
            "the schema {schema} is not of type object, and the error should say so and name the tool; it is: {error}"
        );
    }
}

#[test]
fn test_ch9_forbidden_keyword_at_the_top_is_an_error() {
    for (keyword, value) in [
        ("oneOf", json!([{ "required": ["path"] }])),
        ("anyOf", json!([{ "required": ["path"] }])),
        ("allOf", json!([{ "required": ["path"] }])),
        ("enum", json!([{}])),
        ("not", json!({ "required": ["path"] })),
        // The first problem of the list decides: this value is not valid either.
        ("allOf", json!(5)),
        ("anyOf", json!(null)),
    ] {
        let mut schema = object(json!({ "path": { "type": "string" } }));
        schema[keyword] = value;
        let error = definition_error("odd", schema);
        // In quotes of some kind, because "cannot" contains `not`.
        let quoted = ['`', '"', '\''].map(|quote| format!("{quote}{keyword}{quote}"));
        assert!(
            error.contains("odd")
                && quoted.iter().any(|quoted| error.contains(quoted))
                && error.contains("properties"),
            "an API rejects `{keyword}` at the top level, and the error should name the tool, the keyword and the fix, to move it into one of the properties; it is: {error}"
        );
    }
    let several = json!({ "type": "object", "allOf": [true], "anyOf": [true], "oneOf": [true] });
    let error = definition_error("odd", several);
    assert!(
        error.contains("oneOf") && !error.contains("allOf") && !error.contains("anyOf"),
        "the schema has several of the `FORBIDDEN_KEYWORDS`, and the error should name the first one of that list, `oneOf`; it is: {error}"
    );
}

#[test]
fn test_ch9_invalid_schema_is_an_error() {
    for (mistake, schema, reason) in [
        (
            "an unknown type",
            json!({ "type": "object", "properties": { "n": { "type": "int" } } }),
            "/properties/n/type",
        ),
        (
            "`required` is not a list",
            json!({ "type": "object", "required": "path" }),
            "/required",
        ),
        (
            "another document",
            json!({ "type": "object", "properties": { "n": { "$ref": "https://example.com/n.json" } } }),
            "example.com",
        ),
    ] {
        let error = definition_error("odd", schema.clone());
        assert!(
            error.contains("odd") && error.contains(reason),
            "{mistake}: no arguments fit {schema}, so the error should name the tool and contain what `mismatches` reports, with {reason:?} in it; it is: {error}"
        );
    }
}

#[track_caller]
fn assert_accepted(name: &str, schema: Value) {
    if let Err(error) = check_definition(&definition(name, schema.clone())) {
        panic!("every API accepts {name:?} with the schema {schema}, but: {error:#}");
    }
}

/// The error for a definition that an API rejects.
#[track_caller]
fn definition_error(name: &str, schema: Value) -> String {
    match check_definition(&definition(name, schema.clone())) {
        Ok(()) => panic!("an API rejects {name:?} with the schema {schema}, but it was accepted"),
        Err(error) => format!("{error:#}"),
    }
}
