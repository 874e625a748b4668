//! The events of chapter 16 and their JSON.

use claw_code::agent::*;
use serde_json::{Value, json};

use super::support::*;

/// One event of each kind with its JSON.
pub fn events_and_json() -> Vec<(AgentEvent, Value)> {
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
                message: user.clone().into(),
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
