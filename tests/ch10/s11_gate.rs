//! Section 10.11: The gate

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use claw_code::engine::*;
use claw_code::permission::*;
use claw_code::tools::DynamicTool;
use claw_code::types::*;
use serde_json::json;

use super::support::*;
use crate::support::FnTool;

#[tokio::test]
async fn test_ch10_allowed_call_passes_without_a_question() {
    let (gate, approver) = gate([allow("bash")], []);
    assert_eq!(
        gate.check(&bash("ls"), &tool("bash")).await,
        Ok(()),
        "a rule allows it"
    );
    assert_eq!(approver.questions(), [], "nobody was asked");
}

#[tokio::test]
async fn test_ch10_denied_call_is_refused_without_a_question() {
    let (gate, approver) = gate([deny("bash")], [Answer::Yes(Approval::Once)]);
    let reason = gate.check(&bash("ls"), &tool("bash").read_only()).await;
    let reason = reason.expect_err("a rule denies it");
    let Permission::Deny(expected) = engine(PermissionMode::Default, [deny("bash")])
        .evaluate(&bash("ls"), &tool("bash"))
        .permission
    else {
        panic!("a rule denies it");
    };
    assert_eq!(reason, expected, "the reason is the engine's, unchanged");
    assert!(
        reason.starts_with("the rule `bash` denies this call"),
        "the reason names the rule: {reason}"
    );
    assert_eq!(approver.questions(), [], "nobody was asked");
}

#[tokio::test]
async fn test_ch10_question_has_the_call_and_the_offered_rule() {
    let (gate, approver) = gate([], [Answer::Yes(Approval::Once)]);
    let checked = gate.check(&bash("cargo test"), &tool("bash")).await;
    assert_eq!(checked, Ok(()), "the user agreed");
    let expected = Question {
        call: bash("cargo test"),
        text: "Allow [bash: cargo test]?".into(),
        offer: Offer::ThisTool("bash(cargo test)".into()),
    };
    assert_eq!(approver.questions(), [expected], "one question");
}

#[tokio::test]
async fn test_ch10_approved_call_is_not_asked_about_again() {
    for (approval, second) in [
        (Approval::ThisTool, "src/b.rs"),
        (Approval::ThisCall, "src/a.rs"),
    ] {
        let (gate, approver) = gate([], [Answer::Yes(approval)]);
        for path in ["src/a.rs", second] {
            let checked = gate.check(&edit(path), &tool("edit")).await;
            assert_eq!(checked, Ok(()), "{path} is approved by {approval:?}");
        }
        assert_eq!(approver.questions().len(), 1, "the second call is covered");
    }
}

#[tokio::test]
async fn test_ch10_risky_call_has_no_offered_rule() {
    let check = FixedCheck(Assessment::Risky("It sends data.".into()));
    let engine = PermissionEngine::builder(project_rules([]));
    let approver = Arc::new(ScriptedApprover::new([Answer::Yes(Approval::Once)]));
    let gate = PermissionGate::new(Arc::new(engine.check(check).build()), approver.clone());
    let checked = gate.check(&bash("ls"), &tool("bash")).await;
    assert_eq!(checked, Ok(()), "the user agreed");
    let expected = Question {
        call: bash("ls"),
        text: "Allow [bash: ls]? It sends data.".into(),
        offer: Offer::ThisCall,
    };
    assert_eq!(
        approver.questions(),
        [expected],
        "the check's question; an approved rule would not cover this call"
    );
}

#[tokio::test]
async fn test_ch10_invalid_arguments_have_no_offered_rule() {
    let schema = json!({ "type": "object", "properties": { "command": { "type": "string" } },
                         "required": ["command"] });
    let bash = DynamicTool::new("bash", "Runs.", schema, |_| async {
        Ok(ToolResult::text("ran"))
    });
    let (gate, approver) = gate([], [Answer::Yes(Approval::Once)]);
    let checked = gate.check(&call("bash", json!({})), &bash).await;
    assert_eq!(checked, Ok(()), "the user agreed");
    assert_eq!(
        approver.questions().first().map(|question| &question.offer),
        Some(&Offer::ThisCall),
        "the call lacks its command, so no rule fits it: `bash(**)` would cover `reboot`"
    );
}

#[tokio::test]
async fn test_ch10_gate_remembers_no_more_than_the_answer() {
    for (answer, second) in [
        (Answer::Yes(Approval::Once), "src/a.rs"),
        (Answer::Yes(Approval::ThisCall), "src/b.rs"),
        (Answer::No(None), "src/a.rs"),
    ] {
        let (gate, approver) = gate([], [answer.clone(), Answer::No(None)]);
        let _ = gate.check(&edit("src/a.rs"), &tool("edit")).await;
        let checked = gate.check(&edit(second), &tool("edit")).await;
        assert!(
            checked.is_err(),
            "{answer:?} for src/a.rs does not allow a later call for {second}"
        );
        assert_eq!(approver.questions().len(), 2, "a question each time");
    }
}

#[tokio::test]
async fn test_ch10_refusal_tells_the_model_the_users_reason() {
    for (reason, expected) in [
        (
            Some("use cargo nextest".into()),
            "the user refused this call: use cargo nextest",
        ),
        (None, "the user refused this call"),
    ] {
        let (gate, _) = gate([], [Answer::No(reason)]);
        let refused = gate.check(&bash("cargo test"), &tool("bash")).await;
        assert_eq!(
            refused,
            Err(expected.into()),
            "who refused, and the reason if there is one"
        );
    }
}

#[tokio::test]
async fn test_ch10_question_without_a_user_is_a_refusal() {
    let engine = Arc::new(engine(PermissionMode::Default, []));
    let gate = PermissionGate::new(engine, Arc::new(NoApprover));
    let refused = gate.check(&bash("ls"), &tool("bash")).await;
    assert_eq!(refused, Err(NOBODY_TO_ASK.into()), "nobody can answer");
}

/// Runs calls through chapter 4's dispatcher with a permission gate, and counts the runs.
async fn dispatch(gates: Vec<Box<dyn Gate>>, calls: &mut [OpenCall]) -> usize {
    let runs = Arc::new(AtomicUsize::new(0));
    let counter = runs.clone();
    let counting = FnTool::new("bash", move |_| {
        counter.fetch_add(1, Ordering::SeqCst);
        async { Ok(ToolResult::text("ran")) }
    });
    let dispatcher = Dispatcher {
        tools: ToolSet::new().with(counting.concurrent_safe()),
        gates,
        max_result_bytes: 1000,
        max_concurrent: 8,
    };
    dispatcher.dispatch(calls, &QueryEventSender::none()).await;
    runs.load(Ordering::SeqCst)
}

#[tokio::test]
async fn test_ch10_refused_call_does_not_run() {
    let (gate, _) = gate([deny("bash(rm *)"), allow("bash")], []);
    let mut calls = [OpenCall::new(bash("rm x")), OpenCall::new(bash("ls"))];
    assert_eq!(
        dispatch(vec![Box::new(gate)], &mut calls).await,
        1,
        "only `ls` ran"
    );
    let CallState::Answered(refused) = &calls[0].state else {
        panic!("every call has a result; the state is {:?}", calls[0].state);
    };
    assert!(refused.is_error, "the model learns that the call failed");
}

#[tokio::test]
async fn test_ch10_calls_that_run_together_are_asked_about_in_order() {
    let yes = || Answer::Yes(Approval::Once);
    let (gate, approver) = gate([], [yes(), yes(), yes()]);
    let mut calls = ["a", "b", "c"].map(|command| OpenCall::new(bash(command)));
    assert_eq!(
        dispatch(vec![Box::new(gate)], &mut calls).await,
        3,
        "all were approved"
    );
    let asked: Vec<_> = approver
        .questions()
        .iter()
        .map(|it| it.call.clone())
        .collect();
    assert_eq!(
        asked,
        ["a", "b", "c"].map(bash),
        "one question each, in call order"
    );
}

/// A hook that replaces every command.
struct Rewrite(&'static str);

#[async_trait]
impl Gate for Rewrite {
    async fn before(&self, _call: &ToolCall, _tool: &dyn Tool) -> claw_code::engine::Decision {
        claw_code::engine::Decision::Change {
            arguments: Some(json!({ "command": self.0 })),
            context: None,
        }
    }
}

#[tokio::test]
async fn test_ch10_rewritten_arguments_are_judged_again() {
    let (gate, _) = gate([deny("bash(rm *)"), allow("bash")], []);
    let mut calls = [OpenCall::new(bash("ls"))];
    let gates: Vec<Box<dyn Gate>> = vec![Box::new(gate), Box::new(Rewrite("rm -rf ."))];
    assert_eq!(
        dispatch(gates, &mut calls).await,
        0,
        "`ls` was allowed, and `rm` would have run"
    );
}

/// An approver that never answers.
struct Silent;

#[async_trait]
impl Approver for Silent {
    async fn ask(&self, _question: Question) -> Answer {
        std::future::pending().await
    }
}

#[tokio::test]
async fn test_ch10_cancelled_question_is_a_refusal() {
    let engine = Arc::new(engine(PermissionMode::Default, []));
    let gate = PermissionGate::new(engine, Arc::new(Silent));
    let mut calls = [OpenCall::new(bash("ls"))];
    tokio::select! {
        biased;
        _ = dispatch(vec![Box::new(gate)], &mut calls) => panic!("nobody has answered"),
        () = tokio::task::yield_now() => {}
    }
    assert_eq!(calls[0].state, CallState::Waiting, "the call never started");
    assert!(
        calls[0].finalize(1000).is_error,
        "its result says that it did not run"
    );
}
