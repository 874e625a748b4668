//! Which tools a reply may or must call.

use serde_json::{Value, json};

use crate::support::{
    APIS, CHAT, MESSAGES, RESPONSES, ask, calls_of, prompt, rule_server, text_of, with_tool,
};

/// The choice that requires a call, in the form of this API.
fn required(path: &str) -> Value {
    match path {
        MESSAGES => json!({ "type": "any" }),
        _ => json!("required"),
    }
}

/// The choice of this tool, in the form of this API.
fn tool(path: &str, name: &str) -> Value {
    match path {
        CHAT => json!({ "type": "function", "function": { "name": name } }),
        RESPONSES => json!({ "type": "function", "name": name }),
        _ => json!({ "type": "tool", "name": name }),
    }
}

/// The choice that forbids calls, in the form of this API.
fn none(path: &str) -> Value {
    match path {
        MESSAGES => json!({ "type": "none" }),
        _ => json!("none"),
    }
}

fn request(path: &str, text: &str, choice: Value) -> Value {
    let body = prompt(path, text, false);
    let mut body = with_tool(path, with_tool(path, body, "weather"), "list");
    body["tool_choice"] = choice;
    body
}

#[tokio::test]
async fn none_forbids_calls() {
    let server = rule_server().await;
    for path in APIS {
        let answer = ask(&server, path, &request(path, "list src", none(path))).await;
        assert_eq!(calls_of(path, &answer), [], "{path}");
        let expected = "I need a tool for that, but the request forbids calls.";
        assert_eq!(text_of(path, &answer), expected, "{path}");
    }
}

#[tokio::test]
async fn required_keeps_the_call_that_the_prompt_asks_for() {
    let server = rule_server().await;
    for path in APIS {
        let answer = ask(&server, path, &request(path, "list src", required(path))).await;
        let call = ("list".to_string(), json!({ "path": "src" }));
        assert_eq!(calls_of(path, &answer), [call], "{path}");
    }
}

#[tokio::test]
async fn required_forces_a_call_of_the_first_tool() {
    let server = rule_server().await;
    for path in APIS {
        let answer = ask(&server, path, &request(path, "hello", required(path))).await;
        let call = ("weather".to_string(), json!({ "path": "hello" }));
        assert_eq!(calls_of(path, &answer), [call], "{path}");
    }
}

#[tokio::test]
async fn a_named_tool_is_called() {
    let server = rule_server().await;
    for (text, name, path_argument) in [
        ("list src", "list", "src"),
        ("list src", "weather", "list src"),
        ("hello", "list", "hello"),
    ] {
        for path in APIS {
            let body = request(path, text, tool(path, name));
            let answer = ask(&server, path, &body).await;
            let call = (name.to_string(), json!({ "path": path_argument }));
            assert_eq!(calls_of(path, &answer), [call], "{path}: {text}, {name}");
        }
    }
}

#[tokio::test]
async fn the_arguments_of_a_forced_call_fit_the_schema() {
    let schema = json!({
        "type": "object",
        "properties": {
            "city": { "type": "string" },
            "days": { "type": "integer", "minimum": 1 },
            "unit": { "enum": ["celsius", "kelvin"] },
            "alerts": { "type": "array", "items": { "$ref": "#/$defs/alert" } },
            "note": { "type": "string" },
        },
        "required": ["city", "days", "unit", "alerts"],
        "$defs": { "alert": { "type": "object", "properties": { "on": { "type": "boolean" } } } },
    });
    let mut body = prompt(CHAT, "hello", false);
    let function = json!({ "name": "weather", "parameters": schema });
    body["tools"] = json!([{ "type": "function", "function": function }]);
    body["tool_choice"] = json!("required");
    let answer = ask(&rule_server().await, CHAT, &body).await;
    let arguments = json!({
        "city": "hello", "days": 1, "unit": "celsius", "alerts": [{ "on": true }],
    });
    assert_eq!(
        calls_of(CHAT, &answer),
        [("weather".to_string(), arguments)]
    );
}

#[tokio::test]
async fn invalid_choices_are_refused() {
    let server = rule_server().await;
    for path in APIS {
        for choice in [tool(path, "robot"), json!({ "type": "robot" }), json!(5)] {
            let answer = ask(&server, path, &request(path, "hello", choice)).await;
            let message = answer.error_message(path, 400);
            assert!(message.starts_with("tool_choice"), "{path}: {message}");
        }
        let mut body = prompt(path, "hello", false);
        body["tool_choice"] = required(path);
        let message = ask(&server, path, &body).await.error_message(path, 400);
        assert!(message.contains("only allowed with tools"), "{message}");
    }
}

#[tokio::test]
async fn messages_forces_no_call_with_thinking() {
    let mut body = request(MESSAGES, "hello", required(MESSAGES));
    body["max_tokens"] = json!(4000);
    body["thinking"] = json!({ "type": "enabled", "budget_tokens": 1024 });
    let answer = ask(&rule_server().await, MESSAGES, &body).await;
    let message = answer.error_message(MESSAGES, 400);
    assert!(message.contains("not allowed with thinking"), "{message}");
}
