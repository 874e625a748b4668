//! Section 2.6: The request body

use claw_code::provider::*;
use claw_code::types::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch2_request_messages() {
    let mut reply = said("Let me look.");
    reply.tool_calls = vec![
        call("call_1", "read", json!({ "path": "a \"b\"" })),
        call("call_2", "pwd", json!({})),
    ];
    let messages = [
        from_json(json!({
            "type": "System", "id": "m0", "content": "Be brief.", "tag": "compact_boundary"
        })),
        Message::User(user("What is in src?")),
        Message::Assistant(reply),
        tool_result("call_1", "error: no such file"),
        tool_result("call_2", "/work"),
        Message::Assistant(said("There.")),
    ];
    let body = request_body("small-model", &messages, &[], false);
    let expected = [
        json!({ "role": "system", "content": "Be brief." }),
        json!({ "role": "user", "content": "What is in src?" }),
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
        json!({ "role": "tool", "tool_call_id": "call_1", "content": "error: no such file" }),
        json!({ "role": "tool", "tool_call_id": "call_2", "content": "/work" }),
        json!({ "role": "assistant", "content": "There." }),
    ];
    for (at, expected) in expected.iter().enumerate() {
        let sent = &body["messages"][at];
        assert!(
            sent == expected,
            "each message in the API's words; message {at} should be\n  {expected}\nand is\n  {sent}"
        );
    }
    let sent = body["messages"].as_array().map(Vec::len);
    assert_eq!(sent, Some(expected.len()), "one entry for each message");
    assert_eq!(body["model"], "small-model");
    let mut rest = body.clone();
    for key in ["model", "messages"] {
        rest.as_object_mut().and_then(|body| body.remove(key));
    }
    assert!(
        rest == json!({}) || rest == json!({ "stream": false }),
        "without tools and without a stream, nothing else is in the body but perhaps `stream`, false; there is {rest}"
    );
}

#[test]
fn test_ch2_request_assistant_without_text() {
    let mut reply = said("");
    reply.text = None;
    let empty = request_body("m", &[Message::Assistant(reply.clone())], &[], false);
    assert_eq!(
        empty["messages"][0],
        json!({ "role": "assistant", "content": "" }),
        "a reply with neither text nor calls has an empty content and no `tool_calls`"
    );
    reply.tool_calls = vec![call("call_1", "pwd", json!({}))];
    let calling = request_body("m", &[Message::Assistant(reply)], &[], false);
    assert_eq!(
        calling["messages"][0]["content"],
        Value::Null,
        "beside calls, no text is null"
    );
    assert_eq!(calling["messages"][0]["tool_calls"][0]["id"], "call_1");
}

#[test]
fn test_ch2_request_arguments_are_always_json() {
    for arguments in [
        json!({}),
        json!("{\"command\": \"ls"),
        json!([1]),
        Value::Null,
    ] {
        let mut reply = said("");
        reply.tool_calls = vec![call("call_1", "bash", arguments.clone())];
        let body = request_body("m", &[Message::Assistant(reply)], &[], false);
        let sent = &body["messages"][0]["tool_calls"][0]["function"]["arguments"];
        let sent = sent
            .as_str()
            .unwrap_or_else(|| panic!("the API wants the arguments as a string; sent: {sent}"));
        let read: Value = serde_json::from_str(sent).unwrap_or_else(|error| {
            panic!("a server that parses the arguments would refuse `{sent}`: {error}")
        });
        assert_eq!(read, arguments, "and they are the arguments that came");
    }
}

#[test]
fn test_ch2_request_attachment_and_progress() {
    let messages = [
        Message::User(user("Hello.")),
        from_json(json!({
            "type": "Attachment", "id": "m1", "path": "docs/CLAUDE.md",
            "content": "Run cargo fmt.\n", "content_type": "instructions"
        })),
        from_json(json!({ "type": "Progress", "tool_use_id": "call_1", "data": "50 %" })),
        Message::User(user("Go on.")),
    ];
    let body = request_body("m", &messages, &[], false);
    assert_eq!(
        body["messages"],
        json!([
            { "role": "user", "content": "Hello." },
            { "role": "user", "content": "Attached: docs/CLAUDE.md\n\nRun cargo fmt.\n" },
            { "role": "user", "content": "Go on." },
        ]),
        "an attachment says where it is from, and progress is never sent"
    );
}

#[test]
fn test_ch2_request_tools_and_stream() {
    let tools = [tool("read"), tool("bash")];
    let tools: Vec<&ToolDefinition> = tools.iter().collect();
    let body = request_body("m", &[], &tools, true);
    assert_eq!(
        body,
        json!({
            "model": "m",
            "messages": [],
            "tools": [
                { "type": "function", "function": {
                    "name": "read", "description": "Does as it is told",
                    "parameters": { "type": "object", "properties": {}, "required": [] } } },
                { "type": "function", "function": {
                    "name": "bash", "description": "Does as it is told",
                    "parameters": { "type": "object", "properties": {}, "required": [] } } },
            ],
            "stream": true,
            "stream_options": { "include_usage": true },
        }),
        "the tools in the order given, and a stream that reports its usage"
    );
}

fn tool_result(tool_use_id: &str, content: &str) -> Message {
    from_json(json!({
        "type": "ToolResult", "id": "m3", "tool_use_id": tool_use_id, "content": content
    }))
}
