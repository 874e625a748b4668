//! Replies from the agent

use std::collections::BTreeSet;

use claw_code::agent;
use claw_code::transcript::*;
use serde_json::json;

use super::agent_history::*;
use super::conversions::{lost, unknown_blocks};
use super::support::*;

#[test]
fn replies_round_trip() {
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
fn a_usage_with_any_count_is_known() {
    let (reasoning_lost, total_lost) = ("usage.reasoning", "usage.total_tokens");
    for ([input, output, write, read, reasoning, total], is_known, losses) in [
        ([1, 0, 0, 0, 0, 1], true, vec![]),
        ([0, 2, 0, 0, 0, 2], true, vec![]),
        ([0, 0, 3, 0, 0, 3], true, vec![]),
        ([0, 0, 0, 5, 0, 5], true, vec![]),
        ([1, 2, 0, 0, 0, 0], true, vec![total_lost]),
        ([1, 2, 0, 0, 0, 2], true, vec![total_lost]),
        ([1, 2, 0, 0, 1, 4], true, vec![reasoning_lost, total_lost]),
        ([0, 0, 0, 0, 5, 7], false, vec![reasoning_lost, total_lost]),
    ] {
        let mut reply = agent_reply(json!([]));
        reply["usage"] = json!({ "input": input, "output": output, "cache_write": write,
            "cache_read": read, "reasoning": reasoning, "total_tokens": total });
        let conversion = from_agent(&[from_json::<agent::AgentMessage>(&reply)]);
        let usage = json!({ "input_tokens": input, "output_tokens": output,
            "cache_creation_input_tokens": write, "cache_read_input_tokens": read });
        assert_eq!(
            to_json(&conversion.messages)[0].get("usage"),
            is_known.then_some(&usage),
            "a usage is known if any of its four counts is not 0: {reply}"
        );
        assert_eq!(
            BTreeSet::from_iter(lost(&conversion)),
            BTreeSet::from_iter(losses),
            "a total that is not the sum of the four is lost, and a reasoning that is not 0: {reply}"
        );
    }
}

#[test]
fn stop_reasons_from_agent() {
    for (name, expected) in [
        ("stop", "end_turn"),
        ("length", "max_tokens"),
        ("toolUse", "tool_use"),
        ("error", "error"),
        ("aborted", "aborted"),
    ] {
        let conversion = converted(name);
        assert_json(
            &format!(
                "the stop reason `{name}` in a transcript; a timestamp of 0 and a usage of 0 become None"
            ),
            &to_json(&conversion.messages),
            &json!([{ "role": "assistant", "content": [], "stop_reason": expected }]),
        );
        assert_eq!(conversion.losses, [], "`{name}` is not lost");
    }
}

#[test]
fn stop_reason_without_a_name_becomes_other() {
    for name in [
        "maxTurns",
        "userStop",
        "handoff",
        "guardRail",
        "contextCompacted",
        "paused",
    ] {
        let conversion = converted(name);
        assert_json(
            &format!("a transcript has no name for the stop reason `{name}`"),
            &to_json(&conversion.messages),
            &json!([{ "role": "assistant", "content": [], "stop_reason": "other" }]),
        );
        assert_eq!(
            conversion.losses.len(),
            1,
            "a stop reason that becomes `other` is a loss: {name}"
        );
    }
}

#[test]
fn a_usage_from_agent_loses_its_unknown_fields() {
    let mut entry = agent_reply(json!([]));
    entry["usage"]["cost"] = json!(1);
    let conversion = from_agent(&[from_json::<agent::AgentMessage>(&entry)]);
    assert_eq!(
        lost(&conversion),
        ["usage.cost"],
        "the list has the path of a field inside the usage"
    );
}

#[test]
fn a_reply_from_agent_loses_what_is_unknown() {
    let mut entry = agent_reply(unknown_blocks());
    entry["timestamp"] = json!(1);
    let conversion = from_agent(&[from_json::<agent::AgentMessage>(&entry)]);
    assert_eq!(
        lost(&conversion),
        ["citations", "audio"],
        "an unknown field is in the list with its name, and an unknown block with its type"
    );
}

/// An agent's reply without content that ended like this, as a transcript.
fn converted(stop_reason: &str) -> Conversion<AgentMessage> {
    let mut reply = agent_reply(json!([]));
    reply["stopReason"] = json!(stop_reason);
    from_agent(&[from_json::<agent::AgentMessage>(&reply)])
}
