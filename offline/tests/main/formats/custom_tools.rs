//! Custom tools of Responses, which take text in place of JSON arguments.

use claw_offline::Server;
use serde_json::{Value, json};

use crate::support::{Answer, RESPONSES, ask, joined, rule_server, text_of};

fn tool() -> Value {
    json!({ "type": "custom", "name": "apply_patch", "format": { "type": "grammar" } })
}

async fn ask_for_patch(server: &Server, items: Value, is_stream: bool) -> Answer {
    let body = json!({
        "model": "m", "stream": is_stream, "input": items, "tools": [tool()],
    });
    ask(server, RESPONSES, &body).await
}

fn request() -> Value {
    json!({ "role": "user", "content": "create a.txt with x" })
}

const PATCH: &str = "*** Begin Patch\n*** Add File: a.txt\n+x\n*** End Patch\n";

#[tokio::test]
async fn a_call_has_its_input_as_text() {
    let body = ask_for_patch(&rule_server().await, json!([request()]), false).await;
    let call = &body.json()["output"][1];
    assert_eq!(call["type"], "custom_tool_call");
    assert_eq!(call["name"], "apply_patch");
    assert_eq!(call["input"], PATCH);
}

#[tokio::test]
async fn a_stream_has_the_input_in_pieces() {
    let events = ask_for_patch(&rule_server().await, json!([request()]), true)
        .await
        .data();
    let input = joined(&events, |it| {
        (it["type"] == "response.custom_tool_call_input.delta").then(|| it["delta"].as_str())?
    });
    assert_eq!(input, PATCH);
    let kind = "response.custom_tool_call_input.done";
    let done = events.iter().find(|it| it["type"] == kind);
    assert_eq!(done.expect("the end of the input")["input"], PATCH);
}

#[tokio::test]
async fn the_output_continues_the_conversation() {
    let server = rule_server().await;
    let first = ask_for_patch(&server, json!([request()]), false)
        .await
        .json();
    let call = first["output"][1].clone();
    let output = json!({
        "type": "custom_tool_call_output", "call_id": call["call_id"], "output": "Success.",
    });
    let second = ask_for_patch(&server, json!([request(), call, output]), false).await;
    assert_eq!(text_of(RESPONSES, &second), "`a.txt` is done: Success.");
}

/// Codex adds tools in this way for models that call them with JavaScript.
#[tokio::test]
async fn additional_tools_are_skipped() {
    let tools = json!({ "type": "additional_tools", "role": "developer", "tools": [] });
    let items = json!([tools, request()]);
    let body = ask_for_patch(&rule_server().await, items, false).await;
    assert_eq!(body.json()["output"][1]["input"], PATCH);
}
