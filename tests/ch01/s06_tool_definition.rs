//! Section 1.6: ToolDefinition and the builder pattern

use claw_code::types::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch1_tool_definition_new() {
    let definition = ToolDefinition::new("pwd", "Name the working directory");
    assert_eq!(definition.name, "pwd");
    assert_eq!(definition.description, "Name the working directory");
    assert_json(
        "a tool without parameters still has a complete object schema",
        &definition.parameters,
        &json!({ "type": "object", "properties": {}, "required": [] }),
    );
}

#[test]
fn test_ch1_tool_definition_builder() {
    let definition = ToolDefinition::new("edit", "Replace text in a file")
        .param("path", "string", "The file", true)
        .param("line", "number", "Where to start", true);
    assert_eq!(definition.name, "edit");
    assert_eq!(definition.description, "Replace text in a file");
    assert_json(
        "each parameter has its own type and description, and `required` lists the required ones in order",
        &definition.parameters,
        &json!({
            "type": "object",
            "properties": {
                "path": { "type": "string", "description": "The file" },
                "line": { "type": "number", "description": "Where to start" }
            },
            "required": ["path", "line"]
        }),
    );
}

#[test]
fn test_ch1_tool_definition_optional_param() {
    let definition = ToolDefinition::new("read", "Read a file")
        .param("path", "string", "The file", true)
        .param("limit", "number", "How many lines", false)
        .param("raw", "boolean", "", false);
    assert_json(
        "a description may be empty",
        &definition.parameters["properties"]["raw"],
        &json!({ "type": "boolean", "description": "" }),
    );
    assert_json(
        "an optional parameter has a description like any other",
        &definition.parameters["properties"]["limit"],
        &json!({ "type": "number", "description": "How many lines" }),
    );
    assert_json(
        "an optional parameter is not listed as required",
        &definition.parameters["required"],
        &json!(["path"]),
    );
}

#[test]
fn test_ch1_tool_definition_param_raw() {
    let changes = json!({
        "type": "array",
        "items": { "type": "object", "properties": { "old": { "type": "string" } } }
    });
    let mode = json!({ "enum": ["fast", "careful"] });
    let definition = ToolDefinition::new("edit", "Replace text")
        .param_raw("changes", changes.clone(), true)
        .param_raw("mode", mode.clone(), false);
    let anything = ToolDefinition::new("any", "").param_raw("value", json!(true), true);
    assert_json(
        "param_raw takes any schema, even `true`",
        &anything.parameters["properties"]["value"],
        &json!(true),
    );
    assert_json(
        "param_raw keeps the schema unchanged, and `required` lists only the required parameter",
        &definition.parameters,
        &json!({
            "type": "object",
            "properties": { "changes": changes, "mode": mode },
            "required": ["changes"]
        }),
    );
}

#[test]
fn test_ch1_tool_definition_later_schema_replaces_earlier() {
    for (method, definition) in redefine_path(true, true) {
        assert_json(
            &format!("{method}: the second call with a name replaces the parameter's schema"),
            &definition.parameters["properties"],
            &json!({
                "path": { "type": "array", "description": "New" },
                "path_2": { "type": "string", "description": "Another" }
            }),
        );
    }
}

#[test]
fn test_ch1_tool_definition_later_call_decides_required() {
    for (first, second, expected) in [
        (true, true, json!(["path", "path_2"])),
        (true, false, json!(["path_2"])),
        (false, true, json!(["path", "path_2"])),
        (false, false, json!(["path_2"])),
    ] {
        for (method, definition) in redefine_path(first, second) {
            let mut names = definition.parameters["required"].clone();
            if let Some(names) = names.as_array_mut() {
                names.sort_by_key(Value::to_string);
                assert!(
                    names.contains(&json!("path_2")),
                    "{method}: a second call for `path` does not change `path_2`, which stays required; got: {names:?}"
                );
            }
            assert_json(
                &format!(
                    "{method}: a name given twice (required: {first}, then {second}) is listed at most once, and the later call decides"
                ),
                &names,
                &expected,
            );
        }
    }
    let definition = ToolDefinition::new("edit", "Replace text")
        .param("path", "string", "The file", true)
        .param("old", "string", "The text", true)
        .param("new", "string", "Its replacement", true)
        .param("path", "string", "The file", false);
    assert_json(
        "the names that stay required are in the order of the calls",
        &definition.parameters["required"],
        &json!(["old", "new"]),
    );
}

/// Definitions with the parameter `path` given twice, the second time by each method.
fn redefine_path(first: bool, second: bool) -> [(&'static str, ToolDefinition); 2] {
    let start = || {
        ToolDefinition::new("read", "Read a file")
            .param_raw("path", json!({ "type": "string", "minLength": 1 }), first)
            .param("path_2", "string", "Another", true)
    };
    let schema = json!({ "type": "array", "description": "New" });
    [
        ("param", start().param("path", "array", "New", second)),
        ("param_raw", start().param_raw("path", schema, second)),
    ]
}
