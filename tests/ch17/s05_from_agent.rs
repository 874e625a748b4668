//! Section 17.5: And back

use std::collections::BTreeSet;

use claw_code::agent::{self};
use claw_code::transcript::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch17_there_and_back() {
    let mut whole = a_reply_with(
        vec![
            text_block("a"),
            sealed_thoughts(),
            a_call("t1", "n", json!([])),
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
    let mut failed = a_result("t1", "n", "x", None);
    if let AgentMessage::ToolResult { is_error, .. } = &mut failed {
        *is_error = true;
    }
    let transcript = [
        a_user("Hi."),
        a_user_with(vec![a_png()]),
        a_user_with(vec![words("a"), words("b")]),
        a_user_with(vec![]),
        whole,
        a_reply_with(vec![], StopReason::EndTurn),
        failed,
        a_note(None),
    ];
    // By way of JSON, so that the way there is not asked of the same section as the way back.
    let there: Vec<agent::AgentMessage> = [
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
                { "type": "thinking", "thinking": "plan", "signature": "seal" },
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
    let back = from_agent(&there);
    assert_json(
        "what both sides have a place for comes back as it went",
        &to_json(&back.messages),
        &to_json(&transcript),
    );
    assert_eq!(back.losses, [], "nothing is lost on the way back");
    let crossing = to_agent(&transcript);
    assert_json(
        "and this is how it went",
        &to_json(&crossing.messages),
        &to_json(&there),
    );
    assert_eq!(crossing.losses, [], "nothing was lost on the way there");
}

#[test]
fn test_ch17_from_agent_says_what_is_lost() {
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
        let crossing = from_agent(&[from_json::<agent::AgentMessage>(&entry)]);
        let found: Vec<_> = crossing
            .losses
            .iter()
            .map(|loss| loss.what.as_str())
            .collect();
        assert_eq!(
            found.iter().collect::<BTreeSet<_>>(),
            lost.iter().collect(),
            "what a transcript has no place for is in the list: {entry}"
        );
        assert_eq!(found.len(), lost.len(), "each once: {found:?}");
        assert_eq!(
            crossing.messages.len(),
            1,
            "the entry itself is there: {entry}"
        );
    }
    let thoughts = json!({ "role": "toolResult", "toolCallId": "t", "toolName": "n", "isError": false,
        "timestamp": 1, "content": [{ "type": "thinking", "thinking": "x" }] });
    let crossing = from_agent(&[from_json::<agent::AgentMessage>(&thoughts)]);
    assert_json(
        "a block that is lost leaves nothing in its place",
        &to_json(&crossing.messages)[0]["content"],
        &json!([]),
    );
    for (usage, tokens) in [
        (
            json!({ "input": 0, "output": 0, "cache_read": 5, "total_tokens": 5 }),
            [0, 0, 0, 5],
        ),
        (json!({ "input": 1, "output": 2 }), [1, 2, 0, 0]),
    ] {
        let entry = json!({ "role": "assistant", "timestamp": 1, "stopReason": "stop", "model": "",
            "provider": "", "usage": usage, "content": [] });
        let crossing = from_agent(&[from_json::<agent::AgentMessage>(&entry)]);
        assert_json(
            &format!("a usage is known if any of its counts is not 0: {usage}"),
            &to_json(&crossing.messages)[0]["usage"],
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
        let crossing = from_agent(&[from_json::<agent::AgentMessage>(&entry)]);
        let found: Vec<_> = crossing
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
    for (theirs, ours) in [
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
        let entry = json!({ "role": "assistant", "timestamp": 0, "stopReason": theirs, "model": "",
            "provider": "", "usage": { "input": 0, "output": 0 }, "content": [] });
        let crossing = from_agent(&[from_json::<agent::AgentMessage>(&entry)]);
        assert_json(
            &format!(
                "what `{theirs}` is in a transcript; a time of 0 and a usage of nothing are not known"
            ),
            &to_json(&crossing.messages),
            &json!([{ "role": "assistant", "content": [], "stop_reason": ours }]),
        );
        assert_eq!(
            crossing.losses.len(),
            usize::from(ours == "other"),
            "a word that becomes `other` is lost: {theirs}"
        );
    }
}
