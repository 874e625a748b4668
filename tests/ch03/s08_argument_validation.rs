//! Section 3.8: Checking the arguments

use claw_code::tools::*;
use claw_code::types::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch3_validate_accepts() {
    for args in [
        json!({ "path": "a.txt" }),
        json!({ "path": "a.txt", "limit": 3, "mode": "append" }),
        json!({ "path": "a.txt", "edits": [{ "old": "x" }, { "old": "y" }] }),
    ] {
        assert_eq!(
            validate(&edit(), &args),
            ValidationResult::Ok,
            "{args} fits the schema"
        );
    }
    assert_eq!(
        validate(&ToolDefinition::new("now", "Tell the time"), &json!({})),
        ValidationResult::Ok,
        "no arguments fit a tool without parameters"
    );
}

#[test]
fn test_ch3_validate_names_each_problem() {
    for (args, line) in [
        (json!({}), "- `path` is required"),
        (json!({ "path": 7 }), "- `path` must be string, not 7"),
        (
            json!({ "path": "a", "mode": "add" }),
            "- `mode` must be \"replace\" or \"append\", not \"add\"",
        ),
        (
            json!({ "path": "a", "edits": [{ "old": "x" }, { "old": 1 }] }),
            "- `edits[1].old` must be string, not 1",
        ),
        (
            json!({ "path": "a", "edits": [{}] }),
            "- `edits[0].old` is required",
        ),
        (
            json!({ "path": "a", "limit": 0 }),
            "- `limit` must be at least 1, not 0",
        ),
        (
            json!({ "path": "a", "pth": "b" }),
            "- `pth` is not known; known are `edits`, `limit`, `mode`, `path`",
        ),
        (
            json!({ "path": "a", "edits": [{ "old": "x", "odl": "y" }] }),
            "- `edits[0].odl` is not known; known are `old`",
        ),
        (
            json!("{\"path\": \"a"),
            "- the arguments must be object, not \"{\\\"path\\\": \\\"a\"",
        ),
        (json!(null), "- the arguments must be object, not null"),
    ] {
        assert_eq!(
            complaint(&args),
            format!("the arguments do not fit the tool `edit`:\n{line}"),
            "the arguments were {args}"
        );
    }
}

#[test]
fn test_ch3_validate_speaks_of_every_rule() {
    for (schema, value, says) in [
        (
            json!({ "minLength": 2 }),
            json!("a"),
            "must have at least 2 characters, not \"a\"",
        ),
        (
            json!({ "maxLength": 2 }),
            json!("abc"),
            "must have at most 2 characters, not \"abc\"",
        ),
        (
            json!({ "pattern": "^a+$" }),
            json!("b"),
            "must match the pattern ^a+$, not \"b\"",
        ),
        (
            json!({ "maximum": 2 }),
            json!(3),
            "must be at most 2, not 3",
        ),
        (
            json!({ "exclusiveMinimum": 2 }),
            json!(2),
            "must be more than 2, not 2",
        ),
        (
            json!({ "exclusiveMaximum": 2 }),
            json!(2),
            "must be less than 2, not 2",
        ),
        (
            json!({ "multipleOf": 2 }),
            json!(3),
            "must be a multiple of 2, not 3",
        ),
        (
            json!({ "minItems": 2 }),
            json!([1]),
            "must have at least 2 items, not [1]",
        ),
        (
            json!({ "maxItems": 1 }),
            json!([1, 2]),
            "must have at most 1 items, not [1,2]",
        ),
        (
            json!({ "uniqueItems": true }),
            json!([1, 2, 1]),
            "must have no item twice ([0] and [2] are equal), not [1,2,1]",
        ),
        (
            json!({ "const": "a" }),
            json!("b"),
            "must be \"a\", not \"b\"",
        ),
        (
            json!({ "type": ["boolean", "number"] }),
            json!(null),
            "must be boolean or number, not null",
        ),
        (
            json!({ "type": ["array", "object"] }),
            json!(1),
            "must be array or object, not 1",
        ),
        (
            json!({ "not": { "const": 1 } }),
            json!(1),
            "must fit the schema (not failed), not 1",
        ),
        (
            json!(false),
            json!(1),
            "must fit the schema (false schema), not 1",
        ),
        (
            json!({ "anyOf": [{ "type": "string" }, { "type": "null" }] }),
            json!(1),
            "fits no form: `it` must be string, not 1; or `it` must be null, not 1",
        ),
        (
            json!({ "oneOf": [{ "type": "string" }, { "type": "null" }] }),
            json!(1),
            "fits no form: `it` must be string, not 1; or `it` must be null, not 1",
        ),
    ] {
        let definition = ToolDefinition {
            name: "rule",
            description: "Has one rule",
            parameters: json!({ "type": "object", "properties": { "it": schema } }),
        };
        let ValidationResult::Error { message, .. } =
            validate(&definition, &json!({ "it": value }))
        else {
            panic!("{value} does not fit {schema}");
        };
        assert_eq!(
            message,
            format!("the arguments do not fit the tool `rule`:\n- `it` {says}"),
            "the schema is {schema}"
        );
    }
}

#[test]
fn test_ch3_validate_asks_about_unknown_names_last() {
    let definition = ToolDefinition {
        name: "branches",
        description: "Brings a name in from elsewhere",
        parameters: json!({
            "type": "object",
            "properties": { "path": { "type": "string" } },
            "$ref": "#/$defs/more",
            "$defs": { "more": { "properties": { "limit": { "type": "integer" } } } }
        }),
    };
    for (args, line) in [
        (
            json!({ "limit": "ten", "pth": 1 }),
            "- `limit` must be integer, not \"ten\"",
        ),
        (
            json!({ "limit": 10, "pth": 1 }),
            "- `pth` is not known; known are `path`",
        ),
    ] {
        let ValidationResult::Error { message, .. } = validate(&definition, &args) else {
            panic!("{args} does not fit");
        };
        assert_eq!(
            message,
            format!("the arguments do not fit the tool `branches`:\n{line}"),
            "names from `$ref` count as unknown while something in there is wrong, so nothing is said of names yet"
        );
    }
}

#[test]
fn test_ch3_validate_reports_all_problems() {
    let args = json!({ "limit": "ten", "mode": "add", "pth": "a", "b": 1, "a": 1, "c": 1 });
    let expected = "the arguments do not fit the tool `edit`:
- `a` is not known; known are `edits`, `limit`, `mode`, `path`
- `b` is not known; known are `edits`, `limit`, `mode`, `path`
- `c` is not known; known are `edits`, `limit`, `mode`, `path`
- `limit` must be integer, not \"ten\"
- `mode` must be \"replace\" or \"append\", not \"add\"
- `path` is required
- `pth` is not known; known are `edits`, `limit`, `mode`, `path`";
    for _ in 0..20 {
        assert_eq!(
            complaint(&args),
            expected,
            "every problem is told at once, in the same order each time: the lines are sorted"
        );
    }
}

#[test]
fn test_ch3_validate_tells_nothing_twice() {
    let path = json!({ "properties": { "path": { "type": "string" } } });
    let definition = ToolDefinition {
        name: "twice",
        description: "Says one thing in two places",
        parameters: json!({ "type": "object", "allOf": [path, path] }),
    };
    let ValidationResult::Error { message, .. } = validate(&definition, &json!({ "path": 1 }))
    else {
        panic!("`path` is no string in either place");
    };
    assert_eq!(
        message, "the arguments do not fit the tool `twice`:\n- `path` must be string, not 1",
        "a problem that two parts of the schema find is told once"
    );
}

#[test]
fn test_ch3_validate_bounds_the_message() {
    let edits = |count: usize| json!({ "path": "a", "edits": vec![json!({ "old": 1 }); count] });
    let ten = complaint(&edits(MAX_PROBLEMS));
    assert_eq!(
        ten.lines().count(),
        1 + MAX_PROBLEMS,
        "{MAX_PROBLEMS} problems are told in full:\n{ten}"
    );
    let many = complaint(&edits(MAX_PROBLEMS + 32));
    assert_eq!(
        many.lines().count(),
        1 + MAX_PROBLEMS + 1,
        "of more than {MAX_PROBLEMS} problems the first {MAX_PROBLEMS} are told, and a line counts the rest:\n{many}"
    );
    assert_eq!(many.lines().last(), Some("- and 32 more"));
}

#[test]
fn test_ch3_validate_codes() {
    let ValidationResult::Error { code, .. } = validate(&edit(), &json!({})) else {
        panic!("`path` is required");
    };
    assert_eq!(code, BAD_ARGUMENTS, "these arguments do not fit");

    let folder = Folder::new(&["schema.json"]);
    let elsewhere = folder.path().join("schema.json");
    std::fs::write(&elsewhere, "true").expect("a file with a schema that everything fits");
    let elsewhere = format!("file://{}", elsewhere.display());
    for (schema, says) in [
        (json!({ "type": "objekt" }), "/type"),
        (json!({ "$ref": elsewhere }), "other documents"),
    ] {
        let definition = ToolDefinition {
            name: "broken",
            description: "Has a schema that is none",
            parameters: schema.clone(),
        };
        let ValidationResult::Error { message, code } = validate(&definition, &json!({})) else {
            panic!("{schema} is no schema to check arguments with, so none will do");
        };
        assert_eq!(code, BROKEN_SCHEMA, "the schema {schema} is broken");
        for piece in ["`broken`", "schema", says] {
            assert!(
                message.contains(piece),
                "the message names the tool and says what is wrong with its schema, {piece:?} among it; it says: {message}"
            );
        }
    }
}

/// A definition made by hand, with something of every kind in it.
fn edit() -> ToolDefinition {
    ToolDefinition {
        name: "edit",
        description: "Edit a file",
        parameters: json!({
            "type": "object",
            "properties": {
                "path": { "type": "string" },
                "limit": { "type": "integer", "minimum": 1 },
                "mode": { "enum": ["replace", "append"] },
                "edits": { "type": "array", "items": {
                    "type": "object",
                    "properties": { "old": { "type": "string" } },
                    "required": ["old"],
                    "additionalProperties": false
                } }
            },
            "required": ["path"]
        }),
    }
}

/// What validate says of arguments that do not fit [`edit`].
#[track_caller]
fn complaint(args: &Value) -> String {
    match validate(&edit(), args) {
        ValidationResult::Error { message, .. } => message,
        ValidationResult::Ok => panic!("these arguments do not fit and were accepted: {args}"),
    }
}
