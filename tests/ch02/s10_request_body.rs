//! Section 2.10: The request body

use claw_code::provider::*;
use serde_json::{Value, json};

use super::support::*;
use crate::support::assert_json;

#[test]
fn test_ch2_request_has_model_and_messages() {
    let body = request_body("Small-Model", &[user("Hello.")], &[], false);
    let expected = json!({
        "model": "Small-Model",
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
    assert_json(
        "without tools, the stream should report its usage too",
        &request_body("m", &[], &[], true),
        &json!({
            "model": "m",
            "messages": [],
            "stream": true,
            "stream_options": { "include_usage": true },
        }),
    );
    let body = request_body("m", &[], &[&tool("read")], false);
    assert_eq!(
        body["tools"][0]["function"]["name"], "read",
        "without a stream, the tools are sent too: {body}"
    );
}

#[test]
fn test_ch2_request_keeps_the_order_of_messages() {
    let system = from_json(&json!({ "type": "System", "id": "m0", "content": "3" }));
    let messages = [user("1"), tool_result("call_1", "2"), system, user("4")];
    let body = request_body("m", &messages, &[], false);
    let sent = body["messages"].as_array().expect("a list");
    let contents: Vec<&Value> = sent.iter().map(|message| &message["content"]).collect();
    assert_eq!(contents, ["1", "2", "3", "4"], "each message, in order");
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
