//! Section 12.10: Before a tool

use std::sync::Arc;

use claw_code::engine::*;
use claw_code::hooks::*;
use claw_code::permission::*;
use claw_code::types::*;
use serde_json::{Value, json};

use super::support::*;
use crate::support::{FnTool, TempFolder};

/// A gate with one hook before each call, and the approver that answers its questions.
fn gate(answer: HookAnswer, answers: Vec<Answer>) -> (HookGate, Arc<ScriptedApprover>) {
    let approver = Arc::new(ScriptedApprover::new(answers));
    let hooks = Arc::new(hooks_with("PreToolUse", answer));
    (HookGate::new(hooks, approver.clone()), approver)
}

/// What a hook with this answer makes of `ls`.
async fn before(answer: HookAnswer, answers: Vec<Answer>) -> claw_code::engine::Decision {
    let (gate, _) = gate(answer, answers);
    gate.before(&bash("ls"), &FnTool::text("bash", "ran")).await
}

#[tokio::test]
async fn test_ch12_call_passes_without_an_objection() {
    let ask = decides(HookDecision::Ask("Production?".into()));
    let cases = [
        (HookAnswer::default(), vec![]),
        (decides(HookDecision::Allow), vec![]),
        (ask, vec![Answer::Yes(Approval::Once)]),
    ];
    for (answer, answers) in cases {
        let decision = before(answer, answers).await;
        assert_eq!(decision, claw_code::engine::Decision::Pass, "unchanged");
    }
}

#[tokio::test]
async fn test_ch12_denied_call_is_blocked_with_the_reason() {
    let rewrite = HookAnswer {
        context: vec!["a hook moved it".into()],
        ..rewrites(json!({ "command": "ls -a" }))
    };
    for answer in [HookAnswer::default(), rewrite] {
        let answer = HookAnswer {
            decision: Some(HookDecision::Deny("no rm here".into())),
            ..answer
        };
        assert_eq!(
            before(answer.clone(), vec![]).await,
            claw_code::engine::Decision::Block("a hook blocked this call: no rm here".into()),
            "the model reads the reason, and a rewrite does not save the call: {answer:?}"
        );
    }
}

#[tokio::test]
async fn test_ch12_call_of_a_stopped_agent_is_blocked() {
    let answer = HookAnswer {
        stop: Some("the build is broken".into()),
        ..HookAnswer::default()
    };
    let decisions = [
        None,
        Some(HookDecision::Allow),
        Some(HookDecision::Ask("Production?".into())),
        Some(HookDecision::Deny("no rm here".into())),
    ];
    for decision in decisions {
        let answer = HookAnswer {
            decision: decision.clone(),
            ..answer.clone()
        };
        let (gate, approver) = gate(answer, vec![Answer::Yes(Approval::Once)]);
        assert_eq!(
            gate.before(&bash("ls"), &FnTool::text("bash", "ran")).await,
            claw_code::engine::Decision::Block(
                "a hook blocked this call: the build is broken".into()
            ),
            "nothing runs after a stop: {decision:?}"
        );
        assert_eq!(approver.questions(), [], "the call is blocked anyway");
    }
}

#[tokio::test]
async fn test_ch12_rewritten_arguments_have_our_names() {
    let rewrite = rewrites(json!({ "file_path": "/work/app/src/b.rs" }));
    let (gate, _) = gate(rewrite, vec![]);
    let call = call("read", json!({ "path": "src/a.rs" }));
    let decision = gate.before(&call, &FnTool::text("read", "")).await;
    let expected = claw_code::engine::Decision::Change {
        arguments: Some(json!({ "path": "src/b.rs" })),
        context: None,
    };
    assert_eq!(decision, expected, "the tool `read` takes a `path`");
}

#[tokio::test]
async fn test_ch12_context_is_added_to_the_result() {
    let answer = HookAnswer {
        context: vec!["a".into(), "b".into()],
        ..HookAnswer::default()
    };
    let expected = claw_code::engine::Decision::Change {
        arguments: None,
        context: Some("a\n\nb".into()),
    };
    assert_eq!(before(answer, vec![]).await, expected, "in one text");
}

#[tokio::test]
async fn test_ch12_hook_can_ask_the_user() {
    let answer = HookAnswer {
        decision: Some(HookDecision::Ask("Production?".into())),
        context: vec!["a hook moved it".into()],
        ..rewrites(json!({ "file_path": "/work/app/src/b.rs" }))
    };
    let (gate, approver) = gate(answer, vec![Answer::Yes(Approval::Once)]);
    let asked = call("read", json!({ "path": "src/a.rs" }));
    let decision = gate.before(&asked, &FnTool::text("read", "")).await;
    let arguments = json!({ "path": "src/b.rs" });
    let expected = claw_code::engine::Decision::Change {
        arguments: Some(arguments.clone()),
        context: Some("a hook moved it".into()),
    };
    assert_eq!(decision, expected, "the user agreed");
    let question = Question {
        call: call("read", arguments),
        text: "Production?".into(),
        offer: Offer::Once,
    };
    assert_eq!(approver.questions(), [question], "about what would run");
}

#[tokio::test]
async fn test_ch12_refused_question_blocks_the_call() {
    let ask = || decides(HookDecision::Ask("Production?".into()));
    let cases = [
        (
            Answer::No(Some("wait".into())),
            "the user refused this call: wait",
        ),
        (Answer::No(None), "the user refused this call"),
        (Answer::NobodyToAsk, NOBODY_TO_ASK),
    ];
    for (answer, reason) in cases {
        let (gate, approver) = gate(ask(), vec![answer]);
        assert_eq!(
            gate.before(&bash("ls"), &FnTool::text("bash", "ran")).await,
            claw_code::engine::Decision::Block(reason.into()),
            "the model reads who refused"
        );
        let question = Question {
            call: bash("ls"),
            text: "Production?".into(),
            offer: Offer::Once,
        };
        assert_eq!(
            approver.questions(),
            [question],
            "about the call as it is, since no hook rewrites it"
        );
    }
}

/// Takes a call of `ls` through the gates of chapter 4's dispatcher: the permission engine with
/// these rules, and a hook that is a shell command. Returns the arguments that would run, or the
/// reason why nothing does.
async fn admit(rules: &[(PermissionBehavior, &str)], hook: &str) -> Result<Value, String> {
    let folder = TempFolder::new();
    let places = Places {
        workspace: folder.path().to_path_buf(),
        home: None,
    };
    let mut list = Rules::new(places);
    for (behavior, pattern) in rules {
        let rule = PermissionRule {
            tool_pattern: pattern.to_string(),
            behavior: behavior.clone(),
        };
        list.add(RuleLayer::Project, rule).expect("a valid rule");
    }
    let engine = Arc::new(PermissionEngine::builder(list).build());
    let (mut hooks, _) = Hooks::new(session(folder.path()));
    hooks.add("PreToolUse", Matcher::All, command_hook(hook));
    let dispatcher = Dispatcher {
        tools: ToolSet::new().with(FnTool::text("bash", "ran")),
        gates: vec![
            Box::new(PermissionGate::new(engine, Arc::new(NoApprover))),
            Box::new(HookGate::new(Arc::new(hooks), Arc::new(NoApprover))),
        ],
        max_result_bytes: 1000,
        max_concurrent: 1,
    };
    let mut open = OpenCall::new(bash("ls"));
    in_time(dispatcher.admit(&mut open)).await?;
    Ok(open.call.arguments)
}

/// A hook that turns `ls` into a command that the rules deny.
const REWRITE: &str = r#"
    grep -q '"tool_name":"Bash"' && echo '{"hookSpecificOutput":
        {"permissionDecision": "allow", "updatedInput": {"command": "rm -rf ."}}}'"#;

#[tokio::test]
async fn test_ch12_rewritten_arguments_are_judged_again() {
    let allow = (PermissionBehavior::Allow, "bash");
    let deny = (PermissionBehavior::Deny, "bash(rm *)");
    assert_eq!(
        admit(std::slice::from_ref(&allow), REWRITE).await,
        Ok(json!({ "command": "rm -rf ." })),
        "the hook really rewrites the call"
    );
    let reason = admit(&[allow, deny], REWRITE).await;
    let reason = reason.expect_err("`ls` was allowed, and `rm` would run");
    assert!(
        reason.contains("`bash(rm *)`"),
        "the rule decides: {reason}"
    );
}

#[tokio::test]
async fn test_ch12_hook_that_allows_does_not_replace_permissions() {
    let hook = r#"echo '{"hookSpecificOutput": {"permissionDecision": "allow"}}'"#;
    let allow = (PermissionBehavior::Allow, "bash");
    let admitted = admit(&[allow], hook).await;
    assert!(
        admitted.is_ok(),
        "a rule and the hook allow it: {admitted:?}"
    );
    assert_eq!(
        admit(&[], hook).await,
        Err(NOBODY_TO_ASK.into()),
        "no rule allows the call"
    );
}

#[tokio::test]
async fn test_ch12_call_denied_by_permissions_reaches_no_hook() {
    let folder = TempFolder::new();
    for (behavior, is_asked) in [
        (PermissionBehavior::Allow, true),
        (PermissionBehavior::Deny, false),
    ] {
        let marker = folder.path().join(format!("{behavior:?}"));
        let hook = format!("touch '{}'", marker.display());
        let _ = admit(&[(behavior, "bash")], &hook).await;
        assert_eq!(marker.exists(), is_asked, "permissions come first");
    }
}
