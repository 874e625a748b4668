//! Compares chapter 9's two checks, `check_definition` and `is_strict`, with the checks of the
//! offline server, which were written independently: the server accepts what they accept.

use std::io::{Read, Write};
use std::net::TcpStream;

use claw_code_solutions::tools::{Api, DynamicTool, check_definition, is_strict, tool_schema};
use claw_code_solutions::types::{Tool, ToolDefinition, ToolResult};
use claw_offline::Server;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Map, Value, json};

#[tokio::test]
async fn server_accepts_checked_definitions_and_strict_schemas() {
    let server = Server::start().await.expect("the offline model starts");
    let address = server.url().trim_start_matches("http://").to_string();
    tokio::task::spawn_blocking(move || compare(&address))
        .await
        .expect("the checks agree");
}

fn compare(address: &str) {
    // Always the same cases, so that a failure is reproducible.
    let mut runner = TestRunner::deterministic();
    let (mut accepted, mut strict) = (0, 0);
    for _ in 0..1500 {
        let case = (names(), schemas()).new_tree(&mut runner);
        let (name, schema) = case.expect("a case").current();
        let tool = DynamicTool::new(&name, "", schema, |_| async { Ok(ToolResult::text("")) });
        let tool = tool.definition();
        if check_definition(tool).is_err() {
            continue;
        }
        accepted += 1;
        for api in [Api::ChatCompletions, Api::Responses, Api::Messages] {
            assert_accepted(address, api, &tool_schema(api, tool), tool);
        }
        if is_strict(&tool.parameters) {
            strict += 1;
            let mut chat = tool_schema(Api::ChatCompletions, tool);
            chat["function"]["strict"] = json!(true);
            assert_accepted(address, Api::ChatCompletions, &chat, tool);
        }
    }
    assert!(accepted > 200, "only {accepted} definitions were accepted");
    assert!(strict > 50, "only {strict} schemas were strict");
}

fn assert_accepted(address: &str, api: Api, schema: &Value, tool: &ToolDefinition) {
    let messages = json!([{ "role": "user", "content": "hello" }]);
    let (path, mut body) = match api {
        Api::ChatCompletions => ("chat/completions", json!({ "messages": messages })),
        Api::Responses => ("responses", json!({ "input": messages })),
        Api::Messages => (
            "messages",
            json!({ "messages": messages, "max_tokens": 100 }),
        ),
    };
    body["model"] = json!("m");
    body["tools"] = json!([schema]);
    let body = body.to_string();
    let mut stream = TcpStream::connect(address).expect("the server listens");
    write!(
        stream,
        "POST /v1/{path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\
         anthropic-version: 2023-06-01\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .expect("the server reads the request");
    let mut response = String::new();
    stream
        .read_to_string(&mut response)
        .expect("the server responds");
    assert!(
        response.starts_with("HTTP/1.1 200"),
        "the server should accept {tool:?} for {api:?}: {response}"
    );
}

/// Names, most of them valid.
fn names() -> impl Strategy<Value = String> {
    prop_oneof![8 => "[a-zA-Z0-9_-]{1,12}", 1 => "[a-z]{60,70}", 1 => "[a-z .ä/]{0,6}"]
}

/// Schemas for a tool's arguments. Some have a forbidden keyword at the top level.
fn schemas() -> impl Strategy<Value = Value> {
    let top = prop_oneof![
        8 => Just(None),
        1 => prop::sample::select(vec!["anyOf", "oneOf", "allOf"]).prop_map(Some),
    ];
    (object(inner().boxed()), top).prop_map(|(mut schema, top)| {
        if let Some(keyword) = top {
            schema[keyword] = json!([{ "required": [] }]);
        }
        schema
    })
}

/// Schemas inside another schema, a few levels deep.
fn inner() -> impl Strategy<Value = Value> {
    let plain = prop_oneof![
        6 => Just(json!({ "type": "string", "description": "text" })),
        3 => Just(json!({ "type": ["integer", "null"], "title": "Number" })),
        3 => Just(json!({ "enum": ["a", "b"] })),
        1 => Just(json!({ "type": "string", "pattern": "^a" })),
        1 => Just(json!({ "not": { "type": "string" } })),
        1 => Just(json!(true)),
        1 => Just(json!({ "type": "int" })),
    ];
    plain.prop_recursive(4, 12, 3, |inner| {
        prop_oneof![
            3 => object(inner.clone().boxed()),
            2 => inner.clone().prop_map(|items| json!({ "type": "array", "items": items })),
            2 => prop::collection::vec(inner.clone(), 1..3).prop_map(|forms| json!({ "anyOf": forms })),
            1 => prop::collection::vec(inner, 1..3).prop_map(|forms| json!({ "allOf": forms })),
        ]
    })
}

/// Object schemas, most of them closed and with all properties required.
fn object(inner: BoxedStrategy<Value>) -> impl Strategy<Value = Value> {
    let properties = prop::collection::btree_map("[a-d]|anyOf|required", inner, 0..3);
    let required = prop_oneof![6 => Just(None), 1 => prop::collection::btree_set("[a-d]", 0..3).prop_map(Some)];
    let closed = prop_oneof![6 => Just(Some(false)), 1 => Just(Some(true)), 1 => Just(None)];
    (properties, required, closed).prop_map(|(properties, required, closed)| {
        let names: Vec<String> = match required {
            Some(names) => names.into_iter().collect(),
            None => properties.keys().cloned().collect(),
        };
        let properties: Map<String, Value> = properties.into_iter().collect();
        let mut schema = json!({ "type": "object", "properties": properties, "required": names });
        if let Some(others) = closed {
            schema["additionalProperties"] = json!(others);
        }
        schema
    })
}
