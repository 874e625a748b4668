//! Section 17.1: Five roles

use claw_code::transcript::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch17_every_role_round_trips() {
    for entry in [
        json!({ "role": "system", "content": "Be brief.", "timestamp": 1 }),
        json!({
            "role": "assistant", "content": [], "stop_reason": "error", "timestamp": 2,
            "error_message": "overloaded",
            "usage": {
                "input_tokens": 1, "output_tokens": 2,
                "cache_creation_input_tokens": 3, "cache_read_input_tokens": 4
            }
        }),
        json!({
            "role": "tool_result", "tool_call_id": "t1", "tool_name": "bash", "content": [],
            "is_error": true, "narration": "Ran ls.", "details": { "artifacts": [1] },
            "timestamp": 3
        }),
        json!({ "role": "custom", "kind": "note", "payload": { "a": [null] }, "timestamp": 4 }),
        json!({ "role": "custom", "kind": "mark", "payload": null }),
    ] {
        assert_round_trip::<AgentMessage>(&entry);
    }
}

#[test]
fn test_ch17_text_of_a_user_is_a_string() {
    let user = AgentMessage::User {
        content: UserContent::Text("Hi.".to_string()),
        timestamp: Some(5),
    };
    assert_json(
        "a user's text is written as a string",
        &to_json(&user),
        &json!({ "role": "user", "content": "Hi.", "timestamp": 5 }),
    );
}

#[test]
fn test_ch17_fields_that_are_none_are_left_out() {
    for entry in [
        json!({ "role": "system", "content": "" }),
        json!({ "role": "assistant", "content": [], "stop_reason": "end_turn" }),
        json!({
            "role": "tool_result", "tool_call_id": "t1", "tool_name": "bash", "content": [],
            "is_error": false
        }),
    ] {
        assert_round_trip::<AgentMessage>(&entry);
    }
}

#[test]
fn test_ch17_json_older_than_a_field_loads() {
    let entry = json!({
        "role": "tool_result", "tool_call_id": "t1", "tool_name": "bash", "content": [],
        "is_error": false
    });
    assert_eq!(
        from_json::<AgentMessage>(&entry),
        result_entry("t1", "bash", "", None),
        "a missing narration, details or timestamp is None, and no time is invented"
    );
}

#[test]
fn test_ch17_null_is_read_as_none() {
    let entry = json!({
        "role": "tool_result", "tool_call_id": "t1", "tool_name": "bash", "content": [],
        "is_error": false, "narration": null, "details": null, "timestamp": null
    });
    assert_eq!(
        from_json::<AgentMessage>(&entry),
        result_entry("t1", "bash", "", None),
        "`null` is read as None"
    );
}

#[test]
fn test_ch17_missing_cache_counts_are_0() {
    assert_eq!(
        from_json::<Usage>(&json!({ "input_tokens": 1, "output_tokens": 2 })),
        Usage {
            input_tokens: 1,
            output_tokens: 2,
            ..Usage::default()
        },
        "missing cache counts are 0"
    );
}

#[test]
fn test_ch17_unknown_fields_of_an_entry_are_kept() {
    let entry = json!({ "role": "system", "content": "x", "timestamp": 1, "color": "red" });
    let loaded: AgentMessage = from_json(&entry);
    assert_json(
        "a field of a newer program is written back unchanged",
        &to_json(&loaded),
        &entry,
    );
    assert_eq!(
        loaded.known().map(to_json),
        Some(json!({ "role": "system", "content": "x", "timestamp": 1 })),
        "`known` is the entry without it"
    );
}

#[test]
fn test_ch17_unknown_fields_of_a_usage_are_kept() {
    let reply = |usage| {
        let content: [(); 0] = [];
        json!({ "role": "assistant", "content": content, "stop_reason": "end_turn", "usage": usage })
    };
    let counts = json!({ "input_tokens": 1, "output_tokens": 2,
        "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0 });
    let mut more = counts.clone();
    more["cost"] = json!({ "usd": 0.5 });
    let loaded: AgentMessage = from_json(&reply(&more));
    assert_json(
        "a field of a newer program is written back into the usage",
        &to_json(&loaded),
        &reply(&more),
    );
    assert_eq!(
        loaded.known().map(to_json),
        Some(reply(&counts)),
        "`known` is the entry without it"
    );
}

#[test]
fn test_ch17_stop_reasons() {
    for name in [
        "end_turn",
        "tool_use",
        "max_tokens",
        "error",
        "aborted",
        "other",
    ] {
        assert_round_trip::<StopReason>(&json!(name));
    }
    for wrong in ["EndTurn", "endTurn", "stop", "refusal", ""] {
        assert_refused::<StopReason>(&json!(wrong), wrong);
    }
}

#[test]
fn test_ch17_invalid_entries_are_refused() {
    for (invalid, error) in [
        (json!({ "content": "x" }), "role"),
        (json!({ "role": "toolResult" }), "tool_result"),
        (json!({ "role": "system" }), "content"),
        (json!({ "role": "assistant", "content": [] }), "stop_reason"),
        (json!({ "role": "custom", "kind": "k" }), "payload"),
        (
            json!({ "role": "tool_result", "tool_call_id": "t", "tool_name": "n", "content": [] }),
            "is_error",
        ),
        (
            json!({ "role": "tool_result", "tool_name": "n", "content": [], "is_error": false }),
            "tool_call_id",
        ),
        (
            json!({ "role": "system", "content": "x", "timestamp": -1 }),
            "-1",
        ),
    ] {
        assert_refused::<AgentMessage>(&invalid, error);
    }
    assert_refused::<Usage>(&json!({ "input_tokens": 1 }), "output_tokens");
    assert_refused::<Usage>(&json!({ "output_tokens": 1 }), "input_tokens");
}
