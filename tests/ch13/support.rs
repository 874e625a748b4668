//! Helpers for the tests of chapter 13, Plan Mode & Todos.
//!
//! Histories are written by hand, so that no section depends on the text that another one writes.
//! Reviews come from a script, and tools run in a temporary folder.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use claw_code::engine::*;
use claw_code::plan::*;
use claw_code::types::*;
use serde_json::{Value, json};

/// A call with this id.
pub fn call_with_id(id: &str, tool: &str, arguments: Value) -> ToolCall {
    ToolCall {
        id: id.into(),
        name: tool.into(),
        arguments,
    }
}

/// A call.
pub fn call(tool: &str, arguments: Value) -> ToolCall {
    call_with_id("call_1", tool, arguments)
}

/// A call of `exit_plan`.
pub fn proposal(plan: &str) -> ToolCall {
    call("exit_plan", json!({ "plan": plan }))
}

/// A reply with these calls.
pub fn reply(calls: impl IntoIterator<Item = ToolCall>) -> Message {
    let calls = calls.into_iter().collect();
    Message::assistant(None, calls, StopReason::ToolUse, None)
}

/// The result of a call that did not fail.
pub fn output(id: &str, text: &str) -> Message {
    Message::tool_result(id, text)
}

/// The result of a call that failed.
pub fn failure(id: &str, text: &str) -> Message {
    Message::ToolResult(ToolResultMessage::new(id, ToolResult::error(text)))
}

/// A call and its result, which did not fail.
pub fn answered(call: ToolCall, text: &str) -> [Message; 2] {
    let result = output(&call.id, text);
    [reply([call]), result]
}

/// A call and its result, which failed.
pub fn refused(call: ToolCall, text: &str) -> [Message; 2] {
    let result = failure(&call.id, text);
    [reply([call]), result]
}

/// The prompt that begins plan mode.
pub fn planning_prompt() -> Message {
    Message::user(format!("make the tests pass\n\n{PLAN_NOTICE}"))
}

/// The result of an approved plan, as section 13.3 describes it.
pub fn approval(plan: &str) -> String {
    let length = plan.len();
    format!(
        "The user approved this plan of {length} bytes. Plan mode is over: carry out the plan.\n\n{plan}"
    )
}

/// A call of `todo` with these items: content and status.
pub fn todo(items: &[(&str, &str)]) -> ToolCall {
    let items = items.iter();
    let items: Vec<Value> = items
        .map(|(content, status)| json!({ "content": content, "status": status }))
        .collect();
    call("todo", json!({ "items": items }))
}

/// A list of these items.
pub fn list(items: &[(&str, TodoStatus)]) -> TodoList {
    let items = items.iter().map(|(content, status)| TodoItem {
        content: content.to_string(),
        status: *status,
    });
    TodoList {
        items: items.collect(),
    }
}

/// The tool `exit_plan` in plan mode, with the reviewer that gives these reviews.
pub fn exit_plan(
    reviews: impl IntoIterator<Item = PlanReview>,
) -> (ExitPlanTool, PlanMode, Arc<ScriptedReviewer>) {
    let mode = PlanMode::new(true);
    let reviewer = Arc::new(ScriptedReviewer::new(reviews));
    let tool = ExitPlanTool::new(mode.clone(), reviewer.clone());
    (tool, mode, reviewer)
}

/// A gate that refuses every call but those of `exit_plan` in plan mode, as that of section 13.2
/// does with these tools. Section 13.4 does not depend on it.
pub struct OnlyProposals(pub PlanMode);

#[async_trait]
impl Gate for OnlyProposals {
    async fn check(&self, call: &ToolCall, _tool: &dyn Tool) -> Result<(), String> {
        match self.0.is_on() && call.name != "exit_plan" {
            true => Err("plan mode is on".into()),
            false => Ok(()),
        }
    }
}

/// Takes calls through these gates to their results.
pub async fn dispatch(
    tools: ToolSet,
    gates: Vec<Box<dyn Gate>>,
    calls: impl IntoIterator<Item = ToolCall>,
) -> Vec<ToolResultMessage> {
    let dispatcher = Dispatcher {
        tools,
        gates,
        max_result_bytes: 32 * 1024,
        max_concurrent: 8,
    };
    let mut open: Vec<OpenCall> = calls.into_iter().map(OpenCall::new).collect();
    dispatcher
        .dispatch(&mut open, &QueryEventSender::none())
        .await;
    let results = open.iter_mut();
    results.map(|call| call.finalize(32 * 1024)).collect()
}

/// The path and the content of every file in a folder, sorted.
pub fn files(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => {
                let content = std::fs::read_to_string(&path).expect("a text file");
                found.push((path.display().to_string(), content));
            }
        }
    }
    found.sort();
    found
}
