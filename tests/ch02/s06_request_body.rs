//! Section 2.6: The request body

use claw_code::provider::*;
use claw_code::types::*;
use serde_json::{Value, json};

use super::support::*;
use crate::support::assert_json;

#[test]
fn test_ch2_request_has_model_and_messages() {
    let body = request_body("small-model", &[user("Hello.")], &[], false);
    let expected = json!({
        "model": "small-model",
        "messages": [{ "role": "user", "content": "Hello." }],
    });
    let mut not_streamed = expected.clone();
    not_streamed["stream"] = json!(false);
    assert!(
        body == expected || body == not_streamed,
        "without tools and without a stream, the body should be {expected}, with or without `\"stream\": false`; it is {body}"
    );
}

#[test]
fn test_ch2_request_has_tools_and_stream_options() {
    let body = request_body("m", &[], &[&tool("read"), &tool("bash")], true);
    let parameters = json!({ "type": "object", "properties": {}, "required": [] });
    assert_json(
        "the tools are in the given order, and the stream should report its usage",
        &body,
        &json!({
            "model": "m",
            "messages": [],
            "tools": [
                { "type": "function", "function": {
                    "name": "read", "description": "A tool for tests", "parameters": parameters } },
                { "type": "function", "function": {
                    "name": "bash", "description": "A tool for tests", "parameters": parameters } },
            ],
            "stream": true,
            "stream_options": { "include_usage": true },
        }),
    );
}

#[test]
fn test_ch2_request_sends_every_kind_of_message() {
    let mut calling = reply("Let me look.");
    calling.tool_calls = vec![
        tool_call("call_1", "read", json!({ "path": "a \"b\"" })),
        tool_call("call_2", "pwd", json!({})),
    ];
    let system = json!({
        "type": "System", "id": "m0", "content": "Be brief.", "tag": "compact_boundary"
    });
    for (message, expected) in [
        (
            from_json(&system),
            json!({ "role": "system", "content": "Be brief." }),
        ),
        (
            user("What is in src?"),
            json!({ "role": "user", "content": "What is in src?" }),
        ),
        (
            Message::Assistant(calling),
            json!({
                "role": "assistant",
                "content": "Let me look.",
                "tool_calls": [
                    { "id": "call_1", "type": "function",
                      "function": { "name": "read", "arguments": "{\"path\":\"a \\\"b\\\"\"}" } },
                    { "id": "call_2", "type": "function",
                      "function": { "name": "pwd", "arguments": "{}" } },
                ],
            }),
        ),
        (
            tool_result("call_1", "error: no such file"),
            json!({ "role": "tool", "tool_call_id": "call_1", "content": "error: no such file" }),
        ),
        (
            tool_result("call_2", "/work"),
            json!({ "role": "tool", "tool_call_id": "call_2", "content": "/work" }),
        ),
        (
            Message::Assistant(reply("There.")),
            json!({ "role": "assistant", "content": "There." }),
        ),
    ] {
        assert_message("the message in the API's JSON", message, &expected);
    }
}

#[test]
fn test_ch2_request_keeps_the_order_of_messages() {
    let messages = [user("1"), tool_result("call_1", "2"), user("3")];
    let body = request_body("m", &messages, &[], false);
    let sent = body["messages"].as_array().expect("a list");
    let contents: Vec<&Value> = sent.iter().map(|message| &message["content"]).collect();
    assert_eq!(contents, ["1", "2", "3"], "one entry for each message");
}

#[test]
fn test_ch2_request_sends_assistant_without_text() {
    let mut message = reply("");
    message.text = None;
    assert_message(
        "without text and without calls, the content is an empty string",
        Message::Assistant(message.clone()),
        &json!({ "role": "assistant", "content": "" }),
    );
    message.tool_calls = vec![tool_call("call_1", "pwd", json!({}))];
    assert_message(
        "without text and with calls, the content is null",
        Message::Assistant(message),
        &json!({
            "role": "assistant",
            "content": null,
            "tool_calls": [{ "id": "call_1", "type": "function",
                "function": { "name": "pwd", "arguments": "{}" } }],
        }),
    );
}

#[test]
fn test_ch2_request_arguments_are_always_json() {
    for arguments in [
        json!({}),
        json!("{\"command\": \"ls"),
        json!([1]),
        Value::Null,
    ] {
        let mut calling = reply("");
        calling.tool_calls = vec![tool_call("call_1", "bash", arguments.clone())];
        let body = request_body("m", &[Message::Assistant(calling)], &[], false);
        let sent = &body["messages"][0]["tool_calls"][0]["function"]["arguments"];
        let sent = sent.as_str().unwrap_or_else(|| {
            panic!("the arguments should be a string that contains JSON: {sent}")
        });
        let parsed: Value = serde_json::from_str(sent).unwrap_or_else(|error| {
            panic!("a server that parses the arguments would refuse `{sent}`: {error}")
        });
        assert_eq!(
            parsed, arguments,
            "the string contains the call's arguments"
        );
    }
}

#[test]
fn test_ch2_request_sends_attachments_and_skips_progress() {
    let attachment = json!({
        "type": "Attachment", "id": "m1", "path": "docs/CLAUDE.md",
        "content": "Run cargo fmt.\n", "content_type": "instructions"
    });
    let progress = json!({ "type": "Progress", "tool_use_id": "call_1", "data": "50 %" });
    let messages = [
        user("Hello."),
        from_json(&attachment),
        from_json(&progress),
        user("Go on."),
    ];
    let body = request_body("m", &messages, &[], false);
    assert_json(
        "an attachment names its path, and progress is never sent",
        &body["messages"],
        &json!([
            { "role": "user", "content": "Hello." },
            { "role": "user", "content": "Attached: docs/CLAUDE.md\n\nRun cargo fmt.\n" },
            { "role": "user", "content": "Go on." },
        ]),
    );
}

/// Checks the API's JSON of a message.
#[track_caller]
fn assert_message(rule: &str, message: Message, expected: &Value) {
    let body = request_body("m", &[message], &[], false);
    assert_json(rule, &body["messages"][0], expected);
}

fn tool_result(tool_use_id: &str, content: &str) -> Message {
    from_json(&json!({
        "type": "ToolResult", "id": "m3", "tool_use_id": tool_use_id, "content": content
    }))
}
