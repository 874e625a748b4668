//! Section 16.1: Events as JSON

use chrono::{DateTime, Utc};
use claw_code::agent::*;
use serde_json::{Value, json};

use super::events::events_and_json;
use super::grammar::name;
use super::support::*;

#[test]
fn test_ch16_events_have_contract_json() {
    for (event, json) in events_and_json() {
        assert_eq!(
            to_json(&event),
            json,
            "{} as JSON, as other programs read it: one object, its `type` beside its fields",
            name(&event)
        );
        let read: AgentEvent = from_json(&json);
        assert_eq!(read, event, "what was written is read as it was");
    }
}

#[test]
fn test_ch16_continuation_kinds_have_contract_json() {
    let tag = || "t".to_string();
    let (rerun, branch) = (
        ContinuationKind::Rerun { tag: tag() },
        ContinuationKind::Branch { tag: tag() },
    );
    for (kind, json) in [
        (ContinuationKind::Initial, json!("Initial")),
        (ContinuationKind::Default, json!("Default")),
        (rerun, json!({ "Rerun": { "tag": "t" } })),
        (branch, json!({ "Branch": { "tag": "t" } })),
        (ContinuationKind::Compaction, json!("Compaction")),
    ] {
        assert_part("AgentStart", "continuation_kind", &to_json(&kind), &json);
    }
}

#[test]
fn test_ch16_deltas_have_contract_json() {
    let arguments = StreamDelta::ToolCallDelta { delta: "a".into() };
    for (delta, json) in [
        (text_delta("a"), json!({ "Text": { "delta": "a" } })),
        (thinking("a"), json!({ "Thinking": { "delta": "a" } })),
        (arguments, json!({ "ToolCallDelta": { "delta": "a" } })),
    ] {
        assert_part("MessageUpdate", "delta", &to_json(&delta), &json);
    }
}

#[test]
fn test_ch16_triggers_have_contract_json() {
    for (trigger, name) in [
        (TurnTrigger::User, "User"),
        (TurnTrigger::SubAgent, "SubAgent"),
        (TurnTrigger::Continuation, "Continuation"),
        (TurnTrigger::Branch, "Branch"),
    ] {
        assert_part(
            "TurnStart",
            "triggered_by",
            &to_json(&trigger),
            &json!(name),
        );
    }
}

#[test]
fn test_ch16_older_trigger_loads() {
    let old: TurnTrigger = from_json(&json!("FollowUp"));
    let current = TurnTrigger::Continuation;
    assert_eq!(old, current, "old events have FollowUp for Continuation");
}

#[test]
fn test_ch16_agent_end_without_usage_loads() {
    let old = json!({ "type": "AgentEnd", "loop_id": "s.c.1", "messages": [],
        "timestamp": "2026-01-02T03:04:05.678Z", "rejection": null });
    let read: AgentEvent = from_json(&old);
    assert!(
        matches!(&read, AgentEvent::AgentEnd { usage, .. } if *usage == Usage::default()),
        "what it cost is not known: {read:?}"
    );
}

#[test]
fn test_ch16_start_without_snapshot_has_no_snapshot_field() {
    let mut start = example("AgentStart");
    start.as_object_mut().unwrap().remove("config_snapshot");
    written_back("an AgentStart without a snapshot", &start);
}

#[test]
fn test_ch16_snapshot_of_another_program_comes_back_equal() {
    for snapshot in [
        json!({ "provider": "p", "model": "m" }),
        json!({ "provider": "p", "model": "m", "config_id": "c", "thinking_level": "high",
                "cache_config": { "enabled": true, "strategy": "auto" }, "max_tokens": 8, "max_turns": 50 }),
        json!({ "provider": "p", "model": "m", "name": "n", "api": "messages", "reasoning": true,
                "base_url": "https://a.example", "context_window": 200_000, "temperature": 0.7 }),
    ] {
        read_with("AgentStart", "config_snapshot", &snapshot);
    }
}

#[test]
fn test_ch16_unknown_events_and_fields_are_kept() {
    let event = json!({ "type": "ParallelLoopStart", "loop_id": "s.c.1", "branches": [1, 2] });
    let known = written_back("an event of an unknown type", &event)
        .known()
        .cloned();
    assert_eq!(known, None, "`known` has no event of an unknown type");
    let event =
        json!({ "type": "InputRejected", "loop_id": "s.c.1", "reason": "no", "by": "filter" });
    let read = written_back("an unknown field beside the known ones", &event);
    assert_json(
        "`known` is the event without unknown parts",
        &to_json(&read.known()),
        &json!({ "type": "InputRejected", "loop_id": "s.c.1", "reason": "no" }),
    );
}

#[test]
fn test_ch16_unknown_fields_of_inner_objects_are_kept() {
    let usage = json!({ "input": 1, "output": 2, "reasoning": 0, "cache_read": 0,
        "cache_write": 0, "total_tokens": 3, "cost": { "usd": 0.5 } });
    let result = json!({ "role": "toolResult", "toolCallId": "t1", "toolName": "bash",
        "content": [], "isError": false, "timestamp": 1, "cost": 1 });
    let delta = json!({ "Text": { "delta": "a", "cost": 1 } });
    let manual = json!({ "cache_system": true, "cache_tools": false, "cache_messages": true,
        "cost": 1 });
    let cache = json!({ "enabled": true, "strategy": { "manual": manual }, "cost": 1 });
    let snapshot = json!({ "provider": "p", "model": "m", "cache_config": cache });
    for (event_type, field, value) in [
        ("AgentEnd", "usage", usage.clone()),
        ("TurnEnd", "usage", usage),
        ("TurnEnd", "tool_results", json!([result])),
        ("MessageUpdate", "delta", delta),
        ("AgentStart", "config_snapshot", snapshot),
    ] {
        let read = read_with(event_type, field, &value);
        let known = to_json(read.known().expect("a known type")).to_string();
        assert!(
            !known.contains("cost"),
            "`known` is the event without unknown parts: {known}"
        );
    }
}

#[test]
fn test_ch16_event_times_are_rfc_3339() {
    for (milliseconds, text) in [
        (0, "1970-01-01T00:00:00Z"),
        (TIME, "2026-01-02T03:04:05.678Z"),
        (1_000, "1970-01-01T00:00:01Z"),
    ] {
        let why = format!("{milliseconds} milliseconds after 1970 began");
        assert_json(&why, &to_json(&event_time(milliseconds)), &json!(text));
    }
}

#[test]
fn test_ch16_wrong_clock_gives_the_last_time() {
    for milliseconds in [u64::MAX, i64::MAX as u64] {
        assert_eq!(
            event_time(milliseconds),
            DateTime::<Utc>::MAX_UTC,
            "a time beyond the calendar becomes its last time, without a panic: {milliseconds}"
        );
    }
}

#[test]
fn test_ch16_event_errors_name_the_missing_field() {
    let broken = json!({ "type": "InputRejected", "reason": "no" });
    assert_rejected::<AgentEvent>(&broken.to_string(), "loop_id");
}

/// The JSON of the example event of this type.
fn example(event_type: &str) -> Value {
    let mut examples = events_and_json().into_iter().map(|(_, json)| json);
    let example = examples.find(|json| json["type"] == event_type);
    example.expect("an event of each type")
}

/// Fails unless a part of an event is written as `json`, and read again in an event of this type.
#[track_caller]
fn assert_part(event_type: &str, field: &str, written: &Value, json: &Value) {
    let read = read_with(event_type, field, json);
    assert_eq!(name(&read), event_type, "`{field}` may be {json}");
    assert_json("this part of an event as JSON", written, json);
}

/// The example event of this type with `value` in this field, after a check that it is written
/// back unchanged.
#[track_caller]
fn read_with(event_type: &str, field: &str, value: &Value) -> AgentEvent {
    let mut json = example(event_type);
    json[field] = value.clone();
    written_back("an event of another program", &json)
}

/// Reads `event`, after a check that it is written back unchanged.
#[track_caller]
fn written_back(what: &str, event: &Value) -> AgentEvent {
    let read: AgentEvent = from_json(event);
    let why = format!("{what} is written back unchanged");
    assert_json(&why, &to_json(&read), event);
    read
}
