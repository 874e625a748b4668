//! Section 3.5: Argument validation

use std::sync::Arc;

use claw_code::tools::*;
use claw_code::types::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch3_validate_accepts_arguments_that_match() {
    for args in [
        json!({ "path": "a.txt" }),
        json!({ "path": "a.txt", "limit": 3, "mode": "append" }),
        json!({ "path": "a.txt", "edits": [{ "old": "x" }, { "old": "y" }] }),
    ] {
        assert_eq!(
            validate(&edit_definition(), &args),
            ValidationResult::Ok,
            "{args} matches the schema"
        );
    }
    assert_eq!(
        validate(&ToolDefinition::new("now", "Tell the time"), &json!({})),
        ValidationResult::Ok,
        "a tool without parameters accepts an empty object"
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
            "- `pth` is unknown; the known names are `edits`, `limit`, `mode`, `path`",
        ),
        (
            json!({ "path": "a", "edits": [{ "old": "x", "odl": "y" }] }),
            "- `edits[0].odl` is unknown; the known names are `old`",
        ),
        (
            json!("{\"path\": \"a"),
            "- the arguments must be object, not \"{\\\"path\\\": \\\"a\"",
        ),
        (json!(null), "- the arguments must be object, not null"),
    ] {
        assert_problems(&edit_definition(), &args, line);
    }
}

#[test]
fn test_ch3_validate_describes_every_rule() {
    // The schema of `it`, a value, and the sentence after `it`.
    let rules = r#"{"minLength": 2} | "a" | must have at least 2 characters, not "a"
        {"maxLength": 2} | "abc" | must have at most 2 characters, not "abc"
        {"pattern": "^a+$"} | "b" | must match the pattern ^a+$, not "b"
        {"maximum": 2} | 3 | must be at most 2, not 3
        {"exclusiveMinimum": 2} | 2 | must be more than 2, not 2
        {"exclusiveMaximum": 2} | 2 | must be less than 2, not 2
        {"multipleOf": 2} | 3 | must be a multiple of 2, not 3
        {"minItems": 2} | [1] | must have at least 2 items, not [1]
        {"maxItems": 1} | [1,2] | must have at most 1 items, not [1,2]
        {"uniqueItems": true} | [1,2,1] | must not contain an item twice ([0] and [2] are equal), not [1,2,1]
        {"const": "a"} | "b" | must be "a", not "b"
        {"type": ["boolean", "number"]} | null | must be boolean or number, not null
        {"type": ["array", "object"]} | 1 | must be array or object, not 1
        {"not": {"const": 1}} | 1 | must match the schema (not failed), not 1
        false | 1 | must match the schema (false schema), not 1
        {"anyOf": [{"type": "string"}, {"type": "null"}]} | 1 | matches no allowed form: `it` must be string, not 1; or `it` must be null, not 1
        {"oneOf": [{"type": "string"}, {"type": "null"}]} | 1 | matches no allowed form: `it` must be string, not 1; or `it` must be null, not 1"#;
    for rule in rules.lines().map(str::trim) {
        let [schema, value, text] = rule.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("a rule has three columns: {rule}");
        };
        let [schema, value]: [Value; 2] =
            [schema, value].map(|json| serde_json::from_str(json).expect("a column has JSON"));
        let parameters = json!({ "type": "object", "properties": { "it": schema } });
        assert_problems(
            &definition("rule", parameters),
            &json!({ "it": value }),
            &format!("- `it` {text}"),
        );
    }
}

#[test]
fn test_ch3_validate_reports_unknown_names_last() {
    let parameters = json!({
        "type": "object",
        "properties": { "path": { "type": "string" } },
        "$ref": "#/$defs/more",
        "$defs": { "more": { "properties": {
            "limit": { "type": "integer" },
            "inner": { "properties": { "a": {} }, "additionalProperties": false }
        } } }
    });
    let definition = definition("branches", parameters);
    // A wrong value in `$ref` makes its names look unknown, so names are reported only
    // when all values are right.
    for (args, line) in [
        (
            json!({ "limit": "ten", "pth": 1 }),
            "- `limit` must be integer, not \"ten\"",
        ),
        (
            json!({ "inner": { "b": 1 } }),
            "- `inner.b` is unknown; the known names are `a`",
        ),
        (
            json!({ "limit": 10, "pth": 1 }),
            "- `pth` is unknown; the known names are `path`",
        ),
    ] {
        assert_problems(&definition, &args, line);
    }
}

#[test]
fn test_ch3_validate_reports_all_problems_in_order() {
    let args = json!({ "limit": "ten", "mode": "add", "pth": "a", "b": 1, "a": 1, "c": 1 });
    let lines = "- `a` is unknown; the known names are `edits`, `limit`, `mode`, `path`
- `b` is unknown; the known names are `edits`, `limit`, `mode`, `path`
- `c` is unknown; the known names are `edits`, `limit`, `mode`, `path`
- `limit` must be integer, not \"ten\"
- `mode` must be \"replace\" or \"append\", not \"add\"
- `path` is required
- `pth` is unknown; the known names are `edits`, `limit`, `mode`, `path`";
    for _ in 0..20 {
        assert_problems(&edit_definition(), &args, lines);
    }
}

#[test]
fn test_ch3_validate_reports_each_problem_once() {
    let rules = json!({ "properties": { "limit": { "minimum": 2, "multipleOf": 3 } } });
    let parameters = json!({ "type": "object", "allOf": [rules, rules] });
    assert_problems(
        &definition("twice", parameters),
        &json!({ "limit": 1 }),
        "- `limit` must be a multiple of 3, not 1\n- `limit` must be at least 2, not 1",
    );
}

#[test]
fn test_ch3_validate_limits_the_number_of_problems() {
    let edits = |count: usize| json!({ "path": "a", "edits": vec![json!({ "old": 1 }); count] });
    let (ten, _) = validation_error(&edit_definition(), &edits(MAX_PROBLEMS));
    assert_eq!(
        ten.lines().count(),
        1 + MAX_PROBLEMS,
        "{MAX_PROBLEMS} problems are all listed:\n{ten}"
    );
    let (eleven, _) = validation_error(&edit_definition(), &edits(MAX_PROBLEMS + 1));
    assert_eq!(
        eleven.lines().last(),
        Some("- and 1 more"),
        "a single problem above the limit is counted too:\n{eleven}"
    );
    let (many, _) = validation_error(&edit_definition(), &edits(MAX_PROBLEMS + 32));
    assert_eq!(
        many.lines().count(),
        1 + MAX_PROBLEMS + 1,
        "the first {MAX_PROBLEMS} problems are listed, and a last line counts the rest:\n{many}"
    );
    assert_eq!(many.lines().last(), Some("- and 32 more"));
}

#[test]
fn test_ch3_validate_sorts_before_it_cuts() {
    let items = json!({ "properties": { "old": { "items": { "type": "string" } } } });
    let parameters = json!({ "type": "object", "allOf": [items, items] });
    let first = [0, 10, 11, 1, 2, 3, 4, 5, 6, 7];
    let line = |index| format!("- `old[{index}]` must be string, not 1\n");
    // Twelve problems, each of them found twice.
    assert_problems(
        &definition("twice", parameters),
        &json!({ "old": vec![1; 12] }),
        &(first.map(line).concat() + "- and 2 more"),
    );
}

#[test]
fn test_ch3_validate_has_a_code_for_invalid_arguments() {
    let (_, code) = validation_error(&edit_definition(), &json!({}));
    assert_eq!(code, INVALID_ARGUMENTS, "the required `path` is missing");
}

#[test]
fn test_ch3_validate_has_a_code_for_an_invalid_schema() {
    let folder = TempFolder::with_files(&[("schema.json", "true")]);
    let other_file = folder.path().join("schema.json");
    let other_file = format!("file://{}", other_file.display());
    for (schema, part) in [
        (json!({ "type": "objekt" }), "/type"),
        (json!({ "$ref": other_file }), "other documents"),
    ] {
        let (message, code) = validation_error(&definition("broken", schema.clone()), &json!({}));
        assert_eq!(code, INVALID_SCHEMA, "the schema {schema} is invalid");
        for part in ["`broken`", "invalid", part] {
            assert!(
                message.contains(part),
                "the message should name the tool and the fault of its schema, {part:?} is missing in: {message}"
            );
        }
    }
}

#[test]
fn test_ch3_validate_compiles_a_schema_once() {
    let definition = |kind| ToolDefinition::new("compiled_once", "").param("a", kind, "", true);
    let number = definition("integer");
    let args = json!({ "a": 1 });
    assert_eq!(validate(&number, &args), ValidationResult::Ok);
    let compiled = Arc::downgrade(&compiled_schema(&number).expect("a valid schema"));
    assert_ne!(validate(&definition("string"), &args), ValidationResult::Ok);
    assert!(
        compiled.upgrade().is_none(),
        "another tool with the same name replaces the compiled schema, so `validate` must take the schema from `compiled_schema`, which compiles it once for all calls"
    );
}

/// A definition with parameters of several kinds.
fn edit_definition() -> ToolDefinition {
    let parameters = json!({
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
    });
    definition("edit", parameters)
}

/// The message and the code for arguments that must be refused.
#[track_caller]
fn validation_error(definition: &ToolDefinition, args: &Value) -> (String, u32) {
    match validate(definition, args) {
        ValidationResult::Error { message, code } => (message, code),
        ValidationResult::Ok => panic!("these arguments should be refused: {args}"),
    }
}

/// Checks the lines of the message, each of them a problem, sorted and without duplicates.
#[track_caller]
fn assert_problems(definition: &ToolDefinition, args: &Value, lines: &str) {
    let (message, _) = validation_error(definition, args);
    let name = definition.name;
    assert_eq!(
        message,
        format!("the arguments do not fit the tool `{name}`:\n{lines}"),
        "every problem has one line, and the lines are sorted; the arguments are {args} and the schema is {}",
        definition.parameters
    );
}
