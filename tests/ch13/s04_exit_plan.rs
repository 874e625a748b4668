//! Section 13.4: The tool exit_plan

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use claw_code::engine::*;
use claw_code::plan::*;
use claw_code::types::*;
use serde_json::json;

use super::support::*;
use crate::support::FnTool;

/// The result of a proposal.
async fn propose(tool: &ExitPlanTool, plan: &str) -> ToolResult {
    let result = tool.call(json!({ "plan": plan })).await;
    result.expect("no failure of the tool itself")
}

#[tokio::test]
async fn test_ch13_approved_plan_ends_plan_mode() {
    let (tool, mode, reviewer) = exit_plan([PlanReview::Approved]);
    let result = propose(&tool, "1. Read.\n").await;
    assert_eq!(
        result,
        ToolResult::text(approval("1. Read.\n")),
        "the model reads which plan is approved"
    );
    assert_eq!(reviewer.plans(), ["1. Read.\n"], "the user saw the plan");
    assert!(!mode.is_on(), "the plan can be carried out");
}

#[tokio::test]
async fn test_ch13_edited_plan_is_the_approved_one() {
    let (tool, mode, _) = exit_plan([PlanReview::Edited("1. Test.\n".into())]);
    let result = propose(&tool, "1. Read.").await;
    assert_eq!(
        result,
        ToolResult::text(approval("1. Test.\n")),
        "the user's plan counts, not the model's"
    );
    assert!(!mode.is_on(), "an edit approves what the user wrote");
}

#[tokio::test]
async fn test_ch13_rejected_plan_keeps_plan_mode() {
    let reason = "leave the parser alone".to_string();
    let (tool, mode, _) = exit_plan([PlanReview::Rejected(Some(reason))]);
    let result = propose(&tool, "1. Rewrite the parser.").await;
    assert_eq!(
        result,
        ToolResult::error(
            "the user rejected the plan: leave the parser alone; change it and propose it again"
        ),
        "the model reads the user's reason"
    );
    assert!(mode.is_on(), "nothing is approved");
}

#[tokio::test]
async fn test_ch13_rejection_without_a_reason_says_who_rejected() {
    for reason in [None, Some(String::new())] {
        let (tool, mode, _) = exit_plan([PlanReview::Rejected(reason)]);
        assert_eq!(
            propose(&tool, "1. Read.").await,
            ToolResult::error("the user rejected the plan; ask what to change"),
            "no reason was given"
        );
        assert!(mode.is_on(), "nothing is approved");
    }
}

#[tokio::test]
async fn test_ch13_plan_without_a_reviewer_is_not_approved() {
    let mode = PlanMode::new(true);
    let tool = ExitPlanTool::new(mode.clone(), Arc::new(NoReviewer));
    let result = propose(&tool, "1. Read.").await;
    assert!(
        result.is_error,
        "no user can review the plan, so it is not approved: {result:?}"
    );
    assert_eq!(
        result,
        ToolResult::error(NOBODY_TO_REVIEW),
        "the model reads why, and that the user will read the plan"
    );
    assert!(mode.is_on(), "nobody has agreed");
}

#[tokio::test]
async fn test_ch13_plan_outside_of_plan_mode_is_not_reviewed() {
    let (tool, mode, reviewer) = exit_plan([PlanReview::Approved]);
    mode.leave();
    assert_eq!(
        propose(&tool, "1. Read.").await,
        ToolResult::error(NOT_PLANNING),
        "there is no plan mode to end"
    );
    assert!(reviewer.plans().is_empty(), "the user is not bothered");
    assert!(!mode.is_on(), "plan mode stays off");
}

#[tokio::test]
async fn test_ch13_edit_that_is_no_plan_is_not_approved() {
    for edit in [
        String::new(),
        " \n".to_string(),
        "x".repeat(MAX_PLAN_BYTES + 1),
    ] {
        let (tool, mode, _) = exit_plan([PlanReview::Edited(edit.clone())]);
        let result = propose(&tool, "1. Read.").await;
        let problem = check_plan(&edit).expect_err("it is no plan");
        assert_eq!(
            result,
            ToolResult::error(problem),
            "the edit does not pass check_plan"
        );
        assert!(mode.is_on(), "such an edit approves nothing");
    }
}

/// A reviewer that never answers.
struct Silent;

#[async_trait]
impl PlanReviewer for Silent {
    async fn review(&self, _plan: &str) -> PlanReview {
        std::future::pending().await
    }
}

#[tokio::test]
async fn test_ch13_cancelled_review_is_a_rejection() {
    let mode = PlanMode::new(true);
    let tool = ExitPlanTool::new(mode.clone(), Arc::new(Silent));
    tokio::select! {
        biased;
        _ = propose(&tool, "1. Read.") => panic!("nobody has answered"),
        () = tokio::task::yield_now() => {}
    }
    assert!(mode.is_on(), "nobody has agreed");
}

/// The tool `exit_plan`, and a tool `write` that counts its runs.
fn tools(tool: ExitPlanTool) -> (ToolSet, Arc<AtomicUsize>) {
    let runs = Arc::new(AtomicUsize::new(0));
    let counter = runs.clone();
    let write = FnTool::new("write", move |_| {
        counter.fetch_add(1, Ordering::SeqCst);
        async { Ok(ToolResult::text("wrote")) }
    });
    let write = write.concurrent_safe();
    (ToolSet::new().with(tool).with(write), runs)
}

#[tokio::test]
async fn test_ch13_approval_counts_for_the_calls_after_it() {
    let (tool, mode, _) = exit_plan([PlanReview::Approved]);
    let (tools, runs) = tools(tool);
    let gates: Vec<Box<dyn Gate>> = vec![Box::new(OnlyProposals(mode))];
    let calls = [
        proposal("1. Write."),
        call("write", json!({})),
        call("write", json!({})),
    ];
    let results = dispatch(tools, gates, calls).await;
    assert_eq!(
        results[0].content,
        approval("1. Write."),
        "the plan is approved"
    );
    assert_eq!(
        runs.load(Ordering::SeqCst),
        2,
        "plan mode was over for both"
    );
}

#[tokio::test]
async fn test_ch13_calls_before_the_approval_do_not_run() {
    let (tool, mode, _) = exit_plan([PlanReview::Approved]);
    let (tools, runs) = tools(tool);
    let gates: Vec<Box<dyn Gate>> = vec![Box::new(OnlyProposals(mode))];
    let calls = [call("write", json!({})), proposal("1. Write.")];
    let results = dispatch(tools, gates, calls).await;
    assert_eq!(
        results[1].content,
        approval("1. Write."),
        "the plan is approved"
    );
    assert_eq!(runs.load(Ordering::SeqCst), 0, "plan mode was on for it");
}

#[tokio::test]
async fn test_ch13_second_plan_of_a_reply_is_not_reviewed() {
    let (tool, mode, reviewer) = exit_plan([PlanReview::Approved, PlanReview::Approved]);
    let (tools, _) = tools(tool);
    let gates: Vec<Box<dyn Gate>> = vec![Box::new(OnlyProposals(mode))];
    let calls = [proposal("1. Write."), proposal("2. Write more.")];
    let results = dispatch(tools, gates, calls).await;
    assert_eq!(results[0].content, approval("1. Write."), "approved");
    assert!(results[1].is_error, "plan mode was over: {results:?}");
    assert_eq!(reviewer.plans(), ["1. Write."], "one plan, one review");
}
