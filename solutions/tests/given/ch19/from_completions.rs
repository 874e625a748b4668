//! From Chat Completions to chat messages

use claw_code::chat::*;
use serde_json::json;

use super::support::*;

#[test]
fn completion_keeps_its_calls_beside_its_parts() {
    let wire: Vec<CompletionMessage> = from_json(json!([{ "role": "assistant",
        "content": [{ "type": "text", "text": "One." }, { "type": "text", "text": "Two." }],
        "tool_calls": [call("call_1", "{}")] }]));
    assert_json(
        "blocks replace all flat fields, so they hold the calls too",
        &to_json(&from_completions(&wire)),
        &json!([{ "role": "assistant", "content": "One.\nTwo.",
            "tool_calls": [call("call_1", "{}")],
            "raw_content_blocks": [text("One."), text("Two."), tool_use(json!({}))] }]),
    );
}

#[test]
fn completions_convert_back_to_chat() {
    let wire: Vec<CompletionMessage> = from_json(json!([
        { "role": "user", "name": "ada", "content": [
            { "type": "text", "text": "Look:" },
            { "type": "image_url", "image_url": { "url": "data:image/png;base64,iVBORw0KGgo=" } } ] },
        { "role": "assistant", "content": null, "refusal": null, "tool_calls": [call("call_1", "{ \"a\": 1 }")] },
        { "role": "tool", "tool_call_id": "call_1", "content": "error: x" },
        { "role": "tool", "tool_call_id": "call_2", "content": [{ "type": "text", "text": "y" }] },
        { "role": "assistant", "content": null, "refusal": "I can't." },
        { "role": "assistant", "content": "Sorry.", "refusal": "I can't." },
    ]));
    assert_json(
        "each message becomes one chat message: calls and results unchanged, a result never a failure, one text as `content` without blocks, a refusal a marked text",
        &to_json(&from_completions(&wire)),
        &json!([
            { "role": "user", "name": "ada", "content": "Look:", "raw_content_blocks": [text("Look:"), png()] },
            { "role": "assistant", "tool_calls": [call("call_1", "{ \"a\": 1 }")] },
            { "role": "tool", "tool_call_id": "call_1", "content": "error: x" },
            { "role": "tool", "tool_call_id": "call_2", "content": "y" },
            { "role": "assistant", "content": "[refusal] I can't." },
            { "role": "assistant", "content": "Sorry.\n[refusal] I can't.",
              "raw_content_blocks": [text("Sorry."), text("[refusal] I can't.")] },
        ]),
    );
}
