//! Section 17.5: From the agent

use std::collections::BTreeSet;

use claw_code::agent::{self};
use claw_code::transcript::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch17_round_trip_through_an_agent() {
    let mut whole = reply_blocks(
        vec![
            text_block("a"),
            signed_thinking(),
            tool_call("t1", "n", json!([])),
        ],
        StopReason::MaxTokens,
    );
    if let AgentMessage::Assistant {
        error_message,
        timestamp,
        usage,
        ..
    } = &mut whole
    {
        *error_message = Some("e".to_string());
        *timestamp = Some(2);
        *usage = Some(Usage {
            input_tokens: 1,
            output_tokens: 2,
            cache_creation_input_tokens: 3,
            cache_read_input_tokens: 4,
        });
    }
    let transcript = [
        user_entry("Hi."),
        user_blocks(vec![png_image()]),
        user_blocks(vec![content_text("a"), content_text("b")]),
        user_blocks(vec![]),
        whole,
        reply_blocks(vec![], StopReason::EndTurn),
        failed(result_entry("t1", "n", "x", None)),
        custom_entry(None),
    ];
    // From JSON, so that the first assertion does not depend on section 17.4.
    let history: Vec<agent::AgentMessage> = [
        json!({ "role": "user", "content": [{ "type": "text", "text": "Hi." }], "timestamp": 2 }),
        json!({ "role": "user", "timestamp": 0, "content": [
            { "type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png" }
        ] }),
        json!({ "role": "user", "timestamp": 0, "content": [
            { "type": "text", "text": "a" }, { "type": "text", "text": "b" }
        ] }),
        json!({ "role": "user", "timestamp": 0, "content": [] }),
        json!({
            "role": "assistant", "stopReason": "length", "model": "", "provider": "",
            "timestamp": 2, "error_message": "e",
            "content": [
                { "type": "text", "text": "a" },
                { "type": "thinking", "thinking": "plan", "signature": "signature" },
                { "type": "toolCall", "id": "t1", "name": "n", "arguments": [] }
            ],
            "usage": { "input": 1, "output": 2, "cache_write": 3, "cache_read": 4, "total_tokens": 10 }
        }),
        json!({
            "role": "assistant", "stopReason": "stop", "model": "", "provider": "",
            "timestamp": 0, "content": [], "usage": { "input": 0, "output": 0 }
        }),
        json!({
            "role": "toolResult", "toolCallId": "t1", "toolName": "n", "isError": true,
            "content": [{ "type": "text", "text": "x" }], "timestamp": 0
        }),
        json!({ "role": "extension", "kind": "note", "data": { "a": 1 } }),
    ]
    .iter()
    .map(from_json)
    .collect();
    let back = from_agent(&history);
    assert_json(
        "what both vocabularies can hold comes back unchanged",
        &to_json(&back.messages),
        &to_json(&transcript),
    );
    assert_eq!(back.losses, [], "from_agent loses nothing");
    let conversion = to_agent(&transcript);
    assert_json(
        "to_agent converts the transcript to the same history",
        &to_json(&conversion.messages),
        &to_json(&history),
    );
    assert_eq!(conversion.losses, [], "to_agent loses nothing");
}

#[test]
fn test_ch17_from_agent_lists_losses() {
    let usage = json!({ "input": 0, "output": 0 });
    for (entry, lost) in [
        (
            json!({ "role": "user", "content": [], "timestamp": 1,
                "turnId": { "loopId": "s.c.1", "turnIndex": 0 } }),
            vec!["turnId"],
        ),
        (
            json!({ "role": "user", "timestamp": 1, "content": [
                { "type": "thinking", "thinking": "x" },
                { "type": "toolCall", "id": "t", "name": "n", "arguments": {} }
            ] }),
            vec!["thinking", "toolCall"],
        ),
        (
            json!({ "role": "assistant", "timestamp": 1, "stopReason": "paused", "model": "m",
                "provider": "p", "usage": { "input": 1, "output": 2, "reasoning": 1, "total_tokens": 4 },
                "content": [{ "type": "image", "data": "AA==", "mimeType": "image/png" }] }),
            vec![
                "model",
                "provider",
                "image",
                "stopReason",
                "usage.reasoning",
                "usage.total_tokens",
            ],
        ),
        (
            json!({ "role": "assistant", "timestamp": 1, "stopReason": "stop", "model": "",
                "provider": "", "usage": usage, "content": [] }),
            vec![],
        ),
        (
            json!({ "role": "toolResult", "toolCallId": "t", "toolName": "n", "content": [],
                "isError": false, "timestamp": 1, "childLoopId": "c" }),
            vec!["childLoopId"],
        ),
        (
            json!({ "role": "extension", "kind": "k", "data": 1 }),
            vec![],
        ),
    ] {
        let conversion = from_agent(&[from_json::<agent::AgentMessage>(&entry)]);
        let found: Vec<_> = conversion
            .losses
            .iter()
            .map(|loss| loss.what.as_str())
            .collect();
        assert_eq!(
            found.iter().collect::<BTreeSet<_>>(),
            lost.iter().collect(),
            "what a transcript can't hold is a loss: {entry}"
        );
        assert_eq!(
            found.len(),
            lost.len(),
            "each loss is listed once: {found:?}"
        );
        assert_eq!(
            conversion.messages.len(),
            1,
            "the entry itself is converted: {entry}"
        );
    }
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
