//! Section 12.1: Events as JSON

use std::path::Path;

use claw_code::hooks::*;
use serde_json::json;

use super::support::*;
use crate::support::{assert_json, to_json};

#[test]
fn test_ch12_event_has_its_name_beside_its_fields() {
    assert_json(
        "the variant's name is the value of `hook_event_name`",
        &to_json(&before_bash("ls")),
        &json!({
            "hook_event_name": "PreToolUse",
            "tool_name": "Bash",
            "tool_input": { "command": "ls" },
            "tool_use_id": "call_1",
        }),
    );
}

#[test]
fn test_ch12_input_is_one_object() {
    let input = HookInput {
        session: session(Path::new("/work/app")),
        event: prompt("hello"),
    };
    assert_json(
        "the fields of the session and of the event are side by side",
        &to_json(&input),
        &json!({
            "session_id": "session-1",
            "transcript_path": "",
            "cwd": "/work/app",
            "permission_mode": "default",
            "hook_event_name": "UserPromptSubmit",
            "prompt": "hello",
        }),
    );
}

#[test]
fn test_ch12_subject_of_a_call_is_the_tool() {
    for event in [before_bash("ls"), after_bash()] {
        assert_eq!(
            event.subject(),
            Some("Bash"),
            "matchers select tools: {event:?}"
        );
    }
}

#[test]
fn test_ch12_other_events_have_subjects_of_their_own() {
    let events = [
        HookEvent::SessionStart { source: "s".into() },
        HookEvent::SessionEnd { reason: "s".into() },
        HookEvent::PreCompact {
            trigger: "s".into(),
            custom_instructions: "no".into(),
        },
        HookEvent::SubagentStop {
            stop_hook_active: false,
            agent_id: "no".into(),
            agent_type: "s".into(),
            last_assistant_message: "no".into(),
        },
        HookEvent::Notification {
            message: "no".into(),
            notification_type: "s".into(),
        },
    ];
    for event in events {
        assert_eq!(event.subject(), Some("s"), "the subject of {event:?}");
    }
}

#[test]
fn test_ch12_prompt_and_stop_have_no_subject() {
    for event in [prompt("hello"), stop()] {
        assert_eq!(event.subject(), None, "nothing to match in {event:?}");
    }
}
