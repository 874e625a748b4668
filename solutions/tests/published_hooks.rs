//! Hooks as people write them, unchanged: on the Python library cchooks, and as shell scripts.

#![cfg(unix)]

#[path = "../../offline/tests/main/clients/python.rs"]
mod python;
#[path = "../../offline/tests/main/clients/skip.rs"]
mod skip;
#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../../tests/support/temp_folder.rs"]
mod temp_folder;

use std::path::Path;
use std::time::{Duration, Instant};

use claw_code_solutions::hooks::*;
use claw_code_solutions::tools::Registry;
use claw_code_solutions::types::{PermissionMode, ToolCall, ToolResult};
use python::python;
use serde_json::{Value, json};
use skip::report_skip;
use temp_folder::TempFolder;

/// The hooks of a folder, with one command for each event.
fn hooks(folder: &Path, commands: &[(&str, String)]) -> Hooks {
    let session = HookSession {
        session_id: "session-1".into(),
        transcript_path: String::new(),
        cwd: folder.to_path_buf(),
        permission_mode: "default",
    };
    let mut events = json!({});
    for (event, command) in commands {
        let hook = json!({ "type": "command", "command": command, "timeout": 60 });
        events[event] = json!([{ "matcher": "", "hooks": [hook] }]);
    }
    let (mut hooks, _) = Hooks::new(session);
    let settings = json!({ "hooks": events }).to_string();
    let warnings = hooks.add_settings(&settings).expect("valid settings");
    assert_eq!(warnings, [] as [String; 0], "every event is known");
    hooks
}

/// One event of each kind.
fn events() -> Vec<HookEvent> {
    let text = || "hello".to_string();
    let input = || json!({ "command": "ls" });
    vec![
        HookEvent::PreToolUse {
            tool_name: "Bash".into(),
            tool_input: input(),
            tool_use_id: "call_1".into(),
        },
        HookEvent::PostToolUse {
            tool_name: "Bash".into(),
            tool_input: input(),
            tool_response: json!({ "content": "a.txt", "success": true }),
            tool_use_id: "call_1".into(),
        },
        HookEvent::UserPromptSubmit { prompt: text() },
        HookEvent::SessionStart {
            source: "startup".into(),
        },
        HookEvent::SessionEnd {
            reason: "other".into(),
        },
        HookEvent::PreCompact {
            trigger: "auto".into(),
            custom_instructions: String::new(),
        },
        HookEvent::Stop {
            stop_hook_active: false,
            last_assistant_message: text(),
        },
        HookEvent::SubagentStop {
            stop_hook_active: false,
            agent_id: "agent-1".into(),
            agent_type: "worker".into(),
            last_assistant_message: text(),
        },
        HookEvent::Notification {
            message: text(),
            notification_type: "permission_prompt".into(),
        },
    ]
}

/// What the hook of an event does, and the answer that it stands for.
fn cases() -> Vec<(&'static str, &'static str, HookAnswer)> {
    let nothing = HookAnswer::default;
    let decides = |decision| HookAnswer {
        decision: Some(decision),
        ..HookAnswer::default()
    };
    let denies = |reason: &str| decides(HookDecision::Deny(reason.into()));
    let adds = |context: &str| HookAnswer::with_context(context);
    let rewrite = HookAnswer {
        updated_input: json!({ "command": "ls -a" }).as_object().cloned(),
        ..decides(HookDecision::Allow)
    };
    let halt = HookAnswer {
        stop: Some("the build is broken".into()),
        ..HookAnswer::default()
    };
    vec![
        ("PreToolUse", "allow", decides(HookDecision::Allow)),
        ("PreToolUse", "deny", denies("not on Fridays")),
        (
            "PreToolUse",
            "ask",
            decides(HookDecision::Ask("Production?".into())),
        ),
        ("PreToolUse", "rewrite", rewrite),
        ("PreToolUse", "block", denies("blocked by code")),
        ("PreToolUse", "halt", halt.clone()),
        ("PreToolUse", "success", nothing()),
        ("PostToolUse", "challenge", denies("look again at a.txt")),
        ("PostToolUse", "context", adds("on main")),
        ("PostToolUse", "block", denies("blocked by code")),
        ("UserPromptSubmit", "block-prompt", denies("no: hello")),
        ("UserPromptSubmit", "context", adds("on main")),
        ("UserPromptSubmit", "success", adds("done")),
        ("SessionStart", "context", adds("on main")),
        ("SessionEnd", "success", nothing()),
        ("PreCompact", "acknowledge", nothing()),
        ("Stop", "prevent", denies("run the tests")),
        ("Stop", "halt", halt),
        ("SubagentStop", "prevent", denies("run the tests")),
        ("Notification", "acknowledge", nothing()),
    ]
}

#[tokio::test]
async fn hooks_written_on_cchooks_run_unchanged() {
    let python = match tokio::task::spawn_blocking(python).await {
        Ok(Ok(python)) => python,
        Ok(Err(reason)) => return report_skip("packages of Python", &reason),
        Err(error) => panic!("{error}"),
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/published_hooks.py");
    let command = |answer: &str| format!("'{}' '{}' {answer}", python.display(), script.display());
    let folder = TempFolder::new();
    for (event_name, answer, expected) in cases() {
        let hooks = hooks(folder.path(), &[(event_name, command(answer))]);
        let event = events().into_iter().find(|it| it.name() == event_name);
        let given = hooks.raise(event.expect("one of each kind")).await;
        assert_eq!(given, expected, "{event_name}: {answer}");
    }
    let hooks = hooks(folder.path(), &[("PreToolUse", command("warn"))]);
    let given = hooks.raise(events().remove(0)).await;
    assert_eq!(given.decision, None, "exit code 1 does not block");
    assert!(
        given.messages[0].ends_with("exit code 1: a warning"),
        "the user reads it: {given:?}"
    );
}

/// A script as the documentation of published hooks shows it, without `jq`.
const GUARD: &str = r#"#!/bin/sh
# Blocks destructive commands.
input=$(cat)
case "$input" in
  *'"tool_name":"Bash"'*'rm -rf'*)
    echo "Blocked: rm -rf is not allowed" >&2
    exit 2
    ;;
esac
exit 0
"#;

#[tokio::test]
async fn shell_scripts_run_unchanged() {
    let folder = TempFolder::with_files(&[(".claude/hooks/guard.sh", GUARD)]);
    let script = folder.path().join(".claude/hooks/guard.sh");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(script, mode).expect("the file exists");
    let command = "\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/guard.sh".to_string();
    let hooks = hooks(folder.path(), &[("PreToolUse", command)]);
    let bash = |command: &str| HookEvent::PreToolUse {
        tool_name: "Bash".into(),
        tool_input: json!({ "command": command }),
        tool_use_id: "call_1".into(),
    };
    let answer = hooks.raise(bash("ls")).await;
    assert_eq!(answer, HookAnswer::default(), "it has no objection");
    let answer = hooks.raise(bash("rm -rf build")).await;
    let reason = HookDecision::Deny("Blocked: rm -rf is not allowed".into());
    assert_eq!(
        answer.decision,
        Some(reason),
        "standard error is the reason"
    );
}

#[tokio::test]
async fn every_event_is_one_line_of_json() {
    for event in events() {
        let folder = TempFolder::new();
        let hooks = hooks(folder.path(), &[(event.name(), "cat >input".into())]);
        hooks.raise(event.clone()).await;
        let input: Value = serde_json::from_str(&folder.read("input")).expect("JSON");
        assert_eq!(input["hook_event_name"], event.name(), "{input}");
        assert_eq!(input["session_id"], "session-1", "{input}");
        assert!(!folder.read("input").contains('\n'), "one line: {input}");
    }
}

/// The kill does not reach a process in a session of its own, which can hold the output open.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn process_that_left_the_group_delays_an_answer_by_the_grace_period_only() {
    let folder = TempFolder::new();
    let command = "setsid sleep 20 & echo left; exit 2".to_string();
    let hooks = hooks(folder.path(), &[("PreToolUse", command)]);
    let start = Instant::now();
    let answer = hooks.raise(events().remove(0)).await;
    assert_eq!(
        answer.decision,
        Some(HookDecision::Deny(NO_REASON.into())),
        "the exit code counts"
    );
    assert!(
        start.elapsed() < OUTPUT_GRACE + Duration::from_secs(10),
        "nobody waits for the 20 s: {:?}",
        start.elapsed()
    );
}

#[test]
fn names_are_those_of_published_hooks() {
    let tools = [
        ("bash", "Bash"),
        ("edit", "Edit"),
        ("glob", "Glob"),
        ("grep", "Grep"),
        ("list", "LS"),
        ("multi_edit", "MultiEdit"),
        ("read", "Read"),
        ("write", "Write"),
        ("mcp__web__fetch", "mcp__web__fetch"),
    ];
    for (own, published) in tools {
        assert_eq!(published_name(own), published);
    }
    let modes = [
        (PermissionMode::Default, "default"),
        (PermissionMode::Auto, "auto"),
        (PermissionMode::Plan, "plan"),
        (PermissionMode::DontAsk, "dontAsk"),
        (PermissionMode::Bypass, "bypassPermissions"),
    ];
    for (mode, published) in modes {
        assert_eq!(published_mode(&mode), published);
    }
    for event in events() {
        assert!(HookEvent::NAMES.contains(&event.name()), "{event:?}");
    }
    let registry = Registry::standard(".").expect("the standard tools");
    for name in registry.names() {
        assert_ne!(
            published_name(name),
            name,
            "every tool has a published name"
        );
    }
}

#[test]
fn a_command_has_its_output_where_published_hooks_read_it() {
    let call = ToolCall {
        id: "call_1".into(),
        name: "bash".into(),
        arguments: json!({ "command": "ls" }),
    };
    let input = published_input(&call, Path::new("/work"));
    let response = published_response(&input, &call, &ToolResult::text("a.txt"));
    let expected = json!({
        "content": "a.txt",
        "success": true,
        "stdout": "a.txt",
        "stderr": "",
        "interrupted": false,
    });
    assert_eq!(response, expected);
}
