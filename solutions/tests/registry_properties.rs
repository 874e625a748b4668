//! Chapter 9's two judges of a tool, `admissible` and `is_strict`, beside a third that was
//! written apart from them: whatever they let through, the offline server takes.

use std::io::{Read, Write};
use std::net::TcpStream;

use claw_code_solutions::tools::{Api, DynamicTool, admissible, is_strict, tool_schema};
use claw_code_solutions::types::{Tool, ToolDefinition, ToolResult};
use claw_offline::Server;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Map, Value, json};

#[tokio::test]
async fn what_is_admissible_is_taken_and_what_is_strict_is_taken_as_strict() {
    let server = Server::start().await.expect("the offline model");
    let address = server.url().trim_start_matches("http://").to_string();
    tokio::task::spawn_blocking(move || judge(&address))
        .await
        .expect("all are of one mind");
}

fn judge(address: &str) {
    // Always the same cases, so that what fails once fails again.
    let mut runner = TestRunner::deterministic();
    let (mut taken, mut strict) = (0, 0);
    for _ in 0..1500 {
        let case = (names(), schemas()).new_tree(&mut runner);
        let (name, schema) = case.expect("a case").current();
        let tool = DynamicTool::new(&name, "", schema, |_| async { Ok(ToolResult::text("")) });
        let tool = tool.definition();
        if admissible(tool).is_err() {
            continue;
        }
        taken += 1;
        for api in [Api::ChatCompletions, Api::Responses, Api::Messages] {
            assert_taken(address, api, &tool_schema(api, tool), tool);
        }
        if is_strict(&tool.parameters) {
            strict += 1;
            let mut chat = tool_schema(Api::ChatCompletions, tool);
            chat["function"]["strict"] = json!(true);
            assert_taken(address, Api::ChatCompletions, &chat, tool);
        }
    }
    assert!(taken > 200, "only {taken} cases were admissible");
    assert!(strict > 50, "only {strict} cases were strict");
}

fn assert_taken(address: &str, api: Api, schema: &Value, tool: &ToolDefinition) {
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
    .expect("the server reads");
    let mut answer = String::new();
    stream
        .read_to_string(&mut answer)
        .expect("the server answers");
    assert!(
        answer.starts_with("HTTP/1.1 200"),
        "{api:?} refuses {tool:?}: {answer}"
    );
}

/// Names, most of them good.
fn names() -> impl Strategy<Value = String> {
    prop_oneof![8 => "[a-zA-Z0-9_-]{1,12}", 1 => "[a-z]{60,70}", 1 => "[a-z .ä/]{0,6}"]
}

/// Schemas for a tool's arguments, some of which are odd at the top.
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

/// What stands inside of a schema, a few levels deep.
fn inner() -> impl Strategy<Value = Value> {
    let plain = prop_oneof![
        6 => Just(json!({ "type": "string", "description": "words" })),
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

/// An object schema, most often closed and with everything required.
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
