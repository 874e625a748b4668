//! Where a session is with its plan.

use serde_json::Value;

use super::{EXIT_PLAN, PLAN_ENDED, PLAN_NOTICE, ReplayStep, approved_plan, replay};
use crate::types::{Message, ToolCall};

/// Where a session is with its plan.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum PlanState {
    /// Plan mode is off, and no plan is approved.
    #[default]
    Off,
    /// Plan mode is on.
    Planning {
        /// The last plan that was proposed and not approved.
        proposal: Option<String>,
    },
    /// Plan mode is off, since the user has approved this plan.
    Approved(String),
}

impl PlanState {
    /// The state at the end of a history: [`Off`](Self::Off) at its beginning, and then the one
    /// [`after`](Self::after) each of its steps.
    pub fn from_messages(messages: &[Message]) -> Self {
        todo!("plan-state: write PlanState::from_messages")
    }

    /// Whether plan mode is on.
    pub fn is_planning(&self) -> bool {
        matches!(self, Self::Planning { .. })
    }

    /// The state after one more step.
    ///
    /// | step | state after it |
    /// | --- | --- |
    /// | a prompt that ends with [`PLAN_NOTICE`] | planning; if it was before, with the same proposal, otherwise with none |
    /// | a prompt that ends with [`PLAN_ENDED`] | off if it was planning |
    /// | a call of `exit_plan` that did not fail, whose result was not truncated and has an [`approved_plan`] | that plan is approved |
    /// | a failed call of `exit_plan` while planning | planning, with the call's `plan` as the proposal; with none if that is not a text |
    /// | any other step | as before |
    pub fn after(self, step: ReplayStep<'_>) -> Self {
        todo!("plan-state: write PlanState::after")
    }
}

/// The argument `plan` of a call, if it is a text.
fn plan_argument(call: &ToolCall) -> Option<String> {
    let plan = call.arguments.get("plan").and_then(Value::as_str);
    plan.map(String::from)
}
