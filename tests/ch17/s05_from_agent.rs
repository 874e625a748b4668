//! Section 17.5: From the agent

use std::collections::BTreeSet;

use claw_code::agent;
use claw_code::transcript::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch17_user_messages_round_trip() {
    assert_round_trip_with_agent(
        &[
            user_entry("Hi."),
            user_blocks(vec![png_image()]),
            user_blocks(vec![content_text("a"), content_text("b")]),
            user_blocks(vec![]),
        ],
        json!([
            { "role": "user", "content": [{ "type": "text", "text": "Hi." }], "timestamp": 2 },
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
fn test_ch17_replies_round_trip() {
    let call = tool_call("t1", "n", json!([]));
    assert_round_trip_with_agent(
        &[
            failed_reply(vec![text_block("a"), signed_thinking(), call]),
            reply_blocks(vec![], StopReason::EndTurn),
        ],
        json!([
            {
                "role": "assistant", "stopReason": "length", "model": "", "provider": "",
                "timestamp": 2, "error_message": "e",
                "content": [
                    { "type": "text", "text": "a" },
                    { "type": "thinking", "thinking": "plan", "signature": "signature" },
                    { "type": "toolCall", "id": "t1", "name": "n", "arguments": [] }
                ],
                "usage": { "input": 1, "output": 20, "cache_write": 300, "cache_read": 4000,
                    "total_tokens": 4321 }
            },
            agent_reply(json!([]))
        ]),
    );
}

#[test]
fn test_ch17_results_and_extensions_round_trip() {
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

/// Asserts that `from_agent` makes `transcript` from the JSON of an agent's history, that
/// `to_agent` converts it back, and that nothing is lost either way.
#[track_caller]
fn assert_round_trip_with_agent(transcript: &[AgentMessage], history: Value) {
    // From JSON, so that the first assertion does not depend on section 17.4.
    let history: Vec<agent::AgentMessage> = from_json(&history);
    let back = from_agent(&history);
    assert_json(
        "what both vocabularies can hold comes back unchanged",
        &to_json(&back.messages),
        &to_json(&transcript),
    );
    assert_eq!(back.losses, [], "from_agent loses nothing");
    let conversion = to_agent(transcript);
    assert_json(
        "to_agent converts the transcript to the same history",
        &to_json(&conversion.messages),
        &to_json(&history),
    );
    assert_eq!(conversion.losses, [], "to_agent loses nothing");
}

#[test]
fn test_ch17_a_user_message_loses_its_turn_and_blocks_of_replies() {
    assert_lost(
        json!({ "role": "user", "content": [], "timestamp": 1,
            "turnId": { "loopId": "s.c.1", "turnIndex": 0 } }),
        &["turnId"],
    );
    assert_lost(
        json!({ "role": "user", "timestamp": 1, "content": [
            { "type": "thinking", "thinking": "x" },
            { "type": "toolCall", "id": "t", "name": "n", "arguments": {} }
        ] }),
        &["thinking", "toolCall"],
    );
}

#[test]
fn test_ch17_a_reply_loses_its_model_and_what_has_no_field() {
    assert_lost(
        json!({ "role": "assistant", "timestamp": 1, "stopReason": "paused", "model": "m",
            "provider": "p", "usage": { "input": 1, "output": 2, "reasoning": 1, "total_tokens": 4 },
            "content": [{ "type": "image", "data": "AA==", "mimeType": "image/png" }] }),
        &[
            "model",
            "provider",
            "image",
            "stopReason",
            "usage.reasoning",
            "usage.total_tokens",
        ],
    );
    assert_lost(agent_reply(json!([])), &[]);
}

#[test]
fn test_ch17_a_result_loses_its_child_loop() {
    assert_lost(
        json!({ "role": "toolResult", "toolCallId": "t", "toolName": "n", "content": [],
            "isError": false, "timestamp": 1, "childLoopId": "c" }),
        &["childLoopId"],
    );
    assert_lost(json!({ "role": "extension", "kind": "k", "data": 1 }), &[]);
}

/// A reply of an agent with this content and no other data.
fn agent_reply(content: Value) -> Value {
    json!({ "role": "assistant", "timestamp": 0, "stopReason": "stop", "model": "",
        "provider": "", "usage": { "input": 0, "output": 0 }, "content": content })
}

/// Asserts that an agent's message is converted and loses just these, each once.
#[track_caller]
fn assert_lost(message: Value, expected: &[&str]) {
    let conversion = from_agent(&[from_json::<agent::AgentMessage>(&message)]);
    let losses = conversion.losses;
    let found: BTreeSet<&str> = losses.iter().map(|loss| loss.what.as_str()).collect();
    assert_eq!(
        found,
        expected.iter().copied().collect(),
        "what a transcript can't hold is a loss: {message}"
    );
    assert_eq!(
        losses.len(),
        expected.len(),
        "each loss is listed once: {losses:?}"
    );
    assert_eq!(
        conversion.messages.len(),
        1,
        "the message itself is converted: {message}"
    );
}

#[test]
fn test_ch17_a_lost_block_leaves_nothing() {
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
fn test_ch17_a_usage_with_any_count_is_known() {
    for (usage, tokens) in [
        (
            json!({ "input": 0, "output": 0, "cache_read": 5, "total_tokens": 5 }),
            [0, 0, 0, 5],
        ),
        (json!({ "input": 1, "output": 2 }), [1, 2, 0, 0]),
    ] {
        let entry = json!({ "role": "assistant", "timestamp": 1, "stopReason": "stop", "model": "",
            "provider": "", "usage": usage, "content": [] });
        let conversion = from_agent(&[from_json::<agent::AgentMessage>(&entry)]);
        assert_json(
            &format!("a usage is known if any of its counts is not 0: {usage}"),
            &to_json(&conversion.messages)[0]["usage"],
            &json!({
                "input_tokens": tokens[0], "output_tokens": tokens[1],
                "cache_creation_input_tokens": tokens[2], "cache_read_input_tokens": tokens[3]
            }),
        );
    }
}

#[test]
fn test_ch17_from_agent_loses_what_is_unknown() {
    let blocks = json!([{ "type": "text", "text": "Hi.", "citations": [] }, { "type": "audio" }]);
    for (entry, lost) in [
        (
            json!({ "role": "user", "content": blocks, "timestamp": 1, "cost": 2 }),
            vec!["cost", "citations", "audio"],
        ),
        (
            json!({ "role": "assistant", "timestamp": 1, "stopReason": "stop", "model": "",
                "provider": "", "usage": { "input": 0, "output": 0 }, "content": blocks }),
            vec!["citations", "audio"],
        ),
        (
            json!({ "role": "extension", "kind": "k", "data": 1, "cost": 2 }),
            vec!["cost"],
        ),
    ] {
        let conversion = from_agent(&[from_json::<agent::AgentMessage>(&entry)]);
        let found: Vec<_> = conversion
            .losses
            .iter()
            .map(|loss| loss.what.as_str())
            .collect();
        assert_eq!(
            found, lost,
            "an unknown field is in the list with its name, and an unknown block with its type"
        );
    }
}

#[test]
fn test_ch17_stop_reasons_from_agent() {
    for (name, expected) in [
        ("stop", "end_turn"),
        ("length", "max_tokens"),
        ("toolUse", "tool_use"),
        ("error", "error"),
        ("aborted", "aborted"),
        ("maxTurns", "other"),
        ("userStop", "other"),
        ("handoff", "other"),
        ("guardRail", "other"),
        ("contextCompacted", "other"),
        ("paused", "other"),
    ] {
        let entry = json!({ "role": "assistant", "timestamp": 0, "stopReason": name, "model": "",
            "provider": "", "usage": { "input": 0, "output": 0 }, "content": [] });
        let conversion = from_agent(&[from_json::<agent::AgentMessage>(&entry)]);
        assert_json(
            &format!(
                "the stop reason `{name}` in a transcript; a timestamp of 0 and a usage of 0 become None"
            ),
            &to_json(&conversion.messages),
            &json!([{ "role": "assistant", "content": [], "stop_reason": expected }]),
        );
        assert_eq!(
            conversion.losses.len(),
            usize::from(expected == "other"),
            "a stop reason that becomes `other` is a loss: {name}"
        );
    }
}
