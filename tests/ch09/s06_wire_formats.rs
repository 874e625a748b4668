//! Section 9.6: Tool schemas for three APIs

use claw_code::tools::*;
use claw_code::types::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch9_tool_schema_for_chat_completions() {
    let tool = list_definition();
    assert_eq!(
        tool_schema(Api::ChatCompletions, &tool),
        json!({
            "type": "function",
            "function": {
                "name": "list",
                "description": "Lists a folder.",
                "parameters": tool.parameters,
            },
        }),
        "Chat Completions has the tool inside `function`"
    );
}

#[test]
fn test_ch9_tool_schema_for_responses() {
    let tool = list_definition();
    assert_eq!(
        tool_schema(Api::Responses, &tool),
        json!({
            "type": "function",
            "name": "list",
            "description": "Lists a folder.",
            "parameters": tool.parameters,
            "strict": false,
        }),
        "Responses has the tool beside `type`, and needs `strict`: `path` is optional, so it is `false`"
    );
}

#[test]
fn test_ch9_tool_schema_for_messages() {
    let tool = list_definition();
    assert_eq!(
        tool_schema(Api::Messages, &tool),
        json!({
            "name": "list",
            "description": "Lists a folder.",
            "input_schema": tool.parameters,
        }),
        "Messages has no `type`, and the schema is called `input_schema`"
    );
}

#[test]
fn test_ch9_strict_schema_is_sent_as_strict() {
    let tool = definition("t", closed_object(json!({ "path": { "type": "string" } })));
    assert_eq!(
        tool_schema(Api::Responses, &tool)["strict"],
        json!(true),
        "the API accepts this schema in strict mode"
    );
    let function = &tool_schema(Api::ChatCompletions, &tool)["function"];
    assert_eq!(
        function.get("strict"),
        None,
        "`strict` is only for Responses: {function}"
    );
}

#[test]
fn test_ch9_schemas_are_sorted_by_name() {
    let none = Registry::new().schemas(Api::Messages);
    assert_eq!(none, Vec::<Value>::new(), "without tools, no schemas");
    let registry = registry(&["write", "bash", "read"]);
    for api in APIS {
        let schemas = registry.schemas(api);
        let name = |schema: &Value| match schema.get("function") {
            Some(function) => function["name"].clone(),
            None => schema["name"].clone(),
        };
        assert_eq!(
            schemas.iter().map(name).collect::<Vec<_>>(),
            ["bash", "read", "write"],
            "all tools, sorted by name, for {api:?}"
        );
    }
}

#[tokio::test]
async fn test_ch9_offline_server_accepts_the_schemas_of_each_api() {
    for api in APIS {
        response_body(api, &Registry::new()).await;
    }
    let mut registry = registry(&["bash", "list"]);
    let strict = closed_object(json!({ "url": { "type": "string" } }));
    let fetch = DynamicTool::new("mcp__web__fetch", "Fetches.", strict, |_| async {
        Ok(ToolResult::text(""))
    });
    add(&mut registry, fetch);
    for api in APIS {
        let body = response_body(api, &registry).await;
        assert!(
            body.to_string().contains(r#""list""#),
            "the model should call `list`, which the request offers; the response: {body}"
        );
    }
}

/// The response to a request with the registry's tools, which the server must accept.
async fn response_body(api: Api, registry: &Registry) -> Value {
    let (status, body) = send_request(api, &registry.schemas(api)).await;
    assert_eq!(
        status,
        200,
        "the server should accept the tools {:?} for {api:?}; the response: {body}",
        registry.names()
    );
    body
}

fn list_definition() -> ToolDefinition {
    ToolDefinition::new("list", "Lists a folder.").param("path", "string", "Which.", false)
}
