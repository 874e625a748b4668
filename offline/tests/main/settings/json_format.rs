//! Replies that must be JSON.

use serde_json::{Value, json};

use crate::support::{
    APIS, CHAT, MESSAGES, RESPONSES, ask, calls_of, prompt, rule_server, text_of, with_tool,
};

/// A request for a reply that fits this schema, in the form of the API.
fn with_schema(path: &str, mut body: Value, schema: Value) -> Value {
    match path {
        CHAT => {
            let schema = json!({ "name": "answer", "schema": schema });
            body["response_format"] = json!({ "type": "json_schema", "json_schema": schema });
        }
        RESPONSES => {
            body["text"] = json!({
                "format": { "type": "json_schema", "name": "answer", "schema": schema },
            });
        }
        _ => {
            body["max_tokens"] = json!(1000);
            body["output_config"] = json!({
                "format": { "type": "json_schema", "schema": schema },
            });
        }
    }
    body
}

/// A request for a reply that is any object, in the form of OpenAI's APIs.
fn with_any_object(path: &str, text: &str) -> Value {
    let mut body = prompt(path, text, false);
    let format = json!({ "type": "json_object" });
    match path {
        CHAT => body["response_format"] = format,
        _ => body["text"] = json!({ "format": format }),
    }
    body
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "answer": { "type": "string" },
            "short": { "type": "string", "maxLength": 5 },
            "score": { "type": "number", "minimum": 0, "maximum": 1 },
            "sources": { "type": "array", "items": { "type": "string", "format": "uri" } },
            "next": { "anyOf": [{ "$ref": "#" }, { "type": "null" }] },
        },
        "required": ["answer", "short", "score", "sources"],
    })
}

#[tokio::test]
async fn a_reply_fits_the_schema() {
    let server = rule_server().await;
    for path in APIS {
        let body = with_schema(path, prompt(path, "thanks", false), schema());
        let text = text_of(path, &ask(&server, path, &body).await);
        let value: Value = serde_json::from_str(&text).expect("the text is JSON");
        let expected = json!({
            "answer": "You are welcome.",
            "short": "You a",
            "score": 0,
            "sources": ["https://example.com/"],
        });
        assert_eq!(value, expected, "{path}");
    }
}

#[tokio::test]
async fn numbers_are_within_the_bounds() {
    let bounds = [
        ("none", json!({}), json!(0)),
        ("minimum", json!({ "minimum": 5 }), json!(5)),
        ("fractional minimum", json!({ "minimum": 0.5 }), json!(1)),
        ("maximum", json!({ "maximum": -3 }), json!(-3)),
        ("fractional maximum", json!({ "maximum": -0.5 }), json!(-1)),
        ("above", json!({ "exclusiveMinimum": 0 }), json!(1)),
        ("below", json!({ "exclusiveMaximum": 0 }), json!(-1)),
        (
            "both minimums",
            json!({ "minimum": 1, "exclusiveMinimum": 1.5 }),
            json!(2),
        ),
        (
            "no integer",
            json!({ "exclusiveMinimum": 0, "exclusiveMaximum": 1 }),
            json!(0.5),
        ),
        (
            "one number",
            json!({ "minimum": 0.25, "maximum": 0.25 }),
            json!(0.25),
        ),
    ];
    let (mut properties, mut expected) = (json!({}), json!({}));
    for (name, mut bounds, value) in bounds {
        bounds["type"] = json!("number");
        properties[name] = bounds;
        expected[name] = value;
    }
    let schema = json!({ "type": "object", "properties": properties });
    let body = with_schema(CHAT, prompt(CHAT, "thanks", false), schema);
    let text = text_of(CHAT, &ask(&rule_server().await, CHAT, &body).await);
    let value: Value = serde_json::from_str(&text).expect("the text is JSON");
    assert_eq!(value, expected);
}

#[tokio::test]
async fn a_schema_that_contains_itself_has_a_finite_reply() {
    let mut schema = schema();
    schema["required"] = json!(["next"]);
    let body = with_schema(CHAT, prompt(CHAT, "thanks", false), schema);
    let text = text_of(CHAT, &ask(&rule_server().await, CHAT, &body).await);
    let value: Value = serde_json::from_str(&text).expect("the text is JSON");
    assert!(value["next"]["next"].is_object(), "{value}");
}

#[tokio::test]
async fn any_object_has_the_text() {
    let server = rule_server().await;
    for path in [CHAT, RESPONSES] {
        let body = with_any_object(path, "Answer in JSON. Run make.");
        let text = text_of(path, &ask(&server, path, &body).await);
        let value: Value = serde_json::from_str(&text).expect("the text is JSON");
        let expected = "I lack the tool for that: `bash`. I have no tools.";
        assert_eq!(value, json!({ "text": expected }), "{path}");
    }
}

#[tokio::test]
async fn any_object_needs_the_word_json_in_the_conversation() {
    let server = rule_server().await;
    for path in [CHAT, RESPONSES] {
        let answer = ask(&server, path, &with_any_object(path, "thanks")).await;
        let message = answer.error_message(path, 400);
        assert!(message.contains("contain the word \"json\""), "{message}");
    }
}

#[tokio::test]
async fn a_reply_with_calls_has_no_text() {
    let server = rule_server().await;
    for path in APIS {
        let body = with_tool(path, prompt(path, "list src", false), "list");
        let answer = ask(&server, path, &with_schema(path, body, schema())).await;
        assert_eq!(calls_of(path, &answer).len(), 1, "{path}");
        assert_eq!(text_of(path, &answer), "", "{path}");
    }
}

#[tokio::test]
async fn invalid_formats_are_refused() {
    let server = rule_server().await;
    for path in APIS {
        let body = with_schema(path, prompt(path, "hi", false), json!({ "type": "string" }));
        let message = ask(&server, path, &body).await.error_message(path, 400);
        assert!(message.contains("schema: expected a schema"), "{message}");
    }
    let mut body = prompt(CHAT, "hi", false);
    body["response_format"] = json!({ "type": "xml" });
    let message = ask(&server, CHAT, &body).await.error_message(CHAT, 400);
    assert!(message.starts_with("response_format.type"), "{message}");
    let mut body = prompt(MESSAGES, "hi", false);
    body["output_config"] = json!({ "format": { "type": "json_object" } });
    let message = ask(&server, MESSAGES, &body)
        .await
        .error_message(MESSAGES, 400);
    assert!(message.contains("expected json_schema"), "{message}");
}
