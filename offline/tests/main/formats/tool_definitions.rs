//! A request with an invalid tool definition is refused.

use serde_json::{Value, json};

use crate::support::{APIS, CHAT, MESSAGES, RESPONSES, ask, prompt, rule_server};

/// A tool definition in the form of this API.
fn tool(path: &str, name: Value, schema: Value) -> Value {
    match path {
        CHAT => json!({ "type": "function", "function": { "name": name, "parameters": schema } }),
        RESPONSES => json!({ "type": "function", "name": name, "parameters": schema }),
        _ => json!({ "name": name, "input_schema": schema }),
    }
}

/// A list of one strict tool.
fn strict(path: &str, schema: Value) -> Value {
    let mut tool = tool(path, json!("a"), schema);
    match path {
        CHAT => tool["function"]["strict"] = json!(true),
        _ => tool["strict"] = json!(true),
    }
    json!([tool])
}

fn object() -> Value {
    json!({ "type": "object", "properties": {} })
}

/// A schema that is valid for a strict tool.
fn closed_object() -> Value {
    let properties = json!({ "a": { "type": "string" } });
    json!({
        "type": "object",
        "properties": properties,
        "required": ["a"],
        "additionalProperties": false,
    })
}

/// The error message for a request with these tools, `None` if it is accepted.
async fn refusal(path: &str, tools: &Value) -> Option<String> {
    let mut body = prompt(path, "hello", false);
    body["tools"] = tools.clone();
    let answer = ask(&rule_server().await, path, &body).await;
    (answer.status != 200).then(|| answer.error_message(path, 400))
}

async fn assert_refused(path: &str, tools: Value, expected: &[&str]) {
    let Some(message) = refusal(path, &tools).await else {
        panic!("{path} accepts {tools}");
    };
    for text in expected {
        assert!(
            message.contains(text),
            "{path}, {tools}, {text:?}: {message}"
        );
    }
}

async fn assert_accepted(path: &str, tools: Value) {
    if let Some(message) = refusal(path, &tools).await {
        panic!("{path} refuses {tools}: {message}");
    }
}

#[tokio::test]
async fn valid_tools_are_accepted() {
    let nested = json!({
        "type": "object",
        "properties": {
            "when": { "anyOf": [{ "type": "string" }, true] },
            "edits": { "type": "array", "items": { "type": "object" } },
        },
        "required": ["when"],
    });
    for path in APIS {
        let simple = tool(path, json!("multi_edit"), object());
        let nested = tool(path, json!("mcp__git__log-2"), nested.clone());
        assert_accepted(path, json!([simple, nested])).await;
        assert_accepted(path, json!([])).await;
    }
}

#[tokio::test]
async fn a_function_may_have_no_schema() {
    let tool = json!({ "type": "function", "function": { "name": "now" } });
    assert_accepted(CHAT, json!([tool])).await;
}

#[tokio::test]
async fn tools_must_be_an_array_of_objects() {
    for path in APIS {
        assert_refused(path, json!({}), &["tools", "array"]).await;
        assert_refused(path, json!(["list"]), &["tools[0]", "object"]).await;
    }
}

#[tokio::test]
async fn a_missing_field_is_named() {
    let tools = json!([{ "type": "function" }]);
    assert_refused(CHAT, tools, &["tools[0].function: this field is required"]).await;
    assert_refused(RESPONSES, json!([{ "name": "a" }]), &["tools[0].type"]).await;
    let expected = "tools[0].input_schema: this field is required";
    assert_refused(MESSAGES, json!([{ "name": "a" }]), &[expected]).await;
}

#[tokio::test]
async fn a_tool_in_the_form_of_another_api_is_refused() {
    let chat = tool(CHAT, json!("a"), object());
    assert_refused(RESPONSES, json!([chat]), &["tools[0].name"]).await;
    let responses = tool(RESPONSES, json!("a"), object());
    assert_refused(CHAT, json!([responses]), &["tools[0].function"]).await;
}

#[tokio::test]
async fn a_name_must_match_the_pattern() {
    for path in APIS {
        for name in ["", "web search", "fs.read", "größe"] {
            let valid = tool(path, json!("good"), object());
            let tools = json!([valid, tool(path, json!(name), object())]);
            assert_refused(path, tools, &["tools[1]", "name", "^[a-zA-Z0-9_-]"]).await;
        }
        assert_refused(path, json!([tool(path, json!(7), object())]), &["name"]).await;
    }
}

#[tokio::test]
async fn a_name_has_a_maximum_length() {
    for (path, longest) in [(CHAT, 64), (RESPONSES, 64), (MESSAGES, 128)] {
        let tools = |length| json!([tool(path, json!("x".repeat(length)), object())]);
        assert_accepted(path, tools(longest)).await;
        assert_refused(path, tools(longest + 1), &["name"]).await;
    }
}

#[tokio::test]
async fn names_must_be_unique() {
    for path in APIS {
        let tool = tool(path, json!("a"), object());
        assert_refused(path, json!([tool, tool]), &["unique", "\"a\""]).await;
    }
}

#[tokio::test]
async fn an_invalid_schema_is_refused() {
    for path in APIS {
        for schema in [
            json!({}),
            json!("object"),
            json!({ "type": "string" }),
            json!({ "type": "object", "properties": [] }),
            json!({ "type": "object", "required": "a" }),
            json!({ "type": "object", "properties": { "a": "string" } }),
            json!({ "type": "object", "properties": { "a": { "items": 1 } } }),
            json!({ "type": "object", "properties": { "a": { "anyOf": [] } } }),
            json!({ "type": "object", "anyOf": [{ "required": ["a"] }] }),
        ] {
            let tools = json!([tool(path, json!("a"), schema)]);
            assert_refused(path, tools, &["tools[0]"]).await;
        }
    }
}

#[tokio::test]
async fn messages_alone_accepts_not_at_the_top_level() {
    let schema = json!({ "type": "object", "not": { "required": ["a"] } });
    let tools = json!([tool(CHAT, json!("a"), schema.clone())]);
    assert_refused(CHAT, tools, &["`not`"]).await;
    let tools = json!([tool(MESSAGES, json!("a"), schema)]);
    assert_accepted(MESSAGES, tools).await;
}

#[tokio::test]
async fn a_strict_tool_with_a_closed_schema_is_accepted() {
    for path in [CHAT, RESPONSES] {
        assert_accepted(path, strict(path, closed_object())).await;
    }
}

/// A rule for strict tools, a field of a valid schema, the value that breaks the rule, and
/// what the error message contains.
fn strict_rules() -> [(&'static str, &'static str, Value, &'static str); 4] {
    let all_of = json!({ "a": { "allOf": [{ "type": "string" }] } });
    [
        ("every property is required", "required", json!([]), "\"a\""),
        (
            "no other name is required",
            "required",
            json!(["a", "b"]),
            "\"b\"",
        ),
        (
            "some keywords are not permitted",
            "properties",
            all_of,
            "/properties/a/allOf",
        ),
        (
            "objects are closed",
            "additionalProperties",
            Value::Null,
            "additionalProperties",
        ),
    ]
}

#[tokio::test]
async fn a_strict_tool_has_more_rules() {
    for (rule, field, value, expected) in strict_rules() {
        for path in [CHAT, RESPONSES] {
            let mut schema = closed_object();
            schema[field] = value.clone();
            let message = refusal(path, &strict(path, schema)).await;
            let message = message.unwrap_or_else(|| panic!("{path} accepts: {rule}"));
            assert!(message.contains(expected), "{path}, {rule}: {message}");
        }
    }
}

#[tokio::test]
async fn strict_is_a_boolean_and_needs_a_schema() {
    let mut tool = tool(RESPONSES, json!("a"), closed_object());
    tool["strict"] = json!("yes");
    assert_refused(RESPONSES, json!([tool]), &["strict", "true or false"]).await;
    let mut tools = strict(RESPONSES, Value::Null);
    tools[0].as_object_mut().unwrap().remove("parameters");
    assert_refused(RESPONSES, tools, &["needs a schema"]).await;
}
