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
    let event = start_without_snapshot();
    let written = to_json(&event);
    assert!(
        written.get("config_snapshot").is_none(),
        "without a snapshot the field is left out, not `null`: {written}"
    );
    let read: AgentEvent = from_json(&written);
    assert_eq!(
        read, event,
        "the event without a snapshot can be read again"
    );
}

#[test]
fn test_ch16_start_without_parent_has_a_null_field() {
    let written = to_json(&start_without_snapshot());
    assert_eq!(
        written.get("parent_loop_id"),
        Some(&Value::Null),
        "without a parent the field is `null`, not left out: {written}"
    );
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
        let event = json!({ "type": "AgentStart", "loop_id": "s.c.1", "agent_id": "a",
            "session_id": "s", "parent_loop_id": null, "continuation_kind": "Initial",
            "config_snapshot": snapshot, "timestamp": "2026-01-02T03:04:05.678Z", "metadata": null });
        let read: AgentEvent = from_json(&event);
        assert_json(
            "no setting is lost, and no absent one is invented",
            &to_json(&read),
            &event,
        );
    }
}

#[test]
fn test_ch16_unknown_events_and_fields_are_kept() {
    let event = json!({ "type": "ParallelLoopStart", "loop_id": "s.c.1", "branches": [1, 2] });
    let read = written_back("an event of an unknown type", &event);
    assert_eq!(
        read.known(),
        None,
        "`known` has no event of an unknown type"
    );
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
    for (event_type, field, value) in [
        ("AgentEnd", "usage", usage.clone()),
        ("TurnEnd", "usage", usage),
        ("TurnEnd", "tool_results", json!([result])),
        ("MessageUpdate", "delta", delta),
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
        let read = read_with("AgentStart", "continuation_kind", &json);
        assert!(
            matches!(&read, AgentEvent::AgentStart { continuation_kind, .. } if *continuation_kind == kind),
            "{json} is {kind:?}: {read:?}"
        );
    }
}

#[test]
fn test_ch16_deltas_have_contract_json() {
    let arguments = StreamDelta::ToolCallDelta { delta: "a".into() };
    for (expected, json) in [
        (text_delta("a"), json!({ "Text": { "delta": "a" } })),
        (thinking("a"), json!({ "Thinking": { "delta": "a" } })),
        (arguments, json!({ "ToolCallDelta": { "delta": "a" } })),
    ] {
        let read = read_with("MessageUpdate", "delta", &json);
        assert!(
            matches!(&read, AgentEvent::MessageUpdate { delta, .. } if *delta == expected),
            "{json} is {expected:?}: {read:?}"
        );
    }
}

#[test]
fn test_ch16_triggers_have_contract_json() {
    for (expected, name) in [
        (TurnTrigger::User, "User"),
        (TurnTrigger::SubAgent, "SubAgent"),
        (TurnTrigger::Continuation, "Continuation"),
        (TurnTrigger::Branch, "Branch"),
    ] {
        let read = read_with("TurnStart", "triggered_by", &json!(name));
        assert!(
            matches!(&read, AgentEvent::TurnStart { triggered_by, .. } if *triggered_by == expected),
            "{name:?} is {expected:?}: {read:?}"
        );
    }
}

#[test]
fn test_ch16_older_trigger_loads() {
    let old: TurnTrigger = from_json(&json!("FollowUp"));
    assert_eq!(
        old,
        TurnTrigger::Continuation,
        "old events have FollowUp for Continuation"
    );
}

#[test]
fn test_ch16_event_times_are_rfc_3339() {
    for (milliseconds, text) in [
        (0, "1970-01-01T00:00:00Z"),
        (TIME, "2026-01-02T03:04:05.678Z"),
        (1_000, "1970-01-01T00:00:01Z"),
    ] {
        assert_eq!(
            to_json(&event_time(milliseconds)),
            json!(text),
            "{milliseconds} milliseconds after 1970 began"
        );
    }
}

#[test]
fn test_ch16_wrong_clock_gives_the_last_time() {
    assert_eq!(
        event_time(u64::MAX),
        DateTime::<Utc>::MAX_UTC,
        "a time beyond the calendar becomes its last time, without a panic"
    );
}

#[test]
fn test_ch16_event_errors_name_the_missing_field() {
    let broken = json!({ "type": "InputRejected", "reason": "no" });
    assert_rejected::<AgentEvent>(&broken.to_string(), "loop_id");
}

/// The first event of a loop whose settings were not recorded.
fn start_without_snapshot() -> AgentEvent {
    let (mut event, _) = events_and_json().remove(0);
    let AgentEvent::AgentStart {
        config_snapshot, ..
    } = &mut event
    else {
        panic!("the first example is a start");
    };
    let snapshot = config_snapshot.take();
    assert_eq!(snapshot.map(|it| it.model).as_deref(), Some("m-1"));
    event
}

/// The example event of this type with `value` in this field, after a check that it is written
/// back unchanged.
#[track_caller]
fn read_with(event_type: &str, field: &str, value: &Value) -> AgentEvent {
    let mut examples = events_and_json().into_iter().map(|(_, json)| json);
    let mut json = examples
        .find(|json| json["type"] == event_type)
        .expect("an event of each type");
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
