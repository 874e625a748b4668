//! The plan mode of a conversation, and its tools.

use std::sync::Arc;

use anyhow::Result;
use tokio::sync::mpsc;

use super::{ProposedPlan, UserReviewer};
use crate::claw::options::Options;
use crate::claw::safe_text::without_control_chars;
use crate::plan::{
    ExitPlanTool, PlanGate, PlanMode, PlanState, TodoList, TodoReminder, TodoTool,
    prompt_with_notice, restored_mode,
};
use crate::tools::Registry;
use crate::types::{Message, PermissionMode};

/// The plan mode of a conversation.
pub struct SessionPlan {
    mode: PlanMode,
    reviewer: Arc<UserReviewer>,
    /// The state and the list at the start.
    state: PlanState,
    todos: TodoList,
}

impl SessionPlan {
    /// Plan mode as the options want it, or else as the history ends, and the receiver of the
    /// proposed plans.
    pub fn new(options: &Options, history: &[Message]) -> (Self, mpsc::Receiver<ProposedPlan>) {
        let (reviewer, plans) = UserReviewer::new();
        let plan = Self {
            mode: restored_mode(options.permissions.permission_mode.as_ref(), history),
            reviewer: Arc::new(reviewer),
            state: PlanState::from_messages(history),
            todos: TodoList::from_messages(history),
        };
        (plan, plans)
    }

    /// The tools with `exit_plan` and `todo`.
    pub fn add_tools(&self, tools: Registry) -> Result<Registry> {
        tools
            .with(ExitPlanTool::new(self.mode.clone(), self.reviewer.clone()))?
            .with(TodoTool::new())
    }

    /// The gate of plan mode, which comes before the permissions.
    pub fn gate(&self) -> PlanGate {
        PlanGate::new(self.mode.clone())
    }

    /// The gate that reminds the model of its list.
    pub fn reminder(&self) -> TodoReminder {
        TodoReminder::new(self.todos.clone())
    }

    /// The permission mode at this moment, where `before` is the one beneath plan mode.
    pub fn permission_mode(&self, before: PermissionMode) -> PermissionMode {
        match self.mode.is_on() {
            true => PermissionMode::Plan,
            false => before,
        }
    }

    /// The prompt that the model reads, with the notice about plan mode if it needs one.
    pub fn prompt(&self, text: &str, history: &[Message]) -> String {
        prompt_with_notice(text, &self.mode, history)
    }

    /// Turns plan mode on or off, and returns a note for the user.
    pub fn switch(&self, is_on: bool) -> &'static str {
        match is_on {
            true => self.mode.enter(),
            false => self.mode.leave(),
        }
        match is_on {
            true => ON,
            false => OFF,
        }
    }

    /// What the user reads at the start: whether plan mode is on, the last plan, and the list.
    /// Empty if there is nothing to say.
    pub fn description(&self) -> String {
        let mut texts = Vec::new();
        if self.mode.is_on() {
            texts.push(ON.to_string());
        }
        match &self.state {
            PlanState::Planning {
                proposal: Some(plan),
            } => texts.push(format!(
                "The last plan, which is not approved; ask for it again to review it:\n{plan}"
            )),
            PlanState::Approved(plan) => texts.push(format!("The approved plan:\n{plan}")),
            PlanState::Planning { proposal: None } | PlanState::Off => {}
        }
        if !self.todos.items.is_empty() {
            texts.push(format!("The todo list:\n{}", self.todos));
        }
        without_control_chars(&texts.join("\n"))
    }
}

const ON: &str = "(plan mode is on: only tools that read run; `/plan off` ends it)";
const OFF: &str = "(plan mode is off)";
