//! Section 12.11: After a tool

use std::sync::Arc;

use claw_code::engine::Gate;
use claw_code::hooks::*;
use claw_code::permission::NoApprover;
use claw_code::types::ToolResult;
use serde_json::json;

use super::support::*;
use crate::support::TempFolder;

/// The text that hooks with this answer add to a result.
async fn after(answer: HookAnswer, result: ToolResult) -> Option<String> {
    let hooks = Arc::new(hooks_with("PostToolUse", answer));
    let gate = HookGate::new(hooks, Arc::new(NoApprover));
    gate.after(&bash("ls"), &result).await
}

#[tokio::test]
async fn test_ch12_silent_hook_adds_nothing_to_a_result() {
    let stop = HookAnswer {
        stop: Some("it is late".into()),
        messages: vec!["see CI".into()],
        ..HookAnswer::default()
    };
    for answer in [
        HookAnswer::default(),
        decides(HookDecision::Ask("ok?".into())),
        stop,
    ] {
        let text = after(answer.clone(), ToolResult::text("ran")).await;
        assert_eq!(
            text, None,
            "without a denial and a context, nothing is said to the model: {answer:?}"
        );
    }
}

#[tokio::test]
async fn test_ch12_reason_and_context_are_added_to_a_result() {
    let ask = decides(HookDecision::Ask("ok?".into()));
    let stop = HookAnswer {
        stop: Some("it is late".into()),
        ..denies("not formatted")
    };
    let cases = [
        (
            denies("not formatted"),
            vec!["see docs/api.md"],
            "not formatted\n\nsee docs/api.md",
        ),
        (denies("not formatted"), vec![], "not formatted"),
        (HookAnswer::default(), vec!["a", "b"], "a\n\nb"),
        (ask, vec!["a"], "a"),
        (stop, vec!["a"], "not formatted\n\na"),
    ];
    for (answer, context, expected) in cases {
        let answer = HookAnswer {
            context: context.into_iter().map(String::from).collect(),
            ..answer
        };
        assert_eq!(
            after(answer.clone(), ToolResult::text("ran")).await,
            Some(expected.into()),
            "the tool has run, so a hook can only comment: the reason of a denial, then the \
             contexts, with an empty line between them: {answer:?}"
        );
    }
}

#[tokio::test]
async fn test_ch12_failed_call_raises_no_event() {
    let folder = TempFolder::new();
    let marker = folder.path().join("raised");
    let failed = ToolResult {
        content: "no such file".into(),
        ..ToolResult::error("")
    };
    for (result, is_raised) in [
        (failed, false),
        (ToolResult::text("error: 3 warnings"), true),
    ] {
        let (mut hooks, _) = Hooks::new(session(folder.path()));
        let hook = command_hook("touch raised");
        hooks.add("PostToolUse", Matcher::All, hook);
        let gate = HookGate::new(Arc::new(hooks), Arc::new(NoApprover));
        in_time(gate.after(&bash("ls"), &result)).await;
        assert_eq!(
            marker.exists(),
            is_raised,
            "`PostToolUse` means success, and `is_error` says whether the call failed: {result:?}"
        );
    }
}

#[tokio::test]
async fn test_ch12_hook_reads_the_call_and_its_result() {
    let folder = TempFolder::new();
    let (mut hooks, _) = Hooks::new(session(folder.path()));
    let hook = command_hook("cat >input.json");
    hooks.add("PostToolUse", Matcher::All, hook);
    let gate = HookGate::new(Arc::new(hooks), Arc::new(NoApprover));
    let call = call("write", json!({ "path": "a.txt", "content": "x" }));
    in_time(gate.after(&call, &ToolResult::text("Wrote a.txt"))).await;
    let input: serde_json::Value =
        serde_json::from_str(&folder.read("input.json")).expect("the input is JSON");
    let path = folder.path().join("a.txt").display().to_string();
    let expected = json!({
        "session_id": "session-1",
        "transcript_path": "",
        "cwd": folder.path(),
        "permission_mode": "default",
        "hook_event_name": "PostToolUse",
        "tool_name": "Write",
        "tool_input": { "file_path": path, "content": "x" },
        "tool_response": { "content": "Wrote a.txt", "success": true, "filePath": path },
        "tool_use_id": "call_1",
    });
    assert_eq!(input, expected, "by the published names");
}
