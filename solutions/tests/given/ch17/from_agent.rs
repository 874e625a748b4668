//! From the agent

use claw_code::agent;
use claw_code::transcript::*;
use serde_json::json;

use super::agent_history::*;
use super::conversions::{lost, unknown_blocks};
use super::support::*;

#[test]
fn user_messages_round_trip() {
    assert_round_trip_with_agent(
        &[
            user_entry("Hi."),
            user_entry(""),
            user_blocks(vec![png_image()]),
            user_blocks(vec![content_text("a"), content_text("b")]),
            user_blocks(vec![]),
        ],
        json!([
            { "role": "user", "content": [{ "type": "text", "text": "Hi." }], "timestamp": 2 },
            { "role": "user", "content": [{ "type": "text", "text": "" }], "timestamp": 2 },
            { "role": "user", "timestamp": 0, "content": [
                { "type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png" }
            ] },
            { "role": "user", "timestamp": 0, "content": [
                { "type": "text", "text": "a" }, { "type": "text", "text": "b" }
            ] },
            { "role": "user", "timestamp": 0, "content": [] }
        ]),
    );
}

#[test]
fn results_and_extensions_round_trip() {
    assert_round_trip_with_agent(
        &[
            failed(result_entry("t1", "n", "x", None)),
            custom_entry(None),
        ],
        json!([
            {
                "role": "toolResult", "toolCallId": "t1", "toolName": "n", "isError": true,
                "content": [{ "type": "text", "text": "x" }], "timestamp": 0
            },
            { "role": "extension", "kind": "note", "data": { "a": 1 } }
        ]),
    );
}

#[test]
fn a_lost_block_leaves_nothing() {
    let thoughts = json!({ "role": "toolResult", "toolCallId": "t", "toolName": "n", "isError": false,
        "timestamp": 1, "content": [{ "type": "thinking", "thinking": "x" }] });
    let conversion = from_agent(&[from_json::<agent::AgentMessage>(&thoughts)]);
    assert_json(
        "a lost block is not replaced",
        &to_json(&conversion.messages)[0]["content"],
        &json!([]),
    );
}

#[test]
fn from_agent_loses_what_is_unknown() {
    let user = json!({ "role": "user", "content": unknown_blocks(), "timestamp": 1, "cost": 2 });
    let note = json!({ "role": "extension", "kind": "k", "data": 1, "cost": 2, "turnId": {} });
    let with_usage =
        |usage| json!({ "role": "user", "content": [], "timestamp": 1, "usage": usage });
    for (entry, expected, content) in [
        (user, vec!["cost", "citations", "audio"], json!("Hi.")),
        (note, vec!["cost", "turnId"], json!(null)),
        (with_usage(json!({})), vec!["usage"], json!([])),
        (with_usage(json!({ "input": 1 })), vec!["usage"], json!([])),
    ] {
        let conversion = from_agent(&[from_json::<agent::AgentMessage>(&entry)]);
        assert_eq!(
            lost(&conversion),
            expected,
            "an unknown field is in the list with its name, and an unknown block with its type: {entry}"
        );
        assert_json(
            "if one text block is left after the losses, it becomes a string",
            &to_json(&conversion.messages)[0]["content"],
            &content,
        );
    }
}

/// The same result of a call that failed.
fn failed(mut result: AgentMessage) -> AgentMessage {
    if let AgentMessage::ToolResult { is_error, .. } = &mut result {
        *is_error = true;
    }
    result
}
