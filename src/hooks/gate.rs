//! The gate that raises the events of tool calls.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;

use super::{
    HookDecision, HookEvent, Hooks, own_input, published_input, published_name, published_response,
};
use crate::engine::{Decision, Gate};
use crate::permission::{Answer, Approver, NOBODY_TO_ASK, Offer, Question, refusal};
use crate::types::{Tool, ToolCall, ToolResult};

/// A gate that asks hooks before and after each call.
///
/// Hooks come after permissions, so they can only be stricter: a hook that allows a call does not
/// save the user a question that the permission engine has.
pub struct HookGate {
    hooks: Arc<Hooks>,
    approver: Arc<dyn Approver>,
}

impl HookGate {
    /// A gate with these hooks, and the approver for calls about which a hook wants to ask.
    pub fn new(hooks: Arc<Hooks>, approver: Arc<dyn Approver>) -> Self {
        Self { hooks, approver }
    }

    /// Asks the user about a call, with a hook's text. The error is the reason of a refusal.
    async fn ask(&self, call: ToolCall, text: String) -> Result<(), String> {
        let question = Question {
            call,
            text,
            offer: Offer::Once,
        };
        match self.approver.ask(question).await {
            Answer::Yes(_) => Ok(()),
            Answer::No(reason) => Err(refusal(reason)),
            Answer::NobodyToAsk => Err(NOBODY_TO_ASK.to_string()),
        }
    }
}

#[async_trait]
impl Gate for HookGate {
    /// Raises [`HookEvent::PreToolUse`], with the call by its published name and input.
    ///
    /// - If a hook wants the agent to stop or denies the call, it does not run. The reason is
    ///   `a hook blocked this call: ` and that of the hook; a reason to stop comes before that of
    ///   a denial.
    /// - If a hook asks, the user is asked about the call with the rewritten arguments.
    /// - Rewritten arguments replace those of the call, and contexts, with an empty line between
    ///   them, are added to its result.
    async fn before(&self, call: &ToolCall, _tool: &dyn Tool) -> Decision {
        todo!("hook-gate: write HookGate::before")
    }

    /// Raises [`HookEvent::PostToolUse`] for a call that did not fail. The text for the model is
    /// the reason of a hook that denies, then the contexts, with an empty line between them.
    async fn after(&self, call: &ToolCall, result: &ToolResult) -> Option<String> {
        todo!("after-a-tool: write HookGate::after")
    }
}

/// The event before a call, which has its published name and input.
fn event_before(call: &ToolCall, cwd: &Path) -> HookEvent {
    HookEvent::PreToolUse {
        tool_name: published_name(&call.name).to_string(),
        tool_input: published_input(call, cwd),
        tool_use_id: call.id.clone(),
    }
}

/// The event after a call, which also has its published result.
fn event_after(call: &ToolCall, result: &ToolResult, cwd: &Path) -> HookEvent {
    let tool_input = published_input(call, cwd);
    HookEvent::PostToolUse {
        tool_name: published_name(&call.name).to_string(),
        tool_response: published_response(&tool_input, call, result),
        tool_input,
        tool_use_id: call.id.clone(),
    }
}
