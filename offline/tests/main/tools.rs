//! Tools that an API refuses fail the request, with the API's own error.

use claw_offline::Server;
use serde_json::{Value, json};

use crate::common::{APIS, CHAT, MESSAGES, RESPONSES, ask, question};

/// A tool in the form of this API.
fn tool(path: &str, name: Value, schema: Value) -> Value {
    match path {
        CHAT => json!({ "type": "function", "function": { "name": name, "parameters": schema } }),
        RESPONSES => json!({ "type": "function", "name": name, "parameters": schema }),
        _ => json!({ "name": name, "input_schema": schema }),
    }
}

/// What the server says of a request with these tools, `None` if it takes it.
async fn refusal(path: &str, tools: Value) -> Option<String> {
    let server = Server::start().await.unwrap();
    let mut body = question(path, "hello", false);
    body["tools"] = tools;
    let answer = ask(&server, path, &body).await;
    if answer.status == 200 {
        return None;
    }
    assert_eq!(answer.status, 400, "{path}: {}", answer.text());
    let said = answer.json();
    if path == MESSAGES {
        assert_eq!(said["type"], "error");
    }
    assert_eq!(said["error"]["type"], "invalid_request_error", "{path}");
    Some(said["error"]["message"].as_str().unwrap().to_string())
}

async fn assert_refused(path: &str, tools: Value, words: &[&str]) {
    let Some(said) = refusal(path, tools.clone()).await else {
        panic!("{path} takes {tools}");
    };
    for word in words {
        assert!(said.contains(word), "{path}, {tools}, {word:?}: {said}");
    }
}

async fn assert_taken(path: &str, tools: Value) {
    if let Some(said) = refusal(path, tools.clone()).await {
        panic!("{path} refuses {tools}: {said}");
    }
}

fn object() -> Value {
    json!({ "type": "object", "properties": {} })
}

#[tokio::test]
async fn good_tools_are_taken() {
    let nested = json!({
        "type": "object",
        "properties": {
            "when": { "anyOf": [{ "type": "string" }, true] },
            "edits": { "type": "array", "items": { "type": "object" } },
        },
        "required": ["when"],
    });
    for path in APIS {
        let tools = [
            ("multi_edit", object()),
            ("mcp__git__log-2", nested.clone()),
        ];
        let tools = tools.map(|(name, schema)| tool(path, json!(name), schema));
        assert_taken(path, json!(tools)).await;
        assert_taken(path, json!([])).await;
    }
    assert_taken(
        CHAT,
        json!([{ "type": "function", "function": { "name": "now" } }]),
    )
    .await;
}

#[tokio::test]
async fn tools_that_are_none_are_refused() {
    for path in APIS {
        assert_refused(path, json!({}), &["tools", "array"]).await;
        assert_refused(path, json!(["list"]), &["tools[0]", "object"]).await;
    }
    assert_refused(
        CHAT,
        json!([{ "type": "function" }]),
        &["tools[0].function"],
    )
    .await;
    assert_refused(RESPONSES, json!([{ "name": "a" }]), &["tools[0].type"]).await;
    assert_refused(
        MESSAGES,
        json!([{ "name": "a" }]),
        &["tools[0].input_schema"],
    )
    .await;
    // Each in the form of another API.
    let chat = tool(CHAT, json!("a"), object());
    assert_refused(RESPONSES, json!([chat]), &["tools[0].name"]).await;
    let responses = tool(RESPONSES, json!("a"), object());
    assert_refused(CHAT, json!([responses]), &["tools[0].function"]).await;
}

#[tokio::test]
async fn names_are_checked() {
    for path in APIS {
        for name in ["", "web search", "fs.read", "größe", &"x".repeat(129)] {
            let good = tool(path, json!("good"), object());
            let tools = json!([good, tool(path, json!(name), object())]);
            assert_refused(path, tools, &["tools[1]", "name", "^[a-zA-Z0-9_-]"]).await;
        }
        assert_refused(path, json!([tool(path, json!(7), object())]), &["name"]).await;
        let twice = tool(path, json!("a"), object());
        assert_refused(path, json!([twice, twice]), &["unique", "\"a\""]).await;
        let longest = if path == MESSAGES { 128 } else { 64 };
        let tools = |length| json!([tool(path, json!("x".repeat(length)), object())]);
        assert_taken(path, tools(longest)).await;
        assert_refused(path, tools(longest + 1), &["name"]).await;
    }
}

#[tokio::test]
async fn schemas_are_checked() {
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
            let words = ["tools[0]"];
            assert_refused(path, json!([tool(path, json!("a"), schema)]), &words).await;
        }
    }
    let not = json!({ "type": "object", "not": { "required": ["a"] } });
    assert_refused(
        CHAT,
        json!([tool(CHAT, json!("a"), not.clone())]),
        &["`not`"],
    )
    .await;
    assert_taken(MESSAGES, json!([tool(MESSAGES, json!("a"), not)])).await;
}

#[tokio::test]
async fn strict_tools_are_held_to_more() {
    let strict = |path: &str, schema: Value| {
        let mut tool = tool(path, json!("a"), schema);
        match path {
            CHAT => tool["function"]["strict"] = json!(true),
            _ => tool["strict"] = json!(true),
        }
        json!([tool])
    };
    let a = json!({ "a": { "type": "string" } });
    let closed = json!({
        "type": "object", "properties": a, "required": ["a"], "additionalProperties": false,
    });
    for path in [CHAT, RESPONSES] {
        assert_taken(path, strict(path, closed.clone())).await;
        let mut bad = closed.clone();
        bad["required"] = json!([]);
        assert_refused(path, strict(path, bad), &["required", "\"a\""]).await;
        let mut bad = closed.clone();
        bad["required"] = json!(["a", "b"]);
        assert_refused(path, strict(path, bad), &["\"b\""]).await;
        let mut bad = closed.clone();
        bad["properties"]["a"] = json!({ "allOf": [{ "type": "string" }] });
        assert_refused(path, strict(path, bad), &["/properties/a/allOf"]).await;
        let bad = json!({ "type": "object", "properties": a, "required": ["a"] });
        assert_refused(path, strict(path, bad), &["additionalProperties"]).await;
    }
    let mut none = tool(RESPONSES, json!("a"), closed.clone());
    none["strict"] = json!("yes");
    assert_refused(RESPONSES, json!([none]), &["strict", "true or false"]).await;
    let mut none = strict(RESPONSES, json!(null));
    none[0].as_object_mut().unwrap().remove("parameters");
    assert_refused(RESPONSES, none, &["needs a schema"]).await;
}
