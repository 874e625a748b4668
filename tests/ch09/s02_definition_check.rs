//! Section 9.2: What every API takes

use claw_code::tools::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch9_good_definitions_are_admissible() {
    let longest = "x".repeat(MAX_NAME);
    for name in [
        "a",
        "list",
        "multi_edit",
        "mcp__git__log-2",
        "R2D2",
        &longest,
    ] {
        assert_admissible(name, object(json!({})));
    }
    for schema in [
        json!({ "type": "object" }),
        object(json!({ "path": { "type": "string" } })),
        // Further down, every keyword is welcome.
        object(json!({ "when": { "anyOf": [{ "type": "string" }, { "type": "null" }] } })),
        object(json!({ "anyOf": { "type": "string" }, "not": { "enum": [1, 2] } })),
        json!({ "type": "object", "$defs": { "one": { "allOf": [true] } } }),
    ] {
        assert_admissible("tool", schema);
    }
}

#[test]
fn test_ch9_names_that_no_api_takes() {
    let too_long = "x".repeat(MAX_NAME + 1);
    for name in [
        "",
        "web search",
        "fs.read",
        "git/log",
        "run!",
        "größe",
        "list\n",
        &too_long,
    ] {
        let said = refused(name, object(json!({})));
        assert!(
            said.contains(&format!("{name:?}")) && said.contains("64"),
            "the error names the tool {name:?} and says which names will do; it says: {said}"
        );
    }
}

#[test]
fn test_ch9_schemas_that_no_api_takes() {
    for schema in [
        json!({}),
        json!(true),
        json!(null),
        json!({ "type": "string" }),
        json!({ "type": ["object", "null"] }),
        json!({ "properties": { "path": { "type": "string" } } }),
    ] {
        let said = refused("odd", schema.clone());
        assert!(
            said.contains("odd") && said.contains("type") && said.contains("object"),
            "the schema {schema} is none of an object; the error names the tool and says so; it says: {said}"
        );
    }
    for keyword in ["oneOf", "anyOf", "allOf", "enum", "not"] {
        let mut schema = object(json!({ "path": { "type": "string" } }));
        schema[keyword] = match keyword {
            "not" => json!({ "required": ["path"] }),
            "enum" => json!([{}]),
            _ => json!([{ "required": ["path"] }]),
        };
        let said = refused("odd", schema);
        // In quotes of some kind: "cannot" has a `not` in it too.
        let quoted = ['`', '"', '\''].map(|quote| format!("{quote}{keyword}{quote}"));
        assert!(
            said.contains("odd") && quoted.iter().any(|it| said.contains(it)),
            "`{keyword}` at the top level is refused by an API; the error names tool and keyword; it says: {said}"
        );
    }
}

#[test]
fn test_ch9_schemas_that_are_broken() {
    for (schema, reason) in [
        (
            json!({ "type": "object", "properties": { "n": { "type": "int" } } }),
            "/properties/n/type",
        ),
        (json!({ "type": "object", "required": "path" }), "/required"),
        (
            json!({ "type": "object", "properties": { "n": { "$ref": "https://example.com/n.json" } } }),
            "example.com",
        ),
    ] {
        let said = refused("odd", schema.clone());
        assert!(
            said.contains("odd") && said.contains(reason),
            "no arguments would ever fit {schema}: the error names the tool, `odd`, and says what `mismatches` finds wrong, which has {reason:?} in it; the error says: {said}"
        );
    }
}

fn assert_admissible(name: &str, schema: Value) {
    if let Err(error) = admissible(&definition(name, schema.clone())) {
        panic!("every API takes {name:?} with the schema {schema}, and it was refused: {error:#}");
    }
}

/// What is said of a tool that no API takes.
fn refused(name: &str, schema: Value) -> String {
    match admissible(&definition(name, schema.clone())) {
        Ok(()) => panic!("{name:?} with the schema {schema} fails a whole request, and was taken"),
        Err(error) => format!("{error:#}"),
    }
}
