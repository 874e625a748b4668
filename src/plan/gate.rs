//! The gate of plan mode.

use async_trait::async_trait;

use super::PlanMode;
use crate::engine::Gate;
use crate::types::{Tool, ToolCall};

/// The tools that may run in plan mode. A tool of another program is not among them: that it is
/// read-only is only what its author says.
pub const PLAN_TOOLS: [&str; 6] = ["exit_plan", "glob", "grep", "list", "read", "todo"];

/// A gate that refuses every call that may change something while plan mode is on.
///
/// It only refuses. Permissions decide about every call that passes it, so plan mode never allows
/// more than they do.
pub struct PlanGate {
    mode: PlanMode,
}

impl PlanGate {
    /// A gate for this session.
    pub fn new(mode: PlanMode) -> Self {
        Self { mode }
    }
}

#[async_trait]
impl Gate for PlanGate {
    /// While plan mode is on, refuses the call unless its tool is one of [`PLAN_TOOLS`] and says
    /// that it is read-only. While plan mode is off, every call passes.
    ///
    /// The reason names the tools that may run, and says that `exit_plan` proposes the plan.
    async fn check(&self, call: &ToolCall, tool: &dyn Tool) -> Result<(), String> {
        todo!("plan-gate: write PlanGate::check")
    }
}
