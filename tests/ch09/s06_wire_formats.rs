//! Section 9.6: Three forms

use claw_code::engine::*;
use claw_code::provider::MockProvider;
use claw_code::tools::*;
use claw_code::types::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch9_a_tool_for_each_api() {
    let tool =
        ToolDefinition::new("list", "Lists a folder.").param("path", "string", "Which.", false);
    let parameters = &tool.parameters;
    assert_eq!(
        tool_schema(Api::ChatCompletions, &tool),
        json!({
            "type": "function",
            "function": { "name": "list", "description": "Lists a folder.", "parameters": parameters },
        }),
        "Chat Completions has the tool inside of `function`"
    );
    assert_eq!(
        tool_schema(Api::Responses, &tool),
        json!({
            "type": "function",
            "name": "list",
            "description": "Lists a folder.",
            "parameters": parameters,
            "strict": false,
        }),
        "Responses has it beside `type`, and wants `strict` said: `path` may be left out, so `false`"
    );
    assert_eq!(
        tool_schema(Api::Messages, &tool),
        json!({ "name": "list", "description": "Lists a folder.", "input_schema": parameters }),
        "Messages has no `type`, and its own word for the schema"
    );
}

#[test]
fn test_ch9_strict_is_said_where_it_can_be() {
    let tool = ToolDefinition {
        name: "t",
        description: "",
        parameters: closed_object(json!({ "path": { "type": "string" } })),
    };
    assert_eq!(
        tool_schema(Api::Responses, &tool)["strict"],
        json!(true),
        "this schema is one that the API can hold a model to"
    );
}

#[test]
fn test_ch9_schemas_come_in_one_order() {
    let none = Registry::new().schemas(Api::Messages);
    assert_eq!(none, Vec::<Value>::new(), "without tools, no schemas");
    let registry = registry(&["write", "bash", "read"]);
    let names = |api| {
        let schemas = registry.schemas(api);
        let name = |one: &Value| {
            one.pointer("/function/name")
                .unwrap_or(&one["name"])
                .clone()
        };
        schemas.iter().map(name).collect::<Vec<_>>()
    };
    for api in [Api::ChatCompletions, Api::Responses, Api::Messages] {
        assert_eq!(
            names(api),
            ["bash", "read", "write"],
            "all tools, in the order of the names, for {api:?}"
        );
    }
    let engine = QueryEngine::builder(MockProvider::new([])).tools(registry.tool_set());
    let sent: Vec<&str> = engine.definitions().iter().map(|d| d.name).collect();
    assert_eq!(
        sent,
        registry.names(),
        "the engine of chapter 4 sends them in the registry's order"
    );
}

#[tokio::test]
async fn test_ch9_the_offline_server_takes_all_three() {
    for api in [Api::ChatCompletions, Api::Responses, Api::Messages] {
        let (status, said) = ask(api, &Registry::new().schemas(api)).await;
        assert_eq!(
            status, 200,
            "no tools are fine too; the server says: {said}"
        );
    }
    let mut registry = registry(&["bash", "list"]);
    let strict = closed_object(json!({ "url": { "type": "string" } }));
    add(
        &mut registry,
        DynamicTool::new("mcp__web__fetch", "Fetches.", strict, |_| async {
            Ok(ToolResult::text(""))
        }),
    );
    for api in [Api::ChatCompletions, Api::Responses, Api::Messages] {
        let answer = ask(api, &registry.schemas(api)).await;
        assert_eq!(
            answer.0, 200,
            "the server takes the tools of {api:?}; it says: {}",
            answer.1
        );
        assert!(
            answer.1.to_string().contains(r#""list""#),
            "and the model calls `list`, which it was offered; it says: {}",
            answer.1
        );
    }
}
