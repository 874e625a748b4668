//! The tool `exit_plan`, which proposes a plan to the user.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;

use super::{PlanMode, PlanReview, PlanReviewer, approval_text, check_plan};
use crate::types::{Tool, ToolDefinition, ToolResult, ValidationResult};

/// The name of the tool.
pub const EXIT_PLAN: &str = "exit_plan";

/// The code of a [`ValidationResult`] for a plan that [`check_plan`] refuses.
const BAD_PLAN: u32 = 3;

/// The error of a plan that is proposed while plan mode is off.
pub const NOT_PLANNING: &str =
    "plan mode is off, so no plan needs approval; do what the user asked for";

/// The error of a plan that no user can review.
pub const NOBODY_TO_REVIEW: &str = "this session has no user who could review the plan, so plan \
    mode stays on; the user will read the plan later: end your turn";

/// Proposes a plan to the user, and ends plan mode if the user approves it.
pub struct ExitPlanTool {
    definition: ToolDefinition,
    mode: PlanMode,
    reviewer: Arc<dyn PlanReviewer>,
}

impl ExitPlanTool {
    /// The tool `exit_plan` for a session, with the reviewer of its plans. It takes the string
    /// `plan`.
    pub fn new(mode: PlanMode, reviewer: Arc<dyn PlanReviewer>) -> Self {
        Self {
            definition: ToolDefinition::new(EXIT_PLAN, DESCRIPTION).param(
                "plan",
                "string",
                "The whole plan, in Markdown: what you will change, in which files, in which \
                 order, and how you will check it.",
                true,
            ),
            mode,
            reviewer,
        }
    }
}

#[async_trait]
impl Tool for ExitPlanTool {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    /// Has the plan reviewed. If the user approves it, plan mode ends, and the result is the
    /// [`approval_text`] of the plan, or of the user's edit of it.
    ///
    /// In every other case the result is an error and plan mode stays as it is: [`NOT_PLANNING`]
    /// without a review while plan mode is off, the text of `rejection` for a rejected plan,
    /// [`NOBODY_TO_REVIEW`], and the error of [`check_plan`] for an edit.
    async fn call(&self, args: Value) -> anyhow::Result<ToolResult> {
        if !self.mode.is_on() {
            return Ok(ToolResult::error(NOT_PLANNING));
        }
        let proposed = args["plan"].as_str().unwrap_or_default();
        let approved = match self.reviewer.review(proposed).await {
            PlanReview::Approved => proposed.to_string(),
            PlanReview::Edited(plan) => plan,
            PlanReview::Rejected(reason) => return Ok(ToolResult::error(rejection(reason))),
            PlanReview::NobodyToAsk => return Ok(ToolResult::error(NOBODY_TO_REVIEW)),
        };
        if let Err(problem) = check_plan(&approved) {
            return Ok(ToolResult::error(problem));
        }
        self.mode.leave();
        Ok(ToolResult::text(approval_text(&approved)))
    }

    fn validate_input(&self, args: &Value) -> ValidationResult {
        match check_plan(args["plan"].as_str().unwrap_or_default()) {
            Ok(()) => ValidationResult::Ok,
            Err(message) => ValidationResult::Error {
                message,
                code: BAD_PLAN,
            },
        }
    }

    /// It changes no file. What follows from the approval passes the permissions by itself.
    fn is_read_only(&self) -> bool {
        true
    }
}

/// The error of a plan that the user rejected: `the user rejected the plan: REASON; change it and
/// propose it again`, or without a reason, or with an empty one, `the user rejected the plan; ask what to change`.
fn rejection(reason: Option<String>) -> String {
    match reason {
        Some(reason) if !reason.is_empty() => {
            format!("the user rejected the plan: {reason}; change it and propose it again")
        }
        _ => "the user rejected the plan; ask what to change".to_string(),
    }
}

const DESCRIPTION: &str = "\
Propose your plan to the user. Use it in plan mode only, when you have read enough to know what to \
do. The user approves the plan, edits it or rejects it. After an approval plan mode is over: carry \
out the plan in the result, which the user may have edited. Do not ask for approval in any other \
way.";
