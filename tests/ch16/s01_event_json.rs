//! Section 16.1: Events as JSON

use claw_code::agent::*;
use serde_json::{Value, json};

use super::grammar::name;
use super::support::*;

#[test]
fn test_ch16_events_have_contract_json() {
    for (event, json) in events_and_json() {
        let written = serde_json::to_value(&event).expect("an event can be written");
        assert_eq!(
            written,
            json,
            "a {} as JSON, as other programs read it: one object, its `type` beside its fields",
            name(&event)
        );
        let read: AgentEvent = serde_json::from_value(json.clone())
            .unwrap_or_else(|error| panic!("{json} is an event and cannot be read: {error}"));
        assert_eq!(read, event, "what was written is read as it was");
    }
}

#[test]
fn test_ch16_agent_end_without_usage_loads() {
    let old = json!({ "type": "AgentEnd", "loop_id": "s.c.1", "messages": [],
        "timestamp": "2026-01-02T03:04:05.678Z", "rejection": null });
    let read: AgentEvent = serde_json::from_value(old).expect("an old recording can be read");
    assert!(
        matches!(&read, AgentEvent::AgentEnd { usage, .. } if *usage == Usage::default()),
        "what it cost is not known: {read:?}"
    );
}

#[test]
fn test_ch16_start_without_snapshot_has_no_snapshot_field() {
    let AgentEvent::AgentStart {
        config_snapshot: Some(snapshot),
        ..
    } = &events_and_json()[0].0
    else {
        panic!("the first example is a start with a snapshot");
    };
    let mut event = events_and_json()[0].0.clone();
    if let AgentEvent::AgentStart {
        config_snapshot, ..
    } = &mut event
    {
        *config_snapshot = None;
    }
    let written = serde_json::to_value(&event).unwrap();
    assert!(
        written.get("config_snapshot").is_none(),
        "without a snapshot the field is left out, not `null`: {written}"
    );
    assert_eq!(
        written.get("parent_loop_id"),
        Some(&Value::Null),
        "without a parent the field is `null`, not left out: {written}"
    );
    let read: AgentEvent = serde_json::from_value(written).expect("it can be read again");
    assert_eq!(read, event);
    assert_eq!(snapshot.model, "m-1");
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
        let read: AgentEvent = serde_json::from_value(event.clone())
            .unwrap_or_else(|error| panic!("the snapshot {snapshot} gave the error: {error}"));
        assert_eq!(
            serde_json::to_value(read).expect("an event can be written"),
            event,
            "no setting is lost, and no absent one is invented"
        );
    }
}

#[test]
fn test_ch16_unknown_events_and_fields_are_kept() {
    let known = json!({ "type": "InputRejected", "loop_id": "s.c.1", "reason": "no" });
    for (why, event, expected) in [
        (
            "an event of an unknown type is an `Other` event",
            json!({ "type": "ParallelLoopStart", "loop_id": "s.c.1", "branches": [1, 2] }),
            None,
        ),
        (
            "an unknown field stays beside the known ones",
            json!({ "type": "InputRejected", "loop_id": "s.c.1", "reason": "no", "by": "filter" }),
            Some(known),
        ),
    ] {
        let read: AgentEvent = serde_json::from_value(event.clone())
            .unwrap_or_else(|error| panic!("{why}; {event} gave the error: {error}"));
        let written = serde_json::to_value(&read).expect("an event can be written");
        assert_eq!(written, event, "{why}, and is written back unchanged");
        let rest = read
            .known()
            .map(|known| serde_json::to_value(known).unwrap());
        assert_eq!(rest, expected, "`known` is the event without unknown parts");
    }
}

#[test]
fn test_ch16_kinds_deltas_and_triggers_have_contract_json() {
    let tag = || "t".to_string();
    for (kind, json) in [
        (ContinuationKind::Initial, json!("Initial")),
        (ContinuationKind::Default, json!("Default")),
        (
            ContinuationKind::Rerun { tag: tag() },
            json!({ "Rerun": { "tag": "t" } }),
        ),
        (
            ContinuationKind::Branch { tag: tag() },
            json!({ "Branch": { "tag": "t" } }),
        ),
        (ContinuationKind::Compaction, json!("Compaction")),
    ] {
        assert_eq!(serde_json::to_value(&kind).unwrap(), json);
        assert_eq!(
            serde_json::from_value::<ContinuationKind>(json).unwrap(),
            kind
        );
    }
    for (delta, json) in [
        (text_delta("a"), json!({ "Text": { "delta": "a" } })),
        (
            StreamDelta::Thinking { delta: "a".into() },
            json!({ "Thinking": { "delta": "a" } }),
        ),
        (
            StreamDelta::ToolCallDelta { delta: "a".into() },
            json!({ "ToolCallDelta": { "delta": "a" } }),
        ),
    ] {
        assert_eq!(serde_json::to_value(&delta).unwrap(), json);
        assert_eq!(serde_json::from_value::<StreamDelta>(json).unwrap(), delta);
    }
    for word in ["User", "SubAgent", "Continuation", "Branch"] {
        let trigger: TurnTrigger = serde_json::from_value(json!(word)).unwrap();
        assert_eq!(serde_json::to_value(trigger).unwrap(), json!(word));
    }
    let old: TurnTrigger = serde_json::from_value(json!("FollowUp"))
        .unwrap_or_else(|error| panic!("old events say FollowUp for Continuation: {error}"));
    assert_eq!(old, TurnTrigger::Continuation);
}

#[test]
fn test_ch16_event_times_are_rfc_3339() {
    for (milliseconds, text) in [
        (0, "1970-01-01T00:00:00Z"),
        (TIME, "2026-01-02T03:04:05.678Z"),
        (1_000, "1970-01-01T00:00:01Z"),
    ] {
        assert_eq!(
            serde_json::to_value(event_time(milliseconds)).unwrap(),
            json!(text),
            "{milliseconds} milliseconds after 1970 began"
        );
    }
    // A wrong clock must not cause a panic.
    assert!(
        event_time(u64::MAX) > event_time(TIME),
        "the last time that there is"
    );
    let broken = json!({ "type": "InputRejected", "reason": "no" });
    let error = serde_json::from_value::<AgentEvent>(broken).expect_err("there is no loop");
    assert!(
        error.to_string().contains("loop_id"),
        "the error names the field that is missing: {error}"
    );
}

/// One event of each kind with its JSON.
pub(super) fn events_and_json() -> Vec<(AgentEvent, Value)> {
    let loop_id = || "s.c.1".to_string();
    let id = || "t1".to_string();
    let tool_name = || "bash".to_string();
    let timestamp = event_time(TIME);
    let time = "2026-01-02T03:04:05.678Z";
    let usage = Usage {
        input: 1,
        output: 2,
        total_tokens: 3,
        ..Usage::default()
    };
    let usage_json = json!({
        "input": 1, "output": 2, "reasoning": 0,
        "cache_read": 0, "cache_write": 0, "total_tokens": 3,
    });
    let user = user_text("hi");
    let user_json = json!({
        "role": "user", "content": [{ "type": "text", "text": "hi" }], "timestamp": 1,
    });
    let output = ToolExecutionResult {
        content: vec![text("ok")],
        ..ToolExecutionResult::default()
    };
    let output_json = json!({ "content": [{ "type": "text", "text": "ok" }], "details": null });
    vec![
        (
            AgentEvent::AgentStart {
                loop_id: loop_id(),
                agent_id: "a".into(),
                session_id: "s".into(),
                parent_loop_id: None,
                continuation_kind: ContinuationKind::Initial,
                config_snapshot: Some(LoopConfigSnapshot {
                    provider: "test".into(),
                    model: "m-1".into(),
                    config_id: Some("c".into()),
                    max_turns: Some(50),
                    ..LoopConfigSnapshot::default()
                }),
                timestamp,
                metadata: None,
            },
            json!({
                "type": "AgentStart", "loop_id": "s.c.1", "agent_id": "a", "session_id": "s",
                "parent_loop_id": null, "continuation_kind": "Initial", "timestamp": time,
                "metadata": null,
                "config_snapshot": {
                    "provider": "test", "model": "m-1", "config_id": "c", "max_turns": 50,
                },
            }),
        ),
        (
            AgentEvent::AgentEnd {
                loop_id: loop_id(),
                messages: vec![user.clone()],
                usage,
                timestamp,
                rejection: None,
            },
            json!({
                "type": "AgentEnd", "loop_id": "s.c.1", "messages": [user_json],
                "usage": usage_json, "timestamp": time, "rejection": null,
            }),
        ),
        (
            AgentEvent::TurnStart {
                loop_id: loop_id(),
                turn_index: 0,
                timestamp,
                triggered_by: TurnTrigger::User,
            },
            json!({
                "type": "TurnStart", "loop_id": "s.c.1", "turn_index": 0, "timestamp": time,
                "triggered_by": "User",
            }),
        ),
        (
            AgentEvent::TurnEnd {
                loop_id: loop_id(),
                message: user.clone(),
                usage,
                timestamp,
                tool_results: vec![],
            },
            json!({
                "type": "TurnEnd", "loop_id": "s.c.1", "message": user_json,
                "usage": usage_json, "timestamp": time, "tool_results": [],
            }),
        ),
        (
            AgentEvent::MessageStart {
                loop_id: loop_id(),
                message: user.clone(),
            },
            json!({ "type": "MessageStart", "loop_id": "s.c.1", "message": user_json }),
        ),
        (
            AgentEvent::MessageUpdate {
                loop_id: loop_id(),
                message: user.clone(),
                delta: text_delta("hi"),
            },
            json!({
                "type": "MessageUpdate", "loop_id": "s.c.1", "message": user_json,
                "delta": { "Text": { "delta": "hi" } },
            }),
        ),
        (
            AgentEvent::MessageEnd {
                loop_id: loop_id(),
                message: user,
            },
            json!({ "type": "MessageEnd", "loop_id": "s.c.1", "message": user_json }),
        ),
        (
            AgentEvent::ToolExecutionStart {
                loop_id: loop_id(),
                tool_call_id: id(),
                tool_name: tool_name(),
                args: json!({ "command": "ls" }),
            },
            json!({
                "type": "ToolExecutionStart", "loop_id": "s.c.1", "tool_call_id": "t1",
                "tool_name": "bash", "args": { "command": "ls" },
            }),
        ),
        (
            AgentEvent::ToolExecutionUpdate {
                loop_id: loop_id(),
                tool_call_id: id(),
                tool_name: tool_name(),
                partial_result: output.clone(),
            },
            json!({
                "type": "ToolExecutionUpdate", "loop_id": "s.c.1", "tool_call_id": "t1",
                "tool_name": "bash", "partial_result": output_json,
            }),
        ),
        (
            AgentEvent::ToolExecutionEnd {
                loop_id: loop_id(),
                tool_call_id: id(),
                tool_name: tool_name(),
                result: ToolExecutionResult {
                    child_loop_id: Some("d.sub.1".into()),
                    ..output
                },
                is_error: false,
                child_loop_id: Some("d.sub.1".into()),
            },
            json!({
                "type": "ToolExecutionEnd", "loop_id": "s.c.1", "tool_call_id": "t1",
                "tool_name": "bash", "is_error": false, "child_loop_id": "d.sub.1",
                "result": {
                    "content": [{ "type": "text", "text": "ok" }], "details": null,
                    "child_loop_id": "d.sub.1",
                },
            }),
        ),
        (
            AgentEvent::ProgressMessage {
                loop_id: loop_id(),
                tool_call_id: id(),
                tool_name: tool_name(),
                text: "half".into(),
            },
            json!({
                "type": "ProgressMessage", "loop_id": "s.c.1", "tool_call_id": "t1",
                "tool_name": "bash", "text": "half",
            }),
        ),
        (
            AgentEvent::InputRejected {
                loop_id: loop_id(),
                reason: "no".into(),
            },
            json!({ "type": "InputRejected", "loop_id": "s.c.1", "reason": "no" }),
        ),
    ]
}
